"""Which head of one model goes with which of the other, by their distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Distances = NDArray[np.float64]


def nearest(distances: Distances) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nearest of the other side for each head; the first among equals.

    Args:
        distances: [Ha, Hb], none of them NaN.
    Returns:
        for each head of A a head of B, [Ha], and for each of B one of A, [Hb].
    """
    return distances.argmin(1).astype(np.int64), distances.argmin(0).astype(np.int64)


def one_to_one(distances: Distances) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairing in which no head stands twice and the sum of distances is least.

    Returns:
        heads of A and the heads of B they are paired with, [min(Ha, Hb)] each, in A's order.
    Source: the Hungarian method (Kuhn 1955), by scipy.
    """
    from scipy.optimize import linear_sum_assignment  # a fifth of a second, for those who pair heads

    of_a, of_b = linear_sum_assignment(distances)
    return of_a.astype(np.int64), of_b.astype(np.int64)
