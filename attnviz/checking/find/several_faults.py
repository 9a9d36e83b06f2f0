"""Finds several faults at once, in two parts.

Three faults together are too many to try. But with all tokens alike it does not matter where a query attends, so only
faults on the way of the values show: these are found first, and then, with them made, those of the scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.faults import Fault
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.random_projection import RandomProjection
from attnviz.checking.find.search import (
    CANNOT_BE_MADE,
    Explanation,
    Reading,
    agrees,
    changed,
    explain,
    explanations,
)  # fmt: skip
from attnviz.checking.find.symptoms import tokens_alike

MOST_SETS = 12  # of faults on the way of the values that are followed up


def explain_in_parts(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: Sequence[Fault]
) -> Explanation | None:
    """Up to two faults on the way of the values and two more in the scores, or three in the scores alone."""
    same = tokens_alike(inputs)
    answer = examination.call(same).numbers
    for reading, already in () if answer is None else _of_values(answer, same, examination.readings, known):
        quick = _through_random_vector(reading, theirs.shape[-1])
        free = [fault for fault in known if _is_hidden(fault, already, quick, same)]
        at_once = 2 if already else 3
        found = explain(theirs, inputs, examination.readings, known=free, at_once=at_once, already=already)
        if found is not None:
            return replace(found, faults=tuple(sorted(found.faults, key=list(known).index)))
    return None


def _of_values(
    theirs: Tensor, inputs: Inputs, readings: Sequence[Reading], known: Sequence[Fault]
) -> Iterator[tuple[Reading, tuple[Fault, ...]]]:
    """The smallest sets of faults on the way of the values that explain the output for tokens all alike."""
    kinds = _told_apart(known, _through_random_vector(readings[0], theirs.shape[-1]), inputs)
    firsts = [kind[0] for kind in kinds]
    found = next(explanations(theirs, inputs, readings, known=firsts, at_once=2, together=firsts), None)
    if found is not None:
        same = [next(kind for kind in kinds if kind[0] is fault) for fault in found.faults]
        for faults in islice(product(*same), MOST_SETS):
            yield found.reading, faults


def _told_apart(known: Sequence[Fault], reading: Reading, inputs: Inputs) -> list[list[Fault]]:
    """The faults that show for these inputs; those that give the same output stand together."""
    right = _out(reading, inputs, ())
    kinds: list[tuple[Tensor, list[Fault]]] = []
    for fault in known:
        out = _out(reading, inputs, (fault,))
        if out is None or right is None or agrees(right, out):
            continue
        same = next((faults for other, faults in kinds if agrees(other, out)), None)
        if same is None:
            kinds.append((out, [fault]))
        else:
            same.append(fault)
    return [faults for _, faults in kinds]


def _is_hidden(fault: Fault, already: tuple[Fault, ...], reading: Reading, inputs: Inputs) -> bool:
    """Whether a fault can be made beside the others without showing for these inputs."""
    if any(fault.clashes(other) for other in already):
        return False
    before, after = _out(reading, inputs, already), _out(reading, inputs, (*already, fault))
    return before is not None and agrees(before, after)


def _through_random_vector(reading: Reading, out_width: int) -> Reading:
    """The reading for one set of inputs, where it is enough to tell outputs apart."""
    projections = reading.projections
    return reading if projections is None else replace(reading, projections=RandomProjection.of(projections, out_width))


def _out(reading: Reading, inputs: Inputs, faults: tuple[Fault, ...]) -> Tensor | None:
    """What ours gives with these faults; None where they cannot be made with these sizes."""
    try:
        with torch.no_grad():
            return attention(inputs, reading.projections, changed(reading.variant, faults)).out  # [B, T, D]
    except CANNOT_BE_MADE:
        return None
