"""Our `attend` with known mistakes made around it, each behind one field of `Variant`.

A fault is found by making it here, with the person's own weights, and seeing whether their output comes out. The
attention itself is always `attend`: a mistake gives it other queries, keys, values, masks or another scale, or changes
the weights that it returns.
"""

from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.read.layouts import Projections
from attnviz.core import ops
from attnviz.core.attend import attend
from attnviz.core.ops import Call


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
    split: str = "right"  # or "unswapped" [B, T, H, d_k], "viewed" across tokens
    scale: float | None = None  # what QKᵀ is divided by; √d_k when None
    causal: str = "no"  # or "right", "strict" (not itself), "peek" (one ahead), "reversed" (itself and ahead), "ahead",
    # "after" (after the softmax), "zero" (scores of 0)
    mask: str = "right"  # or "ignored", "inverted", "transposed", "zero", "number", "after"
    blocked: str = "zeros"  # a row without keys; or "nan", "uniform", "open", and "uniform before" and "open before" it
    keys: str = "all"  # or "but the first", "but the last"
    softmax: str = "key"  # or "query", "head", "batch", "none", "twice", "unscaled", "sigmoid"
    mixing: str = "right"  # or "transposed": weightsᵀ V
    merge: str = "right"  # or "viewed" without the transpose
    out: str = "right"  # or "missing" W_O, "residual" x added
    detached: str = ""  # the value whose gradient is cut: input, q, k, v, weights, context


@dataclass(frozen=True)
class Values:
    """What one run of a variant made."""

    q: Tensor  # [B, H, T_q, d_k]
    k: Tensor  # [B, H, T_k, d_k]
    call: Call  # what `attend` was given beside them
    weights: Tensor  # [B, H, T_q, T_k]
    out: Tensor  # [B, T_q, d_model], or the context of a function without projections

    @property
    def raw(self) -> Tensor:
        return ops.replay("raw", self.q, self.k, self.call)  # [B, H, T_q, T_k]

    @property
    def scores(self) -> Tensor:
        return ops.replay("scores", self.q, self.k, self.call)  # [B, H, T_q, T_k]

    @property
    def masked(self) -> Tensor:
        return ops.replay("masked", self.q, self.k, self.call)  # [B, H, T_q, T_k]


def attention(
    inputs: Inputs, projections: Projections | None = None, variant: Variant | None = None, mask: Tensor | None = None
) -> Values:
    """One attention layer, with the mistakes that the variant names; without projections a function of q, k and v.

    inputs: query [B, T_q, d_model], key and value [B, T_k, width]; or q [..., T_q, d_k], k and v [..., T_k, d_k].
    mask: bool, True = can attend, broadcasts to [B, H, T_q, T_k].
    """
    how = variant or Variant()
    q, k, v = heads_of(inputs, projections, how)  # [B, H, T, d_k] each
    divisor = how.scale or q.shape[-1] ** 0.5
    scale = 1.0 if how.softmax == "unscaled" else 1.0 / divisor
    n_added = len(projections.added) if projections else 0
    allowed, bias, share = _hidden(ops.raw_scores(q, k) * scale, n_added, mask, how)
    blocked = None if allowed is None or how.blocked == "zeros" else ~allowed.any(-1, keepdim=True)  # [..., T_q, 1]
    if allowed is not None and blocked is not None:
        opened = torch.ones_like(allowed)  # [..., T_q, T_k]
        allowed = allowed | blocked & (opened.tril() if how.blocked.endswith("before") else opened)
        q = q.masked_fill(blocked, 0.0) if how.blocked.startswith("uniform") else q  # equal scores
    call = Call.of(q, scale, allowed, bias, None, None, 0.0)
    context, right = attend(q, k, v, mask=allowed, bias=bias, scale=scale)  # [B, H, T_q, d_v], [B, H, T_q, T_k]
    assert right is not None  # the explicit kernel always makes them
    values = Values(q, k, call, right, context)
    weights = right / divisor if how.softmax == "unscaled" else right  # [B, H, T_q, T_k]
    weights = weights if how.softmax in ("key", "unscaled") else _softmax(values, how.softmax)
    weights = weights if share is None else weights * share
    weights = weights.masked_fill(blocked, torch.nan) if blocked is not None and how.blocked == "nan" else weights
    weights = _detached(weights, how, "weights")
    mixing = weights.mT if how.mixing == "transposed" else weights  # [B, H, T_q, T_k]
    context = context if mixing is right else ops.weigh_values(mixing, v)  # [B, H, T_q, d_v]
    out = _merged_heads(_detached(context, how, "context"), projections, how)  # [B, T_q, d_model]
    out = out.transpose(0, -2) if how.sequence == "batch" else out
    return Values(q, k, call, weights, out + inputs[0] if how.out == "residual" else out)


