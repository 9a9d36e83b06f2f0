"""Finds a scale that has no name, such as √d_head times a temperature or plus an eps, by looking for the number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.faults import other_scale
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.random_projection import RandomProjection
from attnviz.checking.find.search import Explanation, Reading, difference, explain

WIDEST, POINTS, FINEST = 3.5, 28, 1e-13  # powers of e around √d_head, points on each side of it, and the last step


def explain_with_other_scale(readings: Sequence[Reading], inputs: Inputs, theirs: Tensor) -> Explanation | None:
    """The divisor of QKᵀ that gives this output, where one does."""
    for reading in readings:
        distance = _distance(reading, inputs, theirs)
        head_width = reading.projections.head_width if reading.projections else inputs[0].shape[-1]
        best, step, points = math.log(head_width) / 2, WIDEST / (POINTS // 2), POINTS // 2  # of the logarithm
        while step > FINEST:
            best = min((best + step * place for place in range(-points, points + 1)), key=distance)
            step, points = step / 3, 3
        found = explain(theirs, inputs, [reading], known=(other_scale(math.exp(best)),))
        if found is not None:
            return found
    return None


def _distance(reading: Reading, inputs: Inputs, theirs: Tensor) -> Callable[[float], float]:
    """How far ours is with QKᵀ divided by e to a power."""
    projections = reading.projections
    through = None if projections is None else RandomProjection.of(projections, theirs.shape[-1])
    seen = theirs if through is None else through.observe(theirs)  # [B, Tq, D] or [B, Tq, 1]

    def distance(power: float) -> float:
        variant = replace(reading.variant, scale=repr(math.exp(power)))
        with torch.no_grad():
            return difference(attention(inputs, through, variant).out, seen)

    return distance
