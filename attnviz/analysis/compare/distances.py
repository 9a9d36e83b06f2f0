"""How far two heads are from each other: Jensen-Shannon divergence of their rows, cosine and correlation of their maps.

The Jensen-Shannon divergence of two rows p and q is H((p + q) / 2) - (H(p) + H(q)) / 2, with H the entropy in bits: 0
for equal rows, 1 bit for rows that share no key (Lin 1991). A head's is the mean over the rows that count.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

BLOCK_NUMBERS = 1 << 17  # of mixtures held at a time: what a core's cache holds
NOTHING = 1e-30  # in place of 0, whose logarithm is none; 0 log 0 is 0


def entropy_bits(weights: Tensor) -> Tensor:
    """-sum(w log2 w) over the last axis."""
    return torch.special.entr(weights).sum(-1) / math.log(2)


def js_rows(p: Tensor, q: Tensor) -> Tensor:
    """The Jensen-Shannon divergence of rows.

    Args:
        p: [..., R, K], rows that sum to 1.
        q: the same.
    Returns:
        bits, [..., R], from 0 to 1.
    """
    p, q = p.double(), q.double()
    return (entropy_bits((p + q) / 2) - (entropy_bits(p) + entropy_bits(q)) / 2).clamp(0, 1)


def counted_rows(weights: Tensor) -> Tensor:
    """The rows that say something: those in which some head looks at two keys or more.

    Args:
        weights: [H, R, K] of all heads that are compared.
    Returns:
        bool [R].
    """
    return (weights > 0).any(0).sum(-1) > 1


def js_sums(p: Tensor, q: Tensor) -> Tensor:
    """The sum over rows of the Jensen-Shannon divergence of every head of one side with every head of the other.

    Args:
        p: float32 [Hp, R, K], rows that sum to 1.
        q: float32 [Hq, R, K].
    Returns:
        bits, float64 [Hp, Hq].
    """
    is_same = p is q  # then the matrix is symmetric, and half of it is enough
    seen = ((p > 0).any(0) | (q > 0).any(0)).flatten()  # [R K]: nobody looks at the rest, so it adds nothing
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
    own_p, own_q = (torch.linalg.vecdot(2 * half, (2 * half).log()).double() for half in (half_p, half_q))  # [H]
    return (((own_p[:, None] + own_q[None, :]) / 2 - mixed) / math.log(2)).clamp_min(0)


def cosines(p: Tensor, q: Tensor) -> Tensor:
    """The cosine of every map of one side with every map of the other: float64 [Hp, Hq].

    Args:
        p: [Hp, cells].
        q: [Hq, cells].
    """
    p, q = p.double(), q.double()
    return (_unit(p) @ _unit(q).mT).clamp(-1, 1)


def correlations(p: Tensor, q: Tensor) -> Tensor:
    """Pearson's correlation of every map with every other: float64 [Hp, Hq]; NaN where a map is the same everywhere."""
    p, q = p.double(), q.double()
    p, q = p - p.mean(-1, keepdim=True), q - q.mean(-1, keepdim=True)
    flat = (p.abs().amax(-1) < 1e-12)[:, None] | (q.abs().amax(-1) < 1e-12)[None, :]
    return (_unit(p) @ _unit(q).mT).clamp(-1, 1).masked_fill(flat, math.nan)


def _unit(maps: Tensor) -> Tensor:
    return maps / maps.norm(dim=-1, keepdim=True).clamp_min(1e-300)
