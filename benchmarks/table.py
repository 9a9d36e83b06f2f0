"""A measured figure beside its target, the table they are printed in, and how they are measured."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Row:
    """One figure: what was measured, what it should stay under, and in which unit."""

    claim: str
    measured: float
    target: float | None
    unit: str
    note: str = ""


class Spent(NamedTuple):
    """Seconds of one run, or how many times another's they are."""

    wall: float
    processor: float


def in_turns(runs: Mapping[str, Callable[[], object]], rounds: int, warm_up: int = 1) -> dict[str, list[Spent]]:
    """What each run spent in each round, in changing order; the first rounds warm up and do not count."""
    spent: dict[str, list[Spent]] = {name: [] for name in runs}
    for number in range(rounds + warm_up):
        for name in list(runs) if number % 2 else list(runs)[::-1]:
            began, before = time.perf_counter(), time.process_time()
            runs[name]()
            took = Spent(time.perf_counter() - began, time.process_time() - before)
            spent[name] += [took] if number >= warm_up else []
    return spent


def median_ratio(ours: Sequence[Spent], theirs: Sequence[Spent]) -> Spent:
    """The median of the ratios round by round, so that whatever else the machine does slows both."""
    pairs = zip(ours, theirs, strict=True)
    ratios = [[a / max(b, 1e-9) for a, b in zip(one, other, strict=True)] for one, other in pairs]
    return Spent(*map(median, zip(*ratios, strict=True)))


def median_seconds(run: Callable[[], object], rounds: int) -> float:
    """Of a run alone, after one that warms up."""
    return median(it.wall for it in in_turns({"": run}, rounds)[""])


def bytes_in_proc(path: str, name: str) -> int:
    """The number of one line of a file of /proc, such as VmRSS of self/status."""
    lines = (Path("/proc") / path).read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def p95(claim: str, times: Sequence[float], target: float | None, unit: str, more: str = "") -> Row:
    """The time that 95 of 100 do not exceed, its median beside it."""
    note = f"p95 of {len(times)}, median {median(times):.3g} {unit}"
    return Row(claim, float(np.percentile(times, 95, method="inverted_cdf")), target, unit, note + more)


def not_measured(name: str, unit: str, error: Exception) -> Row:
    """A peer that does not run here, with the reason."""
    reason = str(error).strip().split("\n")[0]
    return Row(name, float("nan"), None, unit, f"not measured: {type(error).__name__}: {reason}")


HEADINGS = f"{'claim':<58}{'measured':>12}{'target':>12}{'ratio':>8}  note"


def line(row: Row) -> str:
    """The row under the headings, with measured / target; a ratio above 1 misses the target."""
    measured = f"{row.measured:.2f} {row.unit}"
    target = f"{row.target:g} {row.unit}" if row.target else "-"
    ratio = f"{row.measured / row.target:.2f}" if row.target else "-"
    return f"{row.claim:<58}{measured:>12}{target:>12}{ratio:>8}  {row.note}"


def table(rows: Sequence[Row]) -> str:
    """The headings and every row."""
    return "\n".join([HEADINGS, *map(line, rows)])
