"""Brings the axes of another model's attention into our order: batch, head, token, feature."""

import torch
from torch import Tensor


def heads_apart(value: Tensor, n_texts: int) -> Tensor:
    """Batch and heads as two axes: [B·H, T, d_k], [B, H, T, d_k] or [B, groups, H/groups, T, d_k] -> [B, H, T, d_k]."""
    if value.ndim == 3:
        return value.unflatten(0, (n_texts, -1))  # [B, H, T, d_model]
    return value if value.ndim == 4 else value.flatten(1, -3)  # [B, H, T, d_model]


def query_and_key(
    factors: tuple[Tensor, Tensor] | None, scores: torch.Size, n_texts: int
) -> tuple[Tensor, Tensor] | None:
    """The queries and keys of a product.

    Args:
        factors: [..., T_q, d_k] and [..., d_k, T_k]. scores: the shape [B, H, T_q, T_k] of what was made of them.
    Returns:
        q [B, H, T_q, d_k] and k [B, Hkv, T_k, d_k], views of what was given, or None where these are not the axes of an
        attention.
    """
    if factors is None:
        return None
    left, right = factors
    if left.ndim != right.ndim or left.ndim not in (3, 4, 5) or left.shape[-1] != right.shape[-2]:
        return None
    firsts = left.shape[0], right.shape[0]  # texts, or texts and heads in one axis
    if any(first % n_texts if left.ndim == 3 else first != n_texts for first in firsts):
        return None
    q, k = heads_apart(left, n_texts), heads_apart(right.mT, n_texts)  # [B, H, T_q, d_k], [B, Hkv, T_k, d_k]
    fits = q.shape[:3] == scores[:3] and (k.shape[0], k.shape[2]) == (scores[0], scores[3])
    return (q, k) if fits and q.shape[1] % k.shape[1] == 0 else None


def value_and_context(
    weights: Tensor, values: Tensor, result: Tensor, equation: tuple[str, bool] | None, n_texts: int
) -> tuple[Tensor, Tensor] | None:
    """The values and the context of a product weights · V.

    Args:
        weights: [..., T_q, T_k]. values: [..., T_k, d_v]. result: [..., T_q, d_v]; in any order with an equation.
        equation: einsum's own, and whether the weights stand first in it.
        n_texts: how many texts the batch holds.
    Returns:
        v [B, H, T_k, d_v] and context [B, H, T_q, d_v], views of what was given, or None where these are not the axes
        of an attention.
    """
    if equation is not None:
        ordered = einsum_parts(weights, values, result, *equation)
        if ordered is None:
            return None
        weights, values, result = ordered
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


def einsum_parts(
    weights: Tensor, values: Tensor, result: Tensor, equation: str, weights_first: bool
) -> tuple[Tensor, Tensor, Tensor] | None:
    """The three tensors of an einsum, their last axes as [query, key], [key, feature] and [query, feature]."""
    inputs, _, out = equation.replace(" ", "").partition("->")
    first, _, second = inputs.partition(",")
    w, v = (first, second) if weights_first else (second, first)
    shared = [letter for letter in w if letter in v and letter in out]  # batch and head
    queries = [letter for letter in w if letter in out and letter not in v]
    keys = [letter for letter in w if letter in v and letter not in out]
    features = [letter for letter in v if letter in out and letter not in w]
    if [len(queries), len(keys), len(features)] != [1, 1, 1] or len(shared) not in (1, 2, 3):
        return None

    def ordered(tensor: Tensor, letters: str, wanted: list[str]) -> Tensor:
        return torch.permute(tensor, [letters.index(letter) for letter in wanted])

    return (
        ordered(weights, w, shared + queries + keys),
        ordered(values, v, shared + keys + features),
        ordered(result, out, shared + queries + features),
    )
