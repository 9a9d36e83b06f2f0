"""Brings the axes of another model's attention into our order: batch, head, token, feature."""

import torch
from torch import Tensor


def heads_apart(value: Tensor, n_texts: int) -> Tensor:
    """Batch and heads as two axes: [B·H, T, d_k], [B, H, T, d_k] or [B, groups, H/groups, T, d_k] -> [B, H, T, d_k]."""
    if value.ndim == 3:
        return value.unflatten(0, (n_texts, -1))  # [B, H, T, d_model]
    return value if value.ndim == 4 else value.flatten(1, -3)  # [B, H, T, d_model]


def query_and_key(
    factors: tuple[Tensor, Tensor], scores: torch.Size, n_texts: int
) -> tuple[Tensor, Tensor] | None:  # fmt: skip
    """The queries and keys of a product.

    Args:
        factors: [..., T_q, d_k] and [..., d_k, T_k]. scores: the shape [B, H, T_q, T_k] of what was made of them.
    Returns:
        q [B, H, T_q, d_k] and k [B, Hkv, T_k, d_k], views of what was given, or None where these are not the axes of an
        attention.
    """
    left, right = factors
    if left.ndim != right.ndim or left.ndim not in (3, 4, 5) or left.shape[-1] != right.shape[-2]:
        return None
    firsts = left.shape[0], right.shape[0]  # texts, or texts and heads in one axis
    if any(first % n_texts if left.ndim == 3 else first != n_texts for first in firsts):
        return None
    q, k = heads_apart(left, n_texts), heads_apart(right.mT, n_texts)  # [B, H, T_q, d_k], [B, Hkv, T_k, d_k]
    fits = q.shape[:3] == scores[:3] and (k.shape[0], k.shape[2]) == (scores[0], scores[3])
    return (q, k) if fits and q.shape[1] % k.shape[1] == 0 else None


def value_and_context(weights: Tensor, values: Tensor, result: Tensor, n_texts: int) -> tuple[Tensor, Tensor] | None:
    """The values and the context of a product weights · V.

    Args:
        weights: [..., T_q, T_k]. values: [..., T_k, d_v]. result: [..., T_q, d_v].
        n_texts: how many texts the batch holds.
    Returns:
        v [B, H, T_k, d_v] and context [B, H, T_q, d_v], views of what was given, or None where these are not the axes
        of an attention.
    """
    leading = weights.shape[:-2]
    fits = values.ndim == weights.ndim == result.ndim and values.shape[-2] == weights.shape[-1]
    has_texts = leading[0] == n_texts if weights.ndim > 3 else leading[0] % n_texts == 0
    if not fits or not has_texts or weights.ndim not in (3, 4, 5):
        return None
    try:
        values = values.detach().expand(*leading, *values.shape[-2:])  # [..., T_k, d_v]
    except RuntimeError:
        return None
    return heads_apart(values, n_texts), heads_apart(result.detach(), n_texts)  # [B, H, T, d_v] each
