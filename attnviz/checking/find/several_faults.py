"""Finds what no fault alone explains: positions that the layer adds on purpose, and several faults at once.

Three faults together are too many to try. But with all tokens alike it does not matter where a query looks, so only
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
from attnviz.checking.find.fault import Fault
from attnviz.checking.find.faults_of_positions import TURNED
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.pairs import explain_pairs
from attnviz.checking.find.positions import known_positions
from attnviz.checking.find.random_projection import Sketch
from attnviz.checking.find.search import (
    Explanation,
    Reading,
    agrees,
    changed,
    explain,
    explanations,
    first_of_each_kind,
)  # fmt: skip
from attnviz.checking.find.symptoms import alike

MOST_WAYS = 12  # explanations of the first part that are followed up


def explain_with_positions(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: Sequence[Fault]
) -> Explanation | None:
    """The same with each known kind of positions made in ours."""
    readings = [
        replace(reading, variant=replace(reading.variant, positions=positions))
        for positions in known_positions(examination.candidate.subject)
        for reading in examination.readings
    ]
    right = explain(theirs, inputs, readings, known=())
    usual = [reading for reading in readings if reading.layout is examination.readings[0].layout]
    return right or explain(theirs, inputs, usual, known=(*TURNED, *first_of_each_kind(known)))


def explain_in_parts(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: Sequence[Fault]
) -> Explanation | None:
    """Up to two faults on the way of the values, and two more in the scores; or three in the scores alone; or pairs."""
    same = alike(inputs)
    answer = examination.ask(same)
    if answer.out is None:
        return None
    ways = list(_ways(answer.out.detach(), same, examination.readings, known))
    for reading, already in ways:
        sketched = _sketched(reading, theirs.shape[-1])
        free = [fault for fault in known if _hides(fault, already, sketched, same)]
        at_once = 2 if already else 3
        found = explain(theirs, inputs, examination.readings, known=free, at_once=at_once, already=already)
        if found is not None:
            return replace(found, faults=tuple(sorted(found.faults, key=list(known).index)))
    return explain_pairs(examination, inputs, theirs, ways)


def _ways(
    theirs: Tensor, inputs: Inputs, readings: Sequence[Reading], known: Sequence[Fault]
) -> Iterator[tuple[Reading, tuple[Fault, ...]]]:
    """The smallest sets of faults that explain the values' way; several, for q and k do not show there."""
    kinds = _told_apart(known, _sketched(readings[0], theirs.shape[-1]), inputs)
    firsts = [kind[0] for kind in kinds]
    found = next(explanations(theirs, inputs, readings, known=firsts, at_once=2, together=firsts), None)
    if found is not None:
        same = [next(kind for kind in kinds if kind[0] is fault) for fault in found.faults]
        for faults in islice(product(*same), MOST_WAYS):
            yield found.reading, faults


def _told_apart(known: Sequence[Fault], reading: Reading, inputs: Inputs) -> list[list[Fault]]:
    """The faults that show for these inputs, those together that give the same output."""
    right = _out(reading, inputs, ())
    kinds: list[tuple[Tensor, list[Fault]]] = []
    for fault in known:
        out = _out(reading, inputs, (fault,))
        if out is None or right is None or agrees(right, out):
            continue
        alike_to = next((faults for other, faults in kinds if agrees(other, out)), None)
        if alike_to is None:
            kinds.append((out, [fault]))
        else:
            alike_to.append(fault)
    return [faults for _, faults in kinds]


def _hides(fault: Fault, already: tuple[Fault, ...], reading: Reading, inputs: Inputs) -> bool:
    """Whether a fault can be made beside the others without showing for these inputs."""
    if any(fault.clashes(other) for other in already):
        return False
    before, after = _out(reading, inputs, already), _out(reading, inputs, (*already, fault))
    return before is not None and after is not None and agrees(before, after)


def _sketched(reading: Reading, out_width: int) -> Reading:
    """The reading for one set of inputs, where it is enough to tell outputs apart."""
    numbers = None if reading.numbers is None else Sketch.of(reading.numbers, out_width)
    return replace(reading, numbers=numbers)


def _out(reading: Reading, inputs: Inputs, faults: tuple[Fault, ...]) -> Tensor | None:
    """What ours gives with these faults; None where they cannot be made with these sizes."""
    try:
        with torch.no_grad():
            return attention(inputs, reading.numbers, changed(reading.variant, faults)).out  # [B, T, D]
    except (RuntimeError, ValueError, IndexError, ZeroDivisionError):
        return None
