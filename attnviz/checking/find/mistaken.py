"""Our attention with known mistakes built in, each behind one field of `Variant`.

A fault is found by making it here, with the person's own weights, and seeing whether their output comes out. This and
heads.py are the only places of the project where attention is computed wrongly, and nothing outside this room imports
them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.checking.find.heads import cut, heads_of, merged_heads
from attnviz.checking.find.variant import Variant, divisor_of
from attnviz.checking.read.projections import Numbers
from attnviz.core import ops


@dataclass(frozen=True)
class Values:
    """Everything one run of a variant made."""

    raw: Tensor  # [B, H, Tq, Tk]
    scores: Tensor  # [B, H, Tq, Tk]
    masked: Tensor  # [B, H, Tq, Tk]
    weights: Tensor  # [B, H, Tq, Tk]
    out: Tensor  # [B, Tq, D], or the context of a plain function


def attention(
    inputs: tuple[Tensor, Tensor, Tensor],
    numbers: Numbers | None = None,
    variant: Variant | None = None,
    mask: Tensor | None = None,
) -> Values:
    """One attention layer, with the mistakes that the variant names.

    Args:
        inputs: query [B, Tq, D], key and value [B, Tk, width]; without numbers q [..., Tq, Dh], k, v [..., Tk, Dh].
        numbers: the layer's weights; None for a function of q, k and v.
        variant: what is done wrong; nothing when None.
        mask: bool, True = may look, broadcasts to [B, H, Tq, Tk].
    """
    how = variant or Variant()
    query, key, value = (cut(x, how, "input") for x in inputs)
    if how.sequence == "batch":
        query, key, value = (x.transpose(0, -2) for x in (query, key, value))  # [T, B, D]
    q, k, v = heads_of((query, key, value), numbers, how)  # [B, H, T, Dh] each
    if how.positions is not None:
        turn = how.positions.turned
        q, k, v = (turn(x) if letter in how.turned else x for letter, x in zip("qkv", (q, k, v), strict=True))
    raw = ops.raw_scores(q, k)  # [B, H, Tq, Tk]
    n_heads = numbers.n_heads if numbers else q.shape[1] if q.ndim == 4 else 1
    if how.split == "unswapped" and numbers is None:
        n_heads = q.shape[-2]
    n_heads = 1 if how.heads == "whole" else n_heads
    divisor = divisor_of(how.scale, q.shape[-1], n_heads, raw.shape[-2], v.shape[-1])
    scores = cut(ops.scale_scores(raw, 1 / divisor), how, "scores")  # [B, H, Tq, Tk]
    masked, weights = _weights(scores, raw, mask, how, 1 / divisor)  # [B, H, Tq, Tk] each
    weights = cut(weights, how, "weights")  # [B, H, Tq, Tk]
    v = v.roll(how.shifted, -2) if how.shifted else v  # [B, H, Tk, Dv]
    mixing = _mixing(weights, how)  # [B, H, Tq, Tk]
    context = cut(ops.weigh_values(mixing, v), how, "context")  # [B, H, Tq, Dv]
    out = merged_heads(context, numbers, how)  # [B, Tq, D]
    if how.sequence == "batch":
        out = out.transpose(0, -2)  # [B, Tq, D]
    if how.out == "residual":
        out = out + (numbers.seen(inputs[0]) if numbers else inputs[0])  # [B, Tq, D]
    return Values(raw, scores, masked, weights, out)


def _mixing(weights: Tensor, how: Variant) -> Tensor:
    """By what the values are multiplied: [B, H, Tq, Tk]."""
    match how.mixing:
        case "transposed":
            return weights.mT
        case "sum" | "mean":
            return torch.ones_like(weights) / (1 if how.mixing == "sum" else weights.shape[-1])
    return weights


def _weights(
    scores: Tensor, raw: Tensor, mask: Tensor | None, how: Variant, scale: float
) -> tuple[Tensor, Tensor]:  # fmt: skip
    allowed = _causal(scores, how)  # [Tq, Tk] or None
    before = raw if how.softmax == "unscaled" else scores  # [B, H, Tq, Tk]
    before = before if how.positions is None else how.positions.added(before)  # [B, H, Tq, Tk]
    masked = before if mask is None else _masked(before, mask, how)  # [B, H, Tq, Tk]
    if allowed is not None and how.causal != "after":
        masked = masked.masked_fill(~allowed, 0.0 if how.causal == "zero" else ops.NEVER)  # [B, H, Tq, Tk]
    hidden = _unseen(scores, how)  # [Tq, Tk] or None
    masked = masked if hidden is None else masked.masked_fill(hidden, ops.NEVER)  # [B, H, Tq, Tk]
    if how.keys == "and zeros":
        with_zeros = torch.cat([masked, torch.zeros_like(masked[..., :1])], dim=-1)  # [B, H, Tq, Tk + 1]
        weights = _softmax(with_zeros, with_zeros, how)[..., :-1]  # [B, H, Tq, Tk]
    else:
        weights = _softmax(masked, before, how)  # [B, H, Tq, Tk]
    if how.softmax == "unscaled":
        weights = weights * scale  # [B, H, Tq, Tk]
    if allowed is not None and how.causal == "after":
        weights = weights * allowed  # [B, H, Tq, Tk]
    if mask is not None and how.mask == "after":
        weights = weights * mask  # [B, H, Tq, Tk]
    return masked, weights


def _causal(scores: Tensor, how: Variant) -> Tensor | None:
    if how.causal == "no":
        return None
    everywhere = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device)  # [Tq, Tk]
    if how.causal in ("reversed", "ahead"):
        return everywhere.triu(0 if how.causal == "reversed" else 1)  # [Tq, Tk]
    return everywhere.tril({"strict": -1, "peek": 1}.get(how.causal, 0))  # [Tq, Tk]


def _unseen(scores: Tensor, how: Variant) -> Tensor | None:
    """Where a variant looks at all keys but some: [Tq, Tk] bool, True = not looked at."""
    n_queries, n_keys = scores.shape[-2:]
    places = torch.arange(n_keys, device=scores.device)  # [Tk]
    match how.keys:
        case "but the first":
            return (places == 0).expand(n_queries, n_keys)  # [Tq, Tk]
        case "but the last":
            return (places == n_keys - 1).expand(n_queries, n_keys)  # [Tq, Tk]
        case "but itself":
            return places == torch.arange(n_queries, device=scores.device)[:, None]  # [Tq, Tk]
    return None


def _masked(scores: Tensor, mask: Tensor, how: Variant) -> Tensor:
    if how.mask in ("ignored", "after"):
        return scores
    if how.mask == "zero":
        return scores.masked_fill(~mask, 0.0)  # [B, H, Tq, Tk]
    if how.mask == "number":
        return scores + mask.to(scores.dtype)  # [B, H, Tq, Tk]
    seen = {"inverted": ~mask, "transposed": mask.mT}.get(how.mask, mask)  # [Tq, Tk]
    return ops.add_mask(scores, seen)  # [B, H, Tq, Tk]


def _softmax(masked: Tensor, scores: Tensor, how: Variant) -> Tensor:
    if how.softmax == "none":
        return masked
    if how.softmax == "all":
        return torch.softmax(masked.flatten(-2), dim=-1).view_as(masked)  # [B, H, Tq, Tk]
    if how.softmax == "sigmoid":
        return torch.sigmoid(masked)  # [B, H, Tq, Tk]
    axis = {"query": -2, "head": 1 if masked.ndim == 4 else 0, "batch": 0}.get(how.softmax, -1)
    if axis != -1 or how.blocked == "nan" or masked is scores:  # nothing is masked there
        weights = torch.softmax(masked, dim=axis)  # [B, H, Tq, Tk]
    elif how.blocked == "zeros":
        weights = ops.softmax_rows(masked, blocked=_nothing(masked))  # [B, H, Tq, Tk]
    else:
        nothing = _nothing(masked)  # [B, H, Tq, 1]
        instead = torch.zeros_like(scores) if how.blocked == "uniform" else scores  # [B, H, Tq, Tk]
        weights = torch.softmax(torch.where(nothing, instead, masked), dim=-1)  # [B, H, Tq, Tk]
    if how.softmax == "log":
        return torch.log(weights)  # [B, H, Tq, Tk]
    return torch.softmax(weights, dim=-1) if how.softmax == "twice" else weights  # [B, H, Tq, Tk]


def _nothing(masked: Tensor) -> Tensor:
    """The queries that may look at no key: [B, H, Tq, 1], True = none."""
    return (masked == ops.NEVER).all(-1, keepdim=True)  # [B, H, Tq, 1]
