"""Finds two mistakes of which one is otherwise looked for alone: of the keys, or beside rotary positions.

Tried last, and only with those partners that people make most, so that what nothing explains takes hardly longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.fault import Fault
from attnviz.checking.find.faults import IN_ORDER
from attnviz.checking.find.faults_of_scores import KEYS, SCALE
from attnviz.checking.find.faults_of_values import ENDS, PROJECTIONS
from attnviz.checking.find.other_scale import explain_with_other_scale
from attnviz.checking.find.positions import known_positions
from attnviz.checking.find.search import Explanation, Reading, explain, first_of_each_kind

MOST_WAYS = 2  # explanations of the values' way that are followed up
_SWAPPED = [fault for fault in PROJECTIONS if fault.id in ("q-and-k-swapped", "k-and-v-swapped")]
_PARTNERS = (*_SWAPPED, *first_of_each_kind(SCALE), *ENDS)


def explain_pairs(
    examination: Examination, inputs: Inputs, theirs: Tensor, ways: Sequence[tuple[Reading, tuple[Fault, ...]]]
) -> Explanation | None:
    """Two mistakes together; ways: what explains the output for tokens that are all alike, where something does."""
    found = _of_keys(examination, inputs, theirs)
    for reading, already in ways[:MOST_WAYS] if found is None else ():
        if not already:
            continue  # one mistake in the scores: looked for before
        readings = [other for other in examination.readings if other.layout is reading.layout][:2]
        found = explain_with_other_scale(readings, inputs, theirs, already)
        found = found or _with_positions(examination, readings, inputs, theirs, already)
        if found is not None:
            break
    return None if found is None else replace(found, faults=tuple(sorted(found.faults, key=_place)))


def _of_keys(examination: Examination, inputs: Inputs, theirs: Tensor) -> Explanation | None:
    """A key lost, the diagonal hidden, values shifted, …, beside a wrong scale or a mistake at the end."""
    for partner in _PARTNERS:
        found = explain(theirs, inputs, examination.readings[:2], known=KEYS, already=(partner,))
        if found is not None:
            return found
    return None


def _with_positions(
    examination: Examination, readings: Sequence[Reading], inputs: Inputs, theirs: Tensor, already: tuple[Fault, ...]
) -> Explanation | None:
    """Rotary positions, the mistakes that are already known, and perhaps a wrong scale."""
    turned = [
        replace(reading, variant=replace(reading.variant, positions=positions))
        for positions in known_positions(examination.candidate.subject) if positions.kind in ("halves", "pairs")
        for reading in readings
    ]  # fmt: skip
    return explain(theirs, inputs, turned, known=first_of_each_kind(SCALE), already=already)


def _place(fault: Fault) -> int:
    """Where in attention it happens."""
    ids = [other.id for other in IN_ORDER]
    return ids.index(fault.id) if fault.id in ids else ids.index(SCALE[0].id)
