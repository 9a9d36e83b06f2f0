"""Finds a scale that has no name, such as √d_head times a temperature or plus an eps, by looking for the number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.fault import Fault
from attnviz.checking.find.faults_of_scores import other_scale
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.random_projection import Sketch
from attnviz.checking.find.search import Explanation, Reading, changed, difference, explain

WIDEST, STEPS, REFINED = 3.5, 28, 60  # powers of e around √d_head, points between, and refinements of the best


def explain_with_other_scale(
    readings: Sequence[Reading], inputs: Inputs, theirs: Tensor, already: tuple[Fault, ...] = ()
) -> Explanation | None:
    """The divisor of QKᵀ that gives this output beside the faults that are already known, where one does."""
    for reading in readings:
        gap = _gap(replace(reading, variant=changed(reading.variant, already)), inputs, theirs)
        head_width = reading.numbers.head_width if reading.numbers else inputs[0].shape[-1]
        middle = math.log(head_width) / 2  # the logarithm of √d_head
        points = [middle + WIDEST * (2 * step / STEPS - 1) for step in range(STEPS + 1)]
        best = min(points, key=gap)
        width = 2 * WIDEST / STEPS
        divisor = math.exp(_lowest(gap, best - width, best + width))
        found = explain(theirs, inputs, [reading], known=(other_scale(divisor),), already=already)
        if found is not None:
            return found
    return None


def _gap(reading: Reading, inputs: Inputs, theirs: Tensor) -> Callable[[float], float]:
    """How far ours is with QKᵀ divided by e to a power."""
    numbers = None if reading.numbers is None else Sketch.of(reading.numbers, theirs.shape[-1])
    seen = theirs if numbers is None else numbers.seen(theirs)  # [B, Tq, D] or [B, Tq, 1]

    def gap(power: float) -> float:
        variant = replace(reading.variant, scale=repr(math.exp(power)))
        with torch.no_grad():
            return difference(attention(inputs, numbers, variant).out, seen)

    return gap


def _lowest(gap: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley between low and high is lowest: golden-section search."""
    share = (math.sqrt(5) - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = gap(left), gap(right)
    for _ in range(REFINED):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = gap(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = gap(right)
    return (low + high) / 2
