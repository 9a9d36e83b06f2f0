"""A measured figure beside its target, and the table they are printed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure: what was measured, what it should stay under, and in which unit."""

    claim: str
    measured: float
    target: float | None
    unit: str
    note: str = ""


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the sorted values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]


def table(rows: Sequence[Row]) -> str:
    """The rows as text, with measured / target; a ratio above 1 misses the target."""
    lines = [f"{'claim':<58}{'measured':>12}{'target':>12}{'ratio':>8}  note"]
    for row in rows:
        measured = f"{row.measured:.2f} {row.unit}"
        target = f"{row.target:g} {row.unit}" if row.target else "-"
        ratio = f"{row.measured / row.target:.2f}" if row.target else "-"
        lines.append(f"{row.claim:<58}{measured:>12}{target:>12}{ratio:>8}  {row.note}")
    return "\n".join(lines)
