"""A measured figure beside its target, and the table they are printed in."""

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


def p95(claim: str, times: Sequence[float], target: float | None, unit: str, more: str = "") -> Row:
    """The time that 95 of 100 do not exceed, its median beside it."""
    note = f"p95 of {len(times)}, median {percentile(times, 0.5):.3g} {unit}"
    return Row(claim, percentile(times, 0.95), target, unit, note + more)


def not_measured(name: str, unit: str, error: Exception) -> Row:
    """A peer that does not run here, with the reason."""
    reason = str(error).strip().split("\n")[0]
    return Row(name, float("nan"), None, unit, f"not measured: {type(error).__name__}: {reason}")


def table(rows: Sequence[Row]) -> str:
    """The rows as text, with measured / target; a ratio above 1 misses the target."""
    lines = [f"{'claim':<58}{'measured':>12}{'target':>12}{'ratio':>8}  note"]
    for row in rows:
        measured = f"{row.measured:.2f} {row.unit}"
        target = f"{row.target:g} {row.unit}" if row.target else "-"
        ratio = f"{row.measured / row.target:.2f}" if row.target else "-"
        lines.append(f"{row.claim:<58}{measured:>12}{target:>12}{ratio:>8}  {row.note}")
    return "\n".join(lines)
