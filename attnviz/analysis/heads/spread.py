"""How spread out a row's weights are. Each function gives one number a row and NaN where a row does not count."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import Rows

NAN = float("nan")


def entropy(weights: Tensor, rows: Rows) -> Tensor:
    """−Σ w log₂ w over a row that is first made to sum to 1.

    Args:
        weights: [..., R, Tk]. rows: R rows; one that may look at fewer than two tokens does not count.
    Returns:
        [..., R] in bits: 0 is one token, log₂ of the number of visible tokens is all of them alike.
    Source: Shannon 1948; of attention heads: Clark et al. 2019, section 3.2 (theirs is in nats).
    """
    even = weights / weights.sum(-1, keepdim=True).clamp_min(1e-12)  # [..., R, Tk]
    bits = -torch.special.xlogy(even, even).sum(-1) / torch.log(torch.tensor(2.0))  # [..., R]
    return torch.where(rows.n_visible >= 2, bits.clamp_min(0.0), NAN)


def evenness(weights: Tensor, rows: Rows) -> Tensor:
    """Entropy as a share of what all visible tokens alike would give: entropy / log₂(visible).

    Args:
        weights: [..., R, Tk]. rows: R rows; one that may look at fewer than two tokens does not count.
    Returns:
        [..., R] from 0, one token, to 1, all visible tokens alike; texts of different length can be compared.
    Source: Pielou 1966.
    """
    most = torch.log2(rows.n_visible.clamp_min(2).float())  # [1 | H, R]
    return (entropy(weights, rows) / most).clamp_max(1.0)


def sparsity(weights: Tensor, rows: Rows) -> Tensor:
    """(√n − ‖w‖₁ / ‖w‖₂) / (√n − 1), with n the number of visible tokens.

    Args:
        weights: [..., R, Tk]. rows: R rows; one that may look at fewer than two tokens does not count.
    Returns:
        [..., R] from 0, all visible tokens alike, to 1, one token.
    Source: Hoyer 2004, section 3.1.
    """
    root = rows.n_visible.clamp_min(2).float().sqrt()  # [1 | H, R]
    length = weights.norm(dim=-1).clamp_min(1e-12)  # [..., R]
    value = (root - weights.sum(-1) / length) / (root - 1)  # [..., R]
    return torch.where(rows.n_visible >= 2, value.clamp(0.0, 1.0), NAN)
