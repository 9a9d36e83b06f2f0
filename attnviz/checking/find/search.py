"""Finds the faults behind an output: makes each in our own attention and compares.

First every ordinary reading of the candidate without a fault, then with one, then with two and three.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.faults import COMMON, FORWARD, ORDERS, Fault
from attnviz.checking.find.mistaken_attention import Values, Variant, attention
from attnviz.checking.read.layouts import Layout, Projections
from attnviz.checking.report import Finding, Measurement

TOLERANCE = 1e-5  # relative to the largest value, at least 1


@dataclass(frozen=True)
class Reading:
    """One way to understand the candidate: where its weights are, and which faults it has."""

    layout: Layout | None
    projections: Projections | None
    plain: Variant  # without the faults: whether it is causal or adds positions
    faults: tuple[Fault, ...] = ()

    @property
    def variant(self) -> Variant:
        """Ours with the faults made."""
        return changed(self.plain, self.faults)

    @property
    def has_mistakes(self) -> bool:
        """Whether one of the faults is a mistake; another order of heads is not one."""
        return any(fault not in ORDERS for fault in self.faults)

    def changed(self, **changes: Any) -> "Reading":
        """The same with other fields of its plain variant."""
        return replace(self, plain=replace(self.plain, **changes))

    def values(self, inputs: Inputs, mask: Tensor | None = None, **changes: Any) -> Values:
        """What ours computes with these faults, and with further changes of the variant."""
        return attention(inputs, self.projections, replace(self.variant, **changes), mask)


def changed(variant: Variant, faults: Iterable[Fault]) -> Variant:
    fields: dict[str, Any] = {name: value for fault in faults for name, value in fault.changes.items()}
    return replace(variant, **fields) if fields else variant


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


def explain(
    theirs: Tensor, inputs: Inputs, readings: Sequence[Reading], mask: Tensor | None = None,
    known: Sequence[Fault] = FORWARD, at_once: int = 1,
) -> Reading | None:  # fmt: skip
    """The reading with the fewest of the `known` faults, beside those it has, that gives this output.

    at_once: how many are made together, of each kind one. mask: bool, True = can attend.
    """
    for reading in _hypotheses(readings, known, at_once):
        try:
            with torch.no_grad():
                ours = reading.values(inputs, mask).out  # [B, T_q, d_model]
        except (RuntimeError, ValueError, IndexError, ZeroDivisionError):  # it cannot be made with these sizes
            continue
        if agrees(ours, theirs):
            return reading
    return None


def _hypotheses(readings: Sequence[Reading], known: Sequence[Fault], at_once: int) -> Iterator[Reading]:
    yield from readings
    for fault in known:
        yield from (_with(reading, fault) for reading in readings if _is_new(reading, fault))
    tried: set[Variant] = set()
    for count in range(2, at_once + 1):
        faults_of_kinds = [f for f in first_of_each_kind(known) if count < 3 or f.id in COMMON]
        for reading in readings[:2]:  # the usual layout, causal or not
            for faults in combinations([fault for fault in faults_of_kinds if _is_new(reading, fault)], count):
                fields = [field for fault in faults for field in fault.changes]
                variant = changed(reading.variant, faults)
                if len(set(fields)) == len(fields) and variant not in tried:  # else two would change the same field
                    tried.add(variant)
                    yield _with(reading, *faults)


def _with(reading: Reading, *faults: Fault) -> Reading:
    return replace(reading, faults=(*reading.faults, *faults))


def first_of_each_kind(known: Sequence[Fault]) -> list[Fault]:
    """One fault of each id, and every causal one that leaves no NaN: what is tried together with others."""
    first = {fault.id: fault for fault in reversed(known)}
    causal = [f for f in known if f.id.startswith("causal") and f.changes.get("blocked", "uniform") == "uniform"]
    return [f for f in known if f in causal or (first[f.id] is f and not f.id.startswith("causal"))]


def _is_new(reading: Reading, fault: Fault) -> bool:
    """Whether the fault changes anything in this reading."""
    return any(getattr(reading.variant, name) != value for name, value in fault.changes.items())


def finding(fault: Fault, *evidence: Measurement, **words: str | float) -> Finding:
    return Finding(fault.id, fault.sentence.format(**words), fault.fix.format(**words), evidence)
