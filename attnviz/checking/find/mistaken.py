"""Our attention with known mistakes built in, each behind one field of `Variant`.

A fault is found by making it here, with the person's own weights, and seeing whether their output comes out. This is
the only file of the project where attention is computed wrongly, and nothing outside this room's checks imports it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.variant import Variant, divisor_of
from attnviz.checking.read.projections import Projections


@dataclass(frozen=True)
class Values:
    """Everything one run of a variant made."""

    raw: Tensor  # [B, H, Tq, Tk]
    scores: Tensor  # [B, H, Tq, Tk]
    masked: Tensor  # [B, H, Tq, Tk]
    weights: Tensor  # [B, H, Tq, Tk]
    out: Tensor  # [B, Tq, D], or the context of a function without projections


def attention(
    inputs: Inputs, projections: Projections | None = None, variant: Variant | None = None, mask: Tensor | None = None
) -> Values:
    """One attention layer, with the mistakes that the variant names.

    Args:
        inputs: query [B, Tq, D], key and value [B, Tk, width]; without projections q [..., Tq, Dh], k, v [..., Tk, Dh].
        projections: the layer's weights; None for a function of q, k and v.
        variant: what is done wrong; nothing when None.
        mask: bool, True = can attend, broadcasts to [B, H, Tq, Tk].
    """
    how = variant or Variant()
    q, k, v = heads_of(inputs, projections, how)  # [B, H, T, Dh] each
    if how.positions is not None:
        turn = how.positions.turned
        q, k, v = (turn(part) if letter in how.turned else part for letter, part in zip("qkv", (q, k, v), strict=True))
    raw = q @ k.mT  # [B, H, Tq, Tk]
    n_heads = projections.n_heads if projections else q.shape[1] if q.ndim == 4 else 1
    if how.split == "unswapped" and projections is None:
        n_heads = q.shape[-2]
    n_heads = 1 if how.heads == "whole" else n_heads
    divisor = divisor_of(how.scale, q.shape[-1], n_heads, raw.shape[-2], v.shape[-1])
    scores = _detached(raw / divisor, how, "scores")  # [B, H, Tq, Tk]
    masked, weights = _weights(raw if how.softmax == "unscaled" else scores, mask, how)  # [B, H, Tq, Tk] each
    weights = weights / divisor if how.softmax == "unscaled" else weights  # [B, H, Tq, Tk]
    weights = _detached(weights, how, "weights")  # [B, H, Tq, Tk]
    v = v.roll(how.shifted, -2) if how.shifted else v  # [B, H, Tk, Dv]
    context = _detached(_mixing(weights, how) @ v, how, "context")  # [B, H, Tq, Dv]
    out = merged_heads(context, projections, how)  # [B, Tq, D]
    if how.sequence == "batch":
        out = out.transpose(0, -2)  # [B, Tq, D]
    if how.out == "residual":
        out = out + (projections.observe(inputs[0]) if projections else inputs[0])  # [B, Tq, D]
    return Values(raw, scores, masked, weights, out)


def _detached(value: Tensor, how: Variant, name: str) -> Tensor:
    return value.detach() if how.detached == name else value


# -- from the inputs to q, k and v of every head ----------------------------------------------------------------


def heads_of(inputs: Inputs, projections: Projections | None, how: Variant) -> Inputs:
    """q, k and v of every head: [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]."""
    read = [_detached(x, how, "input") for x in inputs]
    if how.sequence == "batch":
        read = [x.transpose(0, -2) for x in read]  # [T, B, D] each
    made = _heads_of_function(read, how) if projections is None else _projected(read, projections, how)
    return _detached(made[0], how, "q"), _detached(made[1], how, "k"), _detached(made[2], how, "v")


def _heads_of_function(inputs: list[Tensor], how: Variant) -> list[Tensor]:
    shared = [part.unsqueeze(-3) if part.ndim < inputs[0].ndim else part for part in inputs]  # k, v [B, 1, T, Dh]
    parts = [shared["qkv".index(letter)] for letter in how.projections]  # [..., T, Dh] each
    return [part.transpose(-3, -2) for part in parts] if how.split == "unswapped" else parts  # [B, T, H, Dh]


def _projected(inputs: list[Tensor], projections: Projections, how: Variant) -> list[Tensor]:
    n_heads = 1 if how.heads == "whole" else projections.n_heads
    made = []
    for source, letter in zip(how.reads, how.projections, strict=True):
        projected = _linear(inputs["qkv".index(source)], letter, projections, how, source)  # [B, T, H·Dh]
        made.append(_split(projected, _head_count(projections, letter, n_heads), how))  # [B, H, T, Dh]
    if how.split == "right" and how.heads == "split":
        tiled = {"tiled": "kv", "keys tiled": "k", "values tiled": "v"}.get(how.shared, "")
        pairs = zip("qkv", made, strict=True)
        made = [_repeated(part, n_heads // part.shape[1], letter in tiled) for letter, part in pairs]
    return made


def _linear(x: Tensor, letter: str, projections: Projections, how: Variant, source: str = "") -> Tensor:
    if letter in how.skipped:
        return x
    transposed, biased = letter in how.flipped, letter not in how.unbiased
    return projections.linear(x, letter, transposed=transposed, biased=biased, source=(source, how.sequence))


def _repeated(part: Tensor, times: int, is_tiled: bool) -> Tensor:
    """Keys or values for every head of queries: [B, G, T, Dh] -> [B, H, T, Dh]."""
    if times == 1:
        return part  # [B, H, T, Dh]
    return part.repeat(1, times, 1, 1) if is_tiled else part.repeat_interleave(times, dim=1)


def _head_count(projections: Projections, letter: str, n_heads: int) -> int:
    """How many heads a projection makes: fewer of keys and values where heads of queries share them."""
    q_rows, k_rows, v_rows = (projections.weight[name].shape[0] for name in "qkv")
    if n_heads == 1 or letter == "q" or k_rows >= q_rows:
        return n_heads
    groups = k_rows * n_heads // q_rows
    return groups if v_rows % groups == 0 else n_heads


def _split(x: Tensor, n_heads: int, how: Variant) -> Tensor:
    batch, tokens, width = x.shape
    match how.split:
        case "unswapped":
            return x.reshape(batch, tokens, n_heads, -1)  # [B, T, H, Dh]
        case "viewed":
            return x.reshape(batch, n_heads, tokens, width // n_heads)  # [B, H, T, Dh], tokens and heads mixed
        case "strided":
            return x.reshape(batch, tokens, width // n_heads, n_heads).permute(0, 3, 1, 2)  # [B, H, T, Dh]
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)  # [B, H, T, Dh]


# -- from the scores to the weights -----------------------------------------------------------------------------


def _weights(before: Tensor, mask: Tensor | None, how: Variant) -> tuple[Tensor, Tensor]:
    """The masked scores and the weights: [B, H, Tq, Tk] each."""
    before = before if how.positions is None else how.positions.added(before)  # [B, H, Tq, Tk]
    masked = before if mask is None else _masked(before, mask, how)  # [B, H, Tq, Tk]
    allowed = _causal(before, how)  # [Tq, Tk] or None
    if allowed is not None and how.causal != "after":
        masked = masked.masked_fill(~allowed, 0.0 if how.causal == "zero" else -math.inf)  # [B, H, Tq, Tk]
    lost = _lost_keys(before, how)  # [Tq, Tk] or None
    masked = masked if lost is None else masked.masked_fill(lost, -math.inf)  # [B, H, Tq, Tk]
    if how.keys == "and zeros":
        with_zeros = torch.cat([masked, torch.zeros_like(masked[..., :1])], dim=-1)  # [B, H, Tq, Tk + 1]
        weights = _softmax(with_zeros, with_zeros, how)[..., :-1]  # [B, H, Tq, Tk]
    else:
        weights = _softmax(masked, before, how)  # [B, H, Tq, Tk]
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


def _lost_keys(scores: Tensor, how: Variant) -> Tensor | None:
    """The keys that a variant leaves out: [Tq, Tk] bool, True = left out."""
    n_queries, n_keys = scores.shape[-2:]
    keys, queries = torch.arange(n_keys, device=scores.device), torch.arange(n_queries, device=scores.device)
    match how.keys:
        case "but the first":
            return (keys == 0).expand(n_queries, n_keys)  # [Tq, Tk]
        case "but the last":
            return (keys == n_keys - 1).expand(n_queries, n_keys)  # [Tq, Tk]
        case "but itself":
            return keys == queries[:, None]  # [Tq, Tk]
    return None


def _masked(scores: Tensor, mask: Tensor, how: Variant) -> Tensor:
    match how.mask:
        case "ignored" | "after":
            return scores
        case "zero":
            return scores.masked_fill(~mask, 0.0)  # [B, H, Tq, Tk]
        case "number":
            return scores + mask.to(scores.dtype)  # [B, H, Tq, Tk]
    allowed = {"inverted": ~mask, "transposed": mask.mT}.get(how.mask, mask)  # broadcasts to [B, H, Tq, Tk]
    return scores.masked_fill(~allowed, -math.inf)  # [B, H, Tq, Tk]


def _softmax(masked: Tensor, scores: Tensor, how: Variant) -> Tensor:
    match how.softmax:
        case "none":
            return masked
        case "all":
            return torch.softmax(masked.flatten(-2), dim=-1).view_as(masked)  # [B, H, Tq, Tk]
        case "sigmoid":
            return torch.sigmoid(masked)  # [B, H, Tq, Tk]
    axis = {"query": -2, "head": 1 if masked.ndim == 4 else 0, "batch": 0}.get(how.softmax, -1)
    if axis != -1 or how.blocked == "nan" or masked is scores:  # nothing is masked there
        weights = torch.softmax(masked, dim=axis)  # [B, H, Tq, Tk]
    else:
        blocked = (masked == -math.inf).all(-1, keepdim=True)  # [B, H, Tq, 1], queries without a key
        instead = scores if how.blocked == "open" else torch.zeros_like(scores)  # [B, H, Tq, Tk]
        weights = torch.softmax(torch.where(blocked, instead, masked), dim=-1)  # [B, H, Tq, Tk]
        weights = weights.masked_fill(blocked, 0.0) if how.blocked == "zeros" else weights  # [B, H, Tq, Tk]
    if how.softmax == "log":
        return torch.log(weights)  # [B, H, Tq, Tk]
    return torch.softmax(weights, dim=-1) if how.softmax == "twice" else weights  # [B, H, Tq, Tk]


# -- from the weights to the output -----------------------------------------------------------------------------


def _mixing(weights: Tensor, how: Variant) -> Tensor:
    """By what the values are multiplied: [B, H, Tq, Tk]."""
    match how.mixing:
        case "transposed":
            return weights.mT
        case "sum" | "mean":
            return torch.ones_like(weights) / (1 if how.mixing == "sum" else weights.shape[-1])
    return weights


def merged_heads(context: Tensor, projections: Projections | None, how: Variant) -> Tensor:
    """The output [B, Tq, D] of what the heads found [B, H, Tq, Dv]."""
    if projections is None:
        return context.transpose(-3, -2) if how.split == "unswapped" else context  # [..., Tq, Dv]
    is_unswapped = how.split == "unswapped"  # then context is [B, Tq, H, Dv]
    if how.merge == "viewed":
        swapped = context.transpose(1, 2) if is_unswapped else context  # [B, H, Tq, Dv]
        merged = swapped.reshape(len(swapped), context.shape[1 if is_unswapped else 2], -1)  # tokens and heads mixed
    elif is_unswapped:
        merged = context.flatten(-2)  # [B, Tq, H·Dv]
    elif how.merge == "strided":
        merged = context.permute(0, 2, 3, 1).flatten(-2)  # [B, Tq, Dv·H]
    else:
        merged = context.transpose(1, 2).flatten(-2)  # [B, Tq, H·Dv]
    if "o" not in projections.weight or how.out == "missing":
        return projections.observe(merged)  # [B, Tq, H·Dv]
    return _linear(merged, "o", projections, how)  # [B, Tq, D]
