"""Distances between heads: Jensen-Shannon divergence of rows, cosine and correlation of maps; a matching and a map.

The Jensen-Shannon divergence of two rows p and q is H((p + q) / 2) - (H(p) + H(q)) / 2, with H the entropy in bits: 0
for equal rows, 1 bit for rows that share no key (Lin 1991). For two heads it is the mean over the rows that count.

A map is metric multidimensional scaling of the square root of that mean, which is a metric (Endres and Schindelin
2003), by stress majorization (SMACOF, de Leeuw 1977) from classical scaling; deterministic.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

BLOCK_NUMBERS = 1 << 17  # of mixtures at a time: they fit into the cache of a core
NOTHING = 1e-30  # in place of 0, whose logarithm is -inf, so that 0 log 0 is 0


def entropy_bits(weights: Tensor) -> Tensor:
    """-sum(w log2 w) over the last axis."""
    return torch.special.entr(weights).sum(-1) / math.log(2)


def js_rows(p: Tensor, q: Tensor) -> Tensor:
    """The Jensen-Shannon divergence of rows that sum to 1, in bits: [..., R, K] each -> [..., R] from 0 to 1."""
    p, q = p.double(), q.double()
    return (entropy_bits((p + q) / 2) - (entropy_bits(p) + entropy_bits(q)) / 2).clamp(0, 1)


def rows_with_choice(weights: Tensor) -> Tensor:
    """The rows in which some head has weight on two keys or more: [H, R, K] of all heads compared -> bool [R]."""
    return (weights > 0).any(0).sum(-1) > 1


def js_sums(p: Tensor, q: Tensor) -> Tensor:
    """The sum over rows of the divergence of every two heads, in bits: [Hp, R, K], [Hq, R, K] -> float64 [Hp, Hq]."""
    is_same = p is q  # then the matrix is symmetric, and half of it is computed
    seen = ((p > 0).any(0) | (q > 0).any(0)).flatten()  # [R K]: other cells add nothing
    half_p, half_q = p.flatten(1)[:, seen] / 2 + NOTHING, q.flatten(1)[:, seen] / 2 + NOTHING  # [H, cells]
    mixed = torch.zeros(len(half_p), len(half_q), dtype=torch.float64)  # [Hp, Hq], nats, negative
    step = max(1, BLOCK_NUMBERS // max(1, half_p.shape[1]))
    for start in range(0, len(half_q), step):
        block = half_q[start : start + step]  # [≤step, cells]
        mixture, logarithm = torch.empty_like(block), torch.empty_like(block)
        for head, row in enumerate(half_p[: start + step] if is_same else half_p):
            torch.add(block, row, out=mixture)
            torch.log(mixture, out=logarithm)
            mixed[head, start : start + step] = torch.linalg.vecdot(mixture, logarithm)
    if is_same:
        mixed = mixed.triu() + mixed.triu(1).mT
    p_log_p, q_log_q = (torch.linalg.vecdot(2 * half, (2 * half).log()).double() for half in (half_p, half_q))  # [H]
    return (((p_log_p[:, None] + q_log_q[None, :]) / 2 - mixed) / math.log(2)).clamp_min(0)


def cosines(p: Tensor, q: Tensor) -> Tensor:
    """The cosine of every map of one side with every map of the other: [Hp, cells], [Hq, cells] -> float64 [Hp, Hq]."""
    return (_unit(p) @ _unit(q).mT).clamp(-1, 1)


def correlations(p: Tensor, q: Tensor) -> Tensor:
    """Pearson's correlation of every map with every other: float64 [Hp, Hq]; NaN where a map is constant."""
    p, q = p.double(), q.double()
    p, q = p - p.mean(-1, keepdim=True), q - q.mean(-1, keepdim=True)
    flat = (p.abs().amax(-1) < 1e-12)[:, None] | (q.abs().amax(-1) < 1e-12)[None, :]
    return (_unit(p) @ _unit(q).mT).clamp(-1, 1).masked_fill(flat, math.nan)


def _unit(maps: Tensor) -> Tensor:
    return functional.normalize(maps.double(), dim=-1, eps=1e-300)


def one_to_one(distances: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairing with the smallest sum of distances in which no head occurs twice, in A's order: [min(Ha, Hb)] each.

    Source: the Hungarian method (Kuhn 1955), by scipy.
    """
    from scipy.optimize import linear_sum_assignment  # takes a fifth of a second to import

    of_a, of_b = linear_sum_assignment(distances)
    return of_a.astype(np.int64), of_b.astype(np.int64)


@dataclass(frozen=True, eq=False)
class HeadMap:
    points: NDArray[np.float64]  # [N, 2], around 0; distances mean something, directions do not
    stress: float  # Kruskal's stress-1: 0 is a perfect map, above 0.2 a poor one


def head_map(js: NDArray[np.float64]) -> HeadMap:
    """Place heads on a plane by their divergences, [N, N] in bits, symmetric, 0 on the diagonal; N at least 2.

    The stress is sqrt(sum (d - δ)² / sum d²), d the distances on the map and δ those of the heads (Kruskal 1964).
    """
    from scipy.spatial.distance import pdist, squareform
    from sklearn.manifold import ClassicalMDS, smacof  # takes half a second to import

    wanted = np.sqrt(np.maximum((js + js.T) / 2, 0))  # [N, N]
    start = _to_larger_side(ClassicalMDS(2, metric="precomputed").fit_transform(wanted))  # [N, 2]
    points, _ = smacof(wanted, init=start, n_init=1, normalized_stress=False)
    distances = pdist(points)  # [N (N - 1) / 2]
    total = np.linalg.norm(distances)
    stress = np.linalg.norm(distances - squareform(wanted, checks=False)) / total if total else 0.0
    return HeadMap(points - points.mean(0), float(stress))


def _to_larger_side(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Flip each axis so that its farthest point is on the positive side, as the sign of an axis is arbitrary."""
    farthest = points[np.abs(points).argmax(0), range(points.shape[1])]  # [2]
    return points * np.where(farthest < 0, -1.0, 1.0)
