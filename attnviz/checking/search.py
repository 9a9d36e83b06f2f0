"""Finds the fault that explains an output: makes each in our own attention and compares.

First every ordinary reading of the candidate without fault, then with one, then with two. Gradients: the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import torch
from torch import Tensor

from attnviz.checking.faults import FORWARD, Fault
from attnviz.checking.layouts import Layout
from attnviz.checking.probes import Inputs
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.variant import Numbers, Values, Variant, attention, divisors

TOLERANCE = 1e-5  # relative to the largest value, at least 1


@dataclass(frozen=True)
class Reading:
    """One way to understand the candidate that is no fault: which layout, causal or not."""

    layout: Layout | None
    numbers: Numbers | None
    variant: Variant


@dataclass(frozen=True)
class Explanation:
    """The reading and the faults that give the candidate's output."""

    reading: Reading
    faults: tuple[Fault, ...]
    difference: float  # largest, between ours with these faults and theirs

    @property
    def variant(self) -> Variant:
        """Ours with the faults made."""
        return changed(self.reading.variant, self.faults)

    def values(self, inputs: Inputs, mask: Tensor | None = None, fault: Fault | None = None) -> Values:
        """What ours computes with these faults, and one more."""
        faults = (fault,) if fault else ()
        return attention(inputs, self.reading.numbers, changed(self.variant, faults), mask)


def changed(variant: Variant, faults: Iterable[Fault]) -> Variant:
    """The variant with these faults made in it."""
    for fault in faults:
        variant = replace(variant, **fault.changes)
    return variant


def difference(ours: Tensor, theirs: Tensor) -> float:
    """The largest difference; infinite where the shapes, or the places of NaN, are not the same."""
    if ours.shape != theirs.shape or not torch.equal(torch.isnan(ours), torch.isnan(theirs)):
        return float("inf")
    if ours.numel() == 0:
        return 0.0
    return float((torch.nan_to_num(ours) - torch.nan_to_num(theirs)).detach().abs().max())


def agrees(ours: Tensor, theirs: Tensor, tolerance: float = TOLERANCE) -> bool:
    """Whether two tensors are the same but for rounding."""
    if ours.numel() and not bool(torch.isfinite(ours).any()):
        return False  # NaN everywhere agrees with nothing
    largest = float(torch.nan_to_num(ours).detach().abs().max()) if ours.numel() else 0.0
    return difference(ours, theirs) <= tolerance * max(1.0, largest)


def explain(
    theirs: Tensor, inputs: Inputs, readings: Sequence[Reading], mask: Tensor | None = None,
    known: Sequence[Fault] = FORWARD, pairs: bool = True, already: tuple[Fault, ...] = (),
) -> Explanation | None:  # fmt: skip
    """The fewest faults that give this output.

    Args:
        theirs: [B, Tq, D]. inputs: what it was given. readings: the usual one first. mask: bool, True = may look.
        known: the faults to try, on top of those that are `already` known. pairs: whether two at once are tried.
    Returns:
        None when nothing known gives it.
    """
    for reading, faults in _hypotheses(readings, known, pairs):
        variant = changed(reading.variant, (*already, *faults))
        try:
            with torch.no_grad():
                ours = attention(inputs, reading.numbers, variant, mask).out  # [B, Tq, D]
        except (RuntimeError, ValueError, IndexError, ZeroDivisionError):
            continue  # this fault cannot be made with these sizes
        if agrees(ours, theirs):
            return Explanation(reading, (*already, *faults), difference(ours, theirs))
    return None


def _hypotheses(
    readings: Sequence[Reading], known: Sequence[Fault], pairs: bool
) -> Iterator[tuple[Reading, tuple[Fault, ...]]]:
    yield from ((reading, ()) for reading in readings)
    yield from ((reading, (fault,)) for fault in known for reading in readings if _is_new(reading, fault))
    if pairs:
        first_of_kind = {fault.id: fault for fault in reversed(known)}
        likely = [f for f in known if f.id.startswith("causal") or first_of_kind[f.id] is f]
        for reading in readings[:2]:  # the usual layout, causal or not
            for one, other in combinations(likely, 2):
                if not one.clashes(other) and _is_new(reading, one) and _is_new(reading, other):
                    yield reading, (one, other)


def _is_new(reading: Reading, fault: Fault) -> bool:
    """Whether the fault changes anything in this reading."""
    return changed(reading.variant, (fault,)) != reading.variant


def finding(fault: Fault, *evidence: Measurement, **words: str | float) -> Finding:
    """A fault as a finding, its braces filled."""
    return Finding(fault.id, fault.sentence.format(**words), fault.fix.format(**words), evidence)


def words_for(fault: Fault, n_heads: int, head_width: int, n_queries: int) -> dict[str, str]:
    """The numbers that the sentences name."""
    divisor = divisors(head_width, n_heads, n_queries)
    expected, used = divisor["head"], divisor[fault.changes.get("scale", "head")]
    numbers = {
        "ratio": expected / used, "divisor": used, "expected": expected, "row_sum": 1 / expected,
        "n_heads": n_heads, "d_head": head_width, "d_model": n_heads * head_width,
    }  # fmt: skip
    return {name: f"{number:.4g}" for name, number in numbers.items()}