def _softmax(values: Values, kind: str) -> Tensor:
    """The softmax over the keys, or what a mistake puts in its place."""
    masked = values.masked  # [B, H, T_q, T_k]
    match kind:
        case "none":
            return masked
        case "sigmoid":
            return torch.sigmoid(masked)  # [B, H, T_q, T_k]
        case "twice":
            return torch.softmax(values.weights, -1)  # [B, H, T_q, T_k]
    return torch.softmax(masked, {"query": -2, "head": 1 if masked.ndim == 4 else 0, "batch": 0}[kind])


def _hidden(
    scores: Tensor, n_added: int, mask: Tensor | None, how: Variant
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:  # fmt: skip
    """Which keys are allowed, what is added to the scores, and what the weights are multiplied by."""
    everywhere = torch.ones(scores.shape[-2], scores.shape[-1] - n_added, dtype=torch.bool)  # [T_q, T_k]
    past = {
        "strict": everywhere.tril(-1), "peek": everywhere.tril(1), "reversed": everywhere.triu(),
        "ahead": everywhere.triu(1),
    }.get(how.causal, everywhere.tril())  # [T_q, T_k]  # fmt: skip
    causal = "ignored" if how.causal == "no" else how.causal
    allowed: list[Tensor] = []
    bias = share = None
    if how.keys != "all":
        lost = 0 if how.keys == "but the first" else everywhere.shape[-1] - 1
        allowed.append(torch.arange(scores.shape[-1]) != lost)  # [T_k]
    for shown, kind in ((past, causal), (mask, how.mask)):
        if shown is None or kind == "ignored":
            continue
        shown = F.pad(shown, (0, n_added), value=True)  # [..., T_q | 1, T_k + n]
        if kind == "zero":
            bias = torch.zeros_like(scores).where(shown, -scores)  # [B, H, T_q, T_k]
        elif kind == "number":
            bias = shown.to(scores.dtype)
        elif kind == "after":
            share = shown
        else:
            allowed.append({"inverted": ~shown, "transposed": shown.mT}.get(kind, shown))
    return reduce(torch.logical_and, allowed) if allowed else None, bias, share


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
    n_groups = min(n_heads, projections.n_groups)
    made = []
    for place, (source, letter) in enumerate(zip(how.reads, how.projections, strict=True)):
        x = _linear(inputs["qkv".index(source)], letter, projections, how)  # [B, T, H·d_k]
        rows = [pair[place - 1].to(x) for pair in projections.added if place]  # [H·d_k] each
        x = torch.cat([x, *(row.expand(len(x), 1, -1) for row in rows)], 1) if rows else x  # [B, T + 1, H·d_k]
        heads = _split(x, n_heads if letter == "q" else n_groups, how)  # [B, H, T, d_k], or [B, G, T, d_k]
        if how.split == "right" and heads.shape[1] < n_heads:  # one for every head of queries
            n = n_heads // heads.shape[1]
            heads = heads.repeat(1, n, 1, 1) if projections.tiled else heads.repeat_interleave(n, dim=1)
        made.append(heads)
    return made


def _linear(x: Tensor, letter: str, projections: Projections, how: Variant) -> Tensor:
    if letter in how.skipped:
        return x
    weight = projections.weight[letter]  # [out, in]
    bias = None if letter in how.unbiased else projections.bias.get(letter)  # [out]
    return F.linear(x, weight.mT if letter in how.flipped else weight, bias)  # [B, T, out]


def _split(x: Tensor, n_heads: int, how: Variant) -> Tensor:
    if how.split == "unswapped":
        return x.unflatten(-1, (n_heads, -1))  # [B, T, H, d_k]
    if how.split == "viewed":
        return x.reshape(len(x), n_heads, x.shape[1], -1)  # [B, H, T, d_k], tokens and heads mixed
    return ops.split_heads(x, n_heads)  # [B, H, T, d_k]


def _merged_heads(context: Tensor, projections: Projections | None, how: Variant) -> Tensor:
    """The output [B, T_q, d_model] of what the heads give [B, H, T_q, d_v]."""
    context = context.transpose(-3, -2) if how.split == "unswapped" else context  # [B, H, T_q, d_v]
    if projections is None:
        return context  # [..., T_q, d_v]
    if how.merge == "viewed":
        merged = context.reshape(context.shape[0], context.shape[2], -1)  # tokens and heads mixed
    else:
        merged = ops.merge_heads(context)  # [B, T_q, H·d_v]
    if "o" not in projections.weight or how.out == "missing":
        return merged  # [B, T_q, H·d_v]
    return _linear(merged, "o", projections, how)  # [B, T_q, d_model]
