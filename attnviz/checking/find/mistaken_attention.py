"""Our attention with known mistakes built in, each behind one field of `Variant`.

A fault is found by making it here, with the person's own weights, and seeing whether their output comes out. This is
the only file of the project where attention is computed wrongly, and nothing outside this room's checks imports it.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.positional_schemes import Positions
from attnviz.checking.read.layouts import Projections


@dataclass(frozen=True)
class Variant:
    """One way to compute attention; every default is the paper's."""

    reads: str = "qkv"  # of which input q, k and v are made: "qqv" makes the keys of the query's text
    sequence: str = "token"  # or "batch": texts attend to texts
    projections: str = "qkv"  # which matrix makes q, which k, which v
    flipped: str = ""  # letters of the matrices that are used untransposed
    unbiased: str = ""  # letters of the projections whose bias is left out
    skipped: str = ""  # letters of the projections that are left out: x itself is taken
    heads: str = "split"  # or "whole": one head over all features
    split: str = "right"  # or "unswapped" [B, T, H, d_k], "viewed" across tokens, "strided" every H-th feature
    shared: str = "right"  # or "tiled", "keys tiled", "values tiled": heads that share them are not neighbours
    scale: str = "head"  # a name of `divisor_of`, or a number as text
    causal: str = "no"  # or "right", "strict" (not itself), "peek" (one ahead), "reversed" (itself and ahead), "ahead",
    # "after" (after the softmax), "zero" (scores of 0)
    mask: str = "right"  # or "ignored", "inverted", "transposed", "zero", "number", "after"
    blocked: str = "zeros"  # a row without keys; or "nan", "uniform", "open"
    keys: str = "all"  # or "but the first", "but the last"
    softmax: str = "key"  # or "query", "head", "batch", "none", "twice", "unscaled", "sigmoid"
    mixing: str = "right"  # or "transposed": weightsᵀ V
    merge: str = "right"  # or "viewed" without the transpose, "strided" heads innermost
    out: str = "right"  # or "missing" W_O, "residual" x added
    positions: Positions | None = None  # no mistake: what the layer adds on purpose
    turned: str = "qk"  # what rotary positions turn
    detached: str = ""  # the value whose gradient is cut: input, q, k, v, weights, context


def divisor_of(scale: str, head_width: int, n_heads: int, n_queries: int, value_width: int) -> float:
    """What QKᵀ is divided by: right under "head", and by mistake under the other names."""
    d_model = head_width * n_heads
    named = {
        "head": head_width**0.5, "none": 1.0, "model": d_model**0.5, "twice": float(head_width),
        "precedence": 2.0 * head_width, "half": head_width / 2, "multiplied": head_width**-0.5,
        "d_model": float(d_model), "tokens": n_queries**0.5, "heads": n_heads**0.5, "values": value_width**0.5,
    }  # fmt: skip
    return named[scale] if scale in named else float(scale)


@dataclass(frozen=True)
class Values:
    """Everything one run of a variant made."""

    raw: Tensor  # [B, H, T_q, T_k]
    scores: Tensor  # [B, H, T_q, T_k]
    masked: Tensor  # [B, H, T_q, T_k]
    weights: Tensor  # [B, H, T_q, T_k]
    out: Tensor  # [B, T_q, d_model], or the context of a function without projections


