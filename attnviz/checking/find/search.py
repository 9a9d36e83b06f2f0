"""Finds the faults behind an output: makes each in ours and compares.

First every reading of the candidate without a fault, then with one, then with two.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find import faults as table
from attnviz.checking.find.examination import Reading, Run
from attnviz.checking.find.faults import Fault
from attnviz.checking.report import Measurement
from attnviz.core.errors import AttnvizError

TOLERANCE = 1e-5  # relative to the largest value, at least 1
WIDEST, POINTS, FINEST = 3.5, 28, 1e-13  # powers of e around √d_head, points on each side of it, and the last step
_CANNOT_BE_MADE = (AttnvizError, RuntimeError, ValueError, IndexError, ZeroDivisionError)  # with these sizes


def difference(ours: Tensor, theirs: Tensor | None) -> float:
    """The largest difference; infinite where the shapes, or the places of NaN, are not the same."""
    if theirs is None or ours.shape != theirs.shape:
        return math.inf
    if ours.numel() == 0:
        return 0.0
    gap = float((ours - theirs).detach().abs().max())
    if math.isfinite(gap):  # the usual case; then so is every number of both
        return gap
    if not torch.equal(torch.isnan(ours), torch.isnan(theirs)):
        return math.inf
    return float((torch.nan_to_num(ours) - torch.nan_to_num(theirs)).detach().abs().max())


def agrees(ours: Tensor, theirs: Tensor | None, tolerance: float = TOLERANCE) -> bool:
    """Whether two tensors are the same but for rounding; NaN everywhere agrees with nothing."""
    gap = difference(ours, theirs)
    if gap <= tolerance:
        return bool(torch.isfinite(ours).any())
    return gap <= tolerance * float(torch.nan_to_num(ours).detach().abs().max())


def gap(what: str, ours: Tensor, theirs: Tensor | None) -> Measurement:
    """How far an output is from ours; infinite where there is none."""
    return Measurement(what, difference(ours, theirs))


def first_reading(
    theirs: Tensor, inputs: Inputs, readings: Sequence[Reading], mask: Tensor | None = None,
    known: Sequence[Fault] = (), count: int = 1,
) -> Reading | None:  # fmt: skip
    """The first reading that gives this output with `count` of the `known` faults beside those it has."""
    for reading in _hypotheses(readings, known, count):
        try:
            with torch.no_grad():
                ours = reading.values(inputs, mask).out  # [B, T_q, d_model]
        except _CANNOT_BE_MADE:
            continue
        if agrees(ours, theirs):
            return reading
    return None


def _hypotheses(readings: Sequence[Reading], known: Sequence[Fault], count: int) -> Iterator[Reading]:
    if count == 0:
        yield from readings
        return
    readings = [one for one in readings if one.layout is None or not one.layout.is_rare]  # there would be too many
    if count == 1:
        for these in (readings[:2], readings[2:]):  # the usual layout, causal or not, before the others
            for fault in known:
                yield from (reading.having(fault) for reading in these if _is_new(reading, fault))
    else:
        for reading in readings[:2]:  # the usual layout, causal or not
            faults = [fault for fault in _first_of_each_kind(known) if _is_new(reading, fault)]
            for pair in combinations(faults, count):
                if len({field for fault in pair for field in fault.changes}) == sum(len(one.changes) for one in pair):
                    yield reading.having(*pair)


def _first_of_each_kind(known: Sequence[Fault]) -> list[Fault]:
    """The faults that are tried in pairs: one of each id, and every causal one that leaves no NaN."""
    first = {fault.id: fault for fault in reversed(known)}
    causal = [f for f in known if f.id.startswith("causal") and f.changes.get("blocked", "uniform") == "uniform"]
    return [f for f in known if f in causal or (first[f.id] is f and not f.id.startswith("causal"))]


def _is_new(reading: Reading, fault: Fault) -> bool:
    """Whether the fault changes anything in this reading."""
    return any(getattr(reading.variant, name) != value for name, value in fault.changes.items())


def explaining_run(runs: Sequence[Run], *, only_right: bool) -> Run | None:
    """The simplest explanation of one of these runs: no fault; one; another scale; two."""
    for count in (0,) if only_right else (0, 1):
        for run in runs:
            known = (*known_faults(run), *table.KEYS_LOST)
            reading = first_reading(run.theirs, run.inputs, run.examination.readings, None, known, count)
            if reading is not None:
                return replace(run, reading=reading)
    if only_right or not bool(torch.isfinite(runs[0].theirs).all()):
        return None
    for run in runs:
        reading = _with_other_scale(run)
        reading = reading or first_reading(run.theirs, run.inputs, run.examination.readings, None, known_faults(run), 2)
        if reading is not None:
            return replace(run, reading=reading)
    return None


def known_faults(run: Run) -> tuple[Fault, ...]:
    """Every fault that such a candidate may have without a mask."""
    examination = run.examination
    known = table.faults_for(run.sizes())
    if run.reading.projections is not None:
        known += table.texts_mixed_up(run.candidate.signature)
    if examination.is_causal is None:
        return known
    return (*known, table.CAUSAL_MISSING if examination.is_causal else table.CAUSAL_UNASKED)


def _with_other_scale(run: Run) -> Reading | None:
    """The divisor of QKᵀ that gives this output, where one does, such as √d_head times a temperature or plus an eps."""
    d_head = run.sizes()["d_head"]
    for reading in run.examination.readings[:2]:  # causal or not
        best, step, points = math.log(d_head) / 2, WIDEST / (POINTS // 2), POINTS // 2  # of the logarithm
        while step > FINEST:
            tried = [best + step * place for place in range(-points, points + 1)]
            with torch.no_grad():
                outs = [reading.values(run.inputs, scale=math.exp(power)).out for power in tried]
            apart = [difference(out, run.theirs) for out in outs]
            best, step, points = tried[apart.index(min(apart))], step / 3, 3
        fault = table.other_scale(math.exp(best), d_head)
        explaining = first_reading(run.theirs, run.inputs, [reading], None, (fault,))
        if explaining is not None:
            return explaining
    return None
