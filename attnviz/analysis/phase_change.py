"""Finds the phase change of a training: the loss drops while the score of some head rises.

Steps are compared by doublings, log₂(step + 1), as checkpoints are placed: what takes 50 steps early takes 500 later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEAR = 1 / 8  # doublings to either side over which the loss is averaged: about 9 % of the step
STEEP = 1 / 2  # of the steepest fall; less steep stretches are between two drops
LEAST_RISE = 0.3  # of the score, in the span of the drop
LEAST_DROP = 0.1  # of the loss before training; smaller drops are noise

Numbers = Sequence[float] | NDArray[np.floating]


@dataclass(frozen=True)
class PhaseChange:
    """A drop of the loss during which a score rose."""

    first: int  # the checkpoint before the drop
    last: int  # the checkpoint after it
    drop: float  # of the smoothed loss between them
    low: float  # the score at the first
    high: float  # the score at the last


def smoothed(steps: Sequence[int], losses: Numbers) -> NDArray[np.float64]:
    """The mean of the losses logged within an eighth of a doubling of each step: [N], [N] -> float64 [N]."""
    at = _doublings(steps)  # [N]
    sums = np.concatenate([[0.0], np.cumsum(np.asarray(losses, dtype=np.float64))])  # [N + 1]
    low, high = np.searchsorted(at, at - NEAR, "left"), np.searchsorted(at, at + NEAR, "right")  # [N] each
    mean: NDArray[np.float64] = (sums[high] - sums[low]) / np.maximum(1, high - low)  # [N]
    return mean


def phase_change(
    steps: Sequence[int], losses: Numbers, checkpoints: Sequence[int], scores: Numbers
) -> PhaseChange | None:
    """The largest drop of the smoothed loss during which the score rises by at least 0.3; None if there is none.

    A drop is a run of checkpoints between which the loss falls, per doubling of the step, at least half as steeply as
    anywhere, and in all by at least a tenth of the initial loss.

    Args:
        steps, losses: where a loss was logged, ascending, and each, [N].
        checkpoints, scores: where the score was measured, ascending, and each from 0 to 1, [C].
    """
    if len(checkpoints) < 2 or len(steps) < 2:
        return None
    loss = np.interp(_doublings(checkpoints), _doublings(steps), smoothed(steps, losses))  # [C]
    candidates = (
        PhaseChange(checkpoints[a], checkpoints[b], float(loss[a] - loss[b]), float(scores[a]), float(scores[b]))
        for a, b in _drops(-np.diff(loss) / np.diff(_doublings(checkpoints)))
    )
    marked = (c for c in candidates if c.high - c.low >= LEAST_RISE and c.drop >= LEAST_DROP * loss[0])
    return max(marked, key=lambda change: change.drop, default=None)


def _drops(falls: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """The first and last checkpoint of each run of steep falls; `falls` is per doubling, [C - 1]."""
    is_steep = (falls > 0) & (falls >= STEEP * falls.max())
    edges = np.diff(is_steep.astype(int), prepend=0, append=0)  # [C]: 1 where a run begins, -1 where it has ended
    return zip(np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist(), strict=True)


def _doublings(steps: Sequence[int]) -> NDArray[np.float64]:
    at: NDArray[np.float64] = np.log2(np.asarray(steps, dtype=np.float64) + 1)
    return at