def attention(
    inputs: Inputs, projections: Projections | None = None, variant: Variant | None = None, mask: Tensor | None = None
) -> Values:
    """One attention layer, with the mistakes that the variant names; without projections a function of q, k and v.

    inputs: query [B, T_q, d_model], key and value [B, T_k, width]; or q [..., T_q, d_k], k and v [..., T_k, d_k].
    mask: bool, True = can attend, broadcasts to [B, H, T_q, T_k].
    """
    how = variant or Variant()
    q, k, v = heads_of(inputs, projections, how)  # [B, H, T, d_k] each
    if how.positions is not None:
        turn = how.positions.turned
        q, k, v = (turn(part) if letter in how.turned else part for letter, part in zip("qkv", (q, k, v), strict=True))
    raw = q @ k.mT  # [B, H, T_q, T_k]
    n_heads = projections.n_heads if projections else q.shape[1] if q.ndim == 4 else 1
    if how.split == "unswapped" and projections is None:
        n_heads = q.shape[-2]
    n_heads = 1 if how.heads == "whole" else n_heads
    divisor = divisor_of(how.scale, q.shape[-1], n_heads, raw.shape[-2], v.shape[-1])
    scores = raw / divisor  # [B, H, T_q, T_k]
    masked, weights = _weights(raw if how.softmax == "unscaled" else scores, mask, how)  # [B, H, T_q, T_k] each
    weights = weights / divisor if how.softmax == "unscaled" else weights  # [B, H, T_q, T_k]
    weights = _detached(weights, how, "weights")  # [B, H, T_q, T_k]
    mixing = weights.mT if how.mixing == "transposed" else weights  # [B, H, T_q, T_k]
    context = _detached(mixing @ v, how, "context")  # [B, H, T_q, d_v]
    out = _merged_heads(context, projections, how)  # [B, T_q, d_model]
    if how.sequence == "batch":
        out = out.transpose(0, -2)  # [B, T_q, d_model]
    if how.out == "residual":
        out = out + inputs[0]  # [B, T_q, d_model]
    return Values(raw, scores, masked, weights, out)


def _detached(value: Tensor, how: Variant, name: str) -> Tensor:
    return value.detach() if how.detached == name else value


def heads_of(inputs: Inputs, projections: Projections | None, how: Variant) -> Inputs:
    """q, k and v of every head: [B, H, T_q, d_k], [B, H, T_k, d_k], [B, H, T_k, d_v]."""
    read = [_detached(x, how, "input") for x in inputs]
    if how.sequence == "batch":
        read = [x.transpose(0, -2) for x in read]  # [T, B, d_model] each
    if projections is None:
        parts = [read["qkv".index(letter)] for letter in how.projections]  # [..., T, d_k] each
        made = [part.transpose(-3, -2) for part in parts] if how.split == "unswapped" else parts  # [B, T, H, d_k]
    else:
        made = _projected(read, projections, how)
    return _detached(made[0], how, "q"), _detached(made[1], how, "k"), _detached(made[2], how, "v")


def _projected(inputs: list[Tensor], projections: Projections, how: Variant) -> list[Tensor]:
    n_heads = 1 if how.heads == "whole" else projections.n_heads
    made = []
    for source, letter in zip(how.reads, how.projections, strict=True):
        projected = _linear(inputs["qkv".index(source)], letter, projections, how)  # [B, T, H·d_k]
        n_made = n_heads if letter == "q" else min(n_heads, projections.n_groups)
        made.append(_split(projected, n_made, how))  # [B, H, T, d_k], or [B, G, T, d_k]
    if how.split == "right" and how.heads == "split":
        tiled = {"tiled": "kv", "keys tiled": "k", "values tiled": "v"}.get(how.shared, "")
        for i, letter in enumerate("qkv"):  # one for every head of queries
            one, n = made[i], n_heads // made[i].shape[1]
            made[i] = one.repeat(1, n, 1, 1) if letter in tiled else one.repeat_interleave(n, dim=1)  # [B, H, T, d_k]
    return made


def _linear(x: Tensor, letter: str, projections: Projections, how: Variant) -> Tensor:
    if letter in how.skipped:
        return x
    weight = projections.weight[letter]  # [out, in]
    bias = None if letter in how.unbiased else projections.bias.get(letter)  # [out]
    return F.linear(x, weight.mT if letter in how.flipped else weight, bias)  # [B, T, out]


