"""Weights times the length of what is moved: a large weight on a short vector moves little."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import FIRST, Rows
from attnviz.trace.records import AttentionRecord

NAN = float("nan")


def moved_norms(record: AttentionRecord) -> Tensor | None:
    """‖v_j W_O^h‖, how long the vector is that each key would add with a weight of 1.

    Returns:
        [H, Tk] in units of the residual stream; None where the trace does not hold W_O.
    Source: Kobayashi et al. 2020, equation 4 (their f(x) = (x W_V + b_V) W_O of one head).
    """
    if record.w_o is None:
        return None
    values = record.source.values(slice(0, record.n_heads))  # [H, Tk, Dv]
    w_o = record.w_o.float().unflatten(-1, (record.n_heads, -1)).permute(1, 2, 0)  # [H, Dv, D]
    return torch.stack([(own @ out).norm(dim=-1) for own, out in zip(values, w_o, strict=True)]).cpu()  # [H, Tk]


def value_norm(weights: Tensor, rows: Rows, norms: Tensor) -> Tensor:
    """Σ_j w[i, j] ‖v_j W_O‖: the length of all that a row moves, before it is added up as vectors.

    Args:
        weights: [..., R, Tk]. norms: [..., Tk], from `moved_norms`. rows: one that sees nothing does not count.
    Returns:
        [..., R], 0 or more, in units of the residual stream; compare heads of one model only.
    Source: Kobayashi et al. 2020, section 3.
    """
    moved = torch.einsum("...rk,...k->...r", weights, norms)  # [..., R]
    return torch.where(rows.n_visible >= 1, moved, NAN)


def first_by_norm(weights: Tensor, rows: Rows, norms: Tensor) -> Tensor:
    """w[i, 0] ‖v_0 W_O‖ / Σ_j w[i, j] ‖v_j W_O‖: the first token's share of what is moved.

    Args:
        weights: [..., R, Tk]. norms: [..., Tk]. rows: one that sees the first token alone, or not, does not count.
    Returns:
        [..., R] from 0 to 1; far below `first` where the sink takes weight and moves little.
    Source: Kobayashi et al. 2020, section 4.1 (of [CLS], [SEP] and punctuation).
    """
    moved = torch.einsum("...rk,...k->...r", weights, norms)  # [..., R]
    share = weights[..., FIRST] * norms[..., None, FIRST] / moved.clamp_min(1e-12)  # [..., R]
    counts = rows.visible[..., FIRST] & (rows.n_visible >= 2)  # [1 | H, R]
    return torch.where(counts, share.clamp(0.0, 1.0), NAN)