def _split(x: Tensor, n_heads: int, how: Variant) -> Tensor:
    batch, tokens, width = x.shape
    match how.split:
        case "unswapped":
            return x.reshape(batch, tokens, n_heads, -1)  # [B, T, H, d_k]
        case "viewed":
            return x.reshape(batch, n_heads, tokens, width // n_heads)  # [B, H, T, d_k], tokens and heads mixed
        case "strided":
            return x.reshape(batch, tokens, width // n_heads, n_heads).permute(0, 3, 1, 2)  # [B, H, T, d_k]
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)  # [B, H, T, d_k]


def _weights(scores: Tensor, mask: Tensor | None, how: Variant) -> tuple[Tensor, Tensor]:
    """The masked scores and the weights: [B, H, T_q, T_k] each."""
    scores = scores if how.positions is None else how.positions.added(scores)  # [B, H, T_q, T_k]
    masked = scores if mask is None else _masked(scores, mask, how)  # [B, H, T_q, T_k]
    past = _causal(scores, how)  # [T_q, T_k] or None
    if past is not None and how.causal != "after":
        masked = masked.masked_fill(~past, 0.0 if how.causal == "zero" else -math.inf)  # [B, H, T_q, T_k]
    if how.keys != "all":
        keys = torch.arange(scores.shape[-1])  # [T_k]
        masked = masked.masked_fill(keys == keys[0 if how.keys == "but the first" else -1], -math.inf)
    weights = _softmax(masked, scores, how)  # [B, H, T_q, T_k]
    if past is not None and how.causal == "after":
        weights = weights * past  # [B, H, T_q, T_k]
    if mask is not None and how.mask == "after":
        weights = weights * mask  # [B, H, T_q, T_k]
    return masked, weights


def _causal(scores: Tensor, how: Variant) -> Tensor | None:
    if how.causal == "no":
        return None
    everywhere = torch.ones(scores.shape[-2:], dtype=torch.bool)  # [T_q, T_k]
    if how.causal in ("reversed", "ahead"):
        return everywhere.triu(0 if how.causal == "reversed" else 1)  # [T_q, T_k]
    return everywhere.tril({"strict": -1, "peek": 1}.get(how.causal, 0))  # [T_q, T_k]


def _masked(scores: Tensor, mask: Tensor, how: Variant) -> Tensor:
    match how.mask:
        case "ignored" | "after":
            return scores
        case "zero":
            return scores.masked_fill(~mask, 0.0)  # [B, H, T_q, T_k]
        case "number":
            return scores + mask.to(scores.dtype)  # [B, H, T_q, T_k]
    allowed = {"inverted": ~mask, "transposed": mask.mT}.get(how.mask, mask)  # broadcasts to [B, H, T_q, T_k]
    return scores.masked_fill(~allowed, -math.inf)  # [B, H, T_q, T_k]


def _softmax(masked: Tensor, scores: Tensor, how: Variant) -> Tensor:
    match how.softmax:
        case "none":
            return masked
        case "sigmoid":
            return torch.sigmoid(masked)  # [B, H, T_q, T_k]
    axis = {"query": -2, "head": 1 if masked.ndim == 4 else 0, "batch": 0}.get(how.softmax, -1)
    if axis != -1 or how.blocked == "nan" or masked is scores:  # nothing is masked there
        weights = torch.softmax(masked, dim=axis)  # [B, H, T_q, T_k]
    else:
        blocked = (masked == -math.inf).all(-1, keepdim=True)  # [B, H, T_q, 1], queries without a key
        instead = scores if how.blocked == "open" else torch.zeros_like(scores)  # [B, H, T_q, T_k]
        weights = torch.softmax(torch.where(blocked, instead, masked), dim=-1)  # [B, H, T_q, T_k]
        weights = weights.masked_fill(blocked, 0.0) if how.blocked == "zeros" else weights  # [B, H, T_q, T_k]
    return torch.softmax(weights, dim=-1) if how.softmax == "twice" else weights  # [B, H, T_q, T_k]


def _merged_heads(context: Tensor, projections: Projections | None, how: Variant) -> Tensor:
    """The output [B, T_q, d_model] of what the heads found [B, H, T_q, d_v]."""
    if projections is None:
        return context.transpose(-3, -2) if how.split == "unswapped" else context  # [..., T_q, d_v]
    if how.split == "unswapped":
        context = context.transpose(1, 2)  # [B, T_q, H, d_v] -> [B, H, T_q, d_v]
    if how.merge == "viewed":
        merged = context.reshape(context.shape[0], context.shape[2], -1)  # tokens and heads mixed
    elif how.merge == "strided":
        merged = context.permute(0, 2, 3, 1).flatten(-2)  # [B, T_q, d_v·H]
    else:
        merged = context.transpose(1, 2).flatten(-2)  # [B, T_q, H·d_v]
    if "o" not in projections.weight or how.out == "missing":
        return merged  # [B, T_q, H·d_v]
    return _linear(merged, "o", projections, how)  # [B, T_q, d_model]
