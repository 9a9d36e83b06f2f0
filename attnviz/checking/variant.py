"""Our attention with known mistakes built in, each behind one field. `Variant()` has none and is the paper's.

A fault is found by making it here, with the person's own weights, and seeing whether their output comes out. This is
the only place of the project where attention is computed wrongly, and nothing outside this room imports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.checking.positions import Positions
from attnviz.core import ops


@dataclass(frozen=True)
class Numbers:
    """The four linear layers of an attention layer by their letters q, k, v, o; a missing one changes nothing."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each
    n_heads: int

    @property
    def head_width(self) -> int:
        """Dh."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def shares_keys(self) -> bool:
        """Whether several heads of queries share one of keys and values."""
        return self.weight["k"].shape[0] < self.weight["q"].shape[0]

    def linear(self, x: Tensor, letter: str, how: Variant, place: int = 0) -> Tensor:
        """One of the four layers, [B, T, in] -> [B, T, out]; `place` says whether x is query 0, key 1 or value 2."""
        if letter in how.skipped:
            return x
        weight = self.weight[letter]  # [out, in]
        bias = None if letter in how.unbiased else self.bias.get(letter)  # [out]
        return ops.project(x, weight.mT if letter in how.flipped else weight, bias)  # [B, T, out]

    def seen(self, x: Tensor) -> Tensor:
        """The output as it is compared: as it is."""
        return x


@dataclass(frozen=True)
class Variant:
    """What is done otherwise than in the paper; every default is the paper's."""

    sequence: str = "token"  # or "batch": texts look at texts
    projections: str = "qkv"  # which matrix makes q, which k, which v
    flipped: str = ""  # letters of the matrices that are used untransposed
    unbiased: str = ""  # letters of the projections whose bias is left out
    skipped: str = ""  # letters of the projections that are left out: x itself is taken
    heads: str = "split"  # or "whole": one head over all features
    split: str = "right"  # or "unswapped" [B, T, H, Dh], "viewed" across tokens, "strided" every H-th feature
    shared: str = "right"  # or "tiled": heads that share keys and values are not neighbours
    scale: str = "head"  # a key of `divisors`, or a number as text
    causal: str = "no"  # or "right", "strict" (not itself), "peek" (one ahead), "reversed" (itself and ahead), "ahead",
    # "after" (after the softmax), "zero" (scores of 0)
    mask: str = "right"  # or "ignored", "inverted", "transposed", "zero", "number", "after"
    blocked: str = "zeros"  # rows with no key: or "nan", "uniform", "open"
    softmax: str = "key"  # or "query", "head", "batch", "all", "none", "twice", "unscaled", "log", "sigmoid"
    mixing: str = "right"  # or "transposed": weightsᵀ V
    merge: str = "right"  # or "viewed" without the transpose, "strided" heads innermost
    out: str = "right"  # or "missing" W_O, "residual" x added
    positions: Positions | None = None  # no mistake: what the layer adds on purpose
    detach: str = ""  # the value whose gradient is cut: input, q, k, v, scores, weights, context


@dataclass(frozen=True)
class Values:
    """Everything one run of a variant made."""

    raw: Tensor  # [B, H, Tq, Tk]
    scores: Tensor  # [B, H, Tq, Tk]
    masked: Tensor  # [B, H, Tq, Tk]
    weights: Tensor  # [B, H, Tq, Tk]
    out: Tensor  # [B, Tq, D], or the context of a plain function


def divisors(head_width: int, n_heads: int, n_queries: int) -> dict[str, float]:
    """What QKᵀ is divided by: right under "head", and by mistake under the other names."""
    d_model = head_width * n_heads
    return {
        "head": head_width**0.5,
        "none": 1.0,
        "model": d_model**0.5,
        "twice": float(head_width),
        "precedence": 2.0 * head_width,
        "half": head_width / 2,
        "multiplied": head_width**-0.5,
        "d_model": float(d_model),
        "tokens": n_queries**0.5,
        "heads": n_heads**0.5,
    }


def divisor_of(scale: str, head_width: int, n_heads: int, n_queries: int) -> float:
    """What QKᵀ is divided by in a variant."""
    named = divisors(head_width, n_heads, n_queries)
    return named[scale] if scale in named else float(scale)


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
    query, key, value = (_cut(x, how, "input") for x in inputs)
    if how.sequence == "batch":
        query, key, value = (x.transpose(0, -2) for x in (query, key, value))  # [T, B, D]
    q, k, v = heads_of((query, key, value), numbers, how)  # [B, H, T, Dh] each
    if how.positions is not None:
        q, k = how.positions.turned(q), how.positions.turned(k)  # [B, H, T, Dh] each
    raw = ops.raw_scores(q, k)  # [B, H, Tq, Tk]
    n_heads = numbers.n_heads if numbers else q.shape[1] if q.ndim == 4 else 1
    if how.split == "unswapped" and numbers is None:
        n_heads = q.shape[-2]
    divisor = divisor_of(how.scale, q.shape[-1], 1 if how.heads == "whole" else n_heads, raw.shape[-2])
    scores = _cut(ops.scale_scores(raw, 1 / divisor), how, "scores")  # [B, H, Tq, Tk]
    masked, weights = _weights(scores, raw, mask, how, 1 / divisor)  # [B, H, Tq, Tk] each
    weights = _cut(weights, how, "weights")  # [B, H, Tq, Tk]
    mixing = weights.mT if how.mixing == "transposed" else weights  # [B, H, Tq, Tk]
    context = _cut(ops.weigh_values(mixing, v), how, "context")  # [B, H, Tq, Dv]
    out = merged_heads(context, numbers, how)  # [B, Tq, D]
    if how.sequence == "batch":
        out = out.transpose(0, -2)  # [B, Tq, D]
    if how.out == "residual":
        out = out + (numbers.seen(inputs[0]) if numbers else inputs[0])  # [B, Tq, D]
    return Values(raw, scores, masked, weights, out)


def heads_of(
    inputs: tuple[Tensor, Tensor, Tensor], numbers: Numbers | None, how: Variant
) -> tuple[Tensor, Tensor, Tensor]:
    """q, k and v of every head: [B, H, Tq, Dh], [B, H, Tk, Dh], [B, H, Tk, Dv]."""
    if numbers is None:
        places = ["qkv".index(letter) for letter in how.projections]
        parts = [inputs[place] for place in places]  # [..., T, Dh] each
        if how.split == "unswapped":
            parts = [part.transpose(-3, -2) for part in parts]  # [B, T, H, Dh]
        return _cut(parts[0], how, "q"), _cut(parts[1], how, "k"), _cut(parts[2], how, "v")
    n_heads = 1 if how.heads == "whole" else numbers.n_heads
    made = []
    for place, (x, letter) in enumerate(zip(inputs, how.projections, strict=True)):
        projected = numbers.linear(x, letter, how, place)  # [B, T, H·Dh]
        made.append(_split(projected, _head_count(numbers, letter, n_heads), how))  # [B, H, T, Dh]
    if how.split == "right" and how.heads == "split":
        made = [_shared(part, n_heads // part.shape[1], how) for part in made]  # [B, H, T, Dh], grouped keys
    return _cut(made[0], how, "q"), _cut(made[1], how, "k"), _cut(made[2], how, "v")


def _shared(part: Tensor, times: int, how: Variant) -> Tensor:
    return part.repeat(1, times, 1, 1) if how.shared == "tiled" else part.repeat_interleave(times, dim=1)


def _head_count(numbers: Numbers, letter: str, n_heads: int) -> int:
    """How many heads a projection makes: fewer keys and values than queries where heads share them."""
    k_rows, q_rows, v_rows = (numbers.weight[name].shape[0] for name in "kqv")
    if n_heads == 1 or letter == "q" or k_rows >= q_rows:
        return n_heads
    shared = k_rows * n_heads // q_rows
    return shared if v_rows % shared == 0 else n_heads


def _split(x: Tensor, n_heads: int, how: Variant) -> Tensor:
    batch, tokens, width = x.shape
    if how.split == "unswapped":
        return x.reshape(batch, tokens, n_heads, -1)  # [B, T, H, Dh]
    if how.split == "viewed":
        return x.reshape(batch, n_heads, tokens, width // n_heads)  # [B, H, T, Dh], tokens and heads mixed
    if how.split == "strided":
        return x.reshape(batch, tokens, width // n_heads, n_heads).permute(0, 3, 1, 2)  # [B, H, T, Dh]
    return ops.split_heads(x, n_heads)  # [B, H, T, Dh]


def merged_heads(context: Tensor, numbers: Numbers | None, how: Variant) -> Tensor:
    """The joined heads behind W_O: [B, H, Tq, Dv] -> [B, Tq, D]."""
    if numbers is None:
        return context.transpose(-3, -2) if how.split == "unswapped" else context  # [..., Tq, Dv]
    if how.split == "unswapped" and how.merge == "right":
        merged = context.flatten(-2)  # [B, Tq, H·Dv]
    elif how.merge == "viewed":
        batch, width = context.shape[0], context[0].numel()
        queries = context.shape[1] if how.split == "unswapped" else context.shape[2]
        swapped = context.transpose(1, 2) if how.split == "unswapped" else context  # [B, H, Tq, Dv]
        merged = swapped.reshape(batch, queries, width // queries)  # [B, Tq, H·Dv], tokens and heads mixed
    elif how.merge == "strided":
        merged = context.permute(0, 2, 3, 1).flatten(-2)  # [B, Tq, Dv·H]
    else:
        merged = ops.merge_heads(context)  # [B, Tq, H·Dv]
    if "o" not in numbers.weight or how.out == "missing":
        return numbers.seen(merged)  # [B, Tq, H·Dv]
    return numbers.linear(merged, "o", how)  # [B, Tq, D]


def _weights(
    scores: Tensor, raw: Tensor, mask: Tensor | None, how: Variant, scale: float
) -> tuple[Tensor, Tensor]:  # fmt: skip
    allowed = _causal(scores, how)  # [Tq, Tk] or None
    before = raw if how.softmax == "unscaled" else scores  # [B, H, Tq, Tk]
    before = before if how.positions is None else how.positions.added(before)  # [B, H, Tq, Tk]
    masked = before if mask is None else _masked(before, mask, how)  # [B, H, Tq, Tk]
    if allowed is not None and how.causal != "after":
        masked = masked.masked_fill(~allowed, 0.0 if how.causal == "zero" else ops.NEVER)  # [B, H, Tq, Tk]
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
    nothing = (masked == ops.NEVER).all(-1, keepdim=True)  # [B, H, Tq, 1]
    if axis != -1 or how.blocked == "nan":
        weights = torch.softmax(masked, dim=axis)  # [B, H, Tq, Tk]
    elif how.blocked == "zeros":
        weights = ops.softmax_rows(masked, blocked=nothing)  # [B, H, Tq, Tk]
    else:
        instead = torch.zeros_like(scores) if how.blocked == "uniform" else scores  # [B, H, Tq, Tk]
        weights = torch.softmax(torch.where(nothing, instead, masked), dim=-1)  # [B, H, Tq, Tk]
    if how.softmax == "log":
        return torch.log(weights)  # [B, H, Tq, Tk]
    return torch.softmax(weights, dim=-1) if how.softmax == "twice" else weights  # [B, H, Tq, Tk]


def _cut(value: Tensor, how: Variant, name: str) -> Tensor:
    return value.detach() if how.detach == name else value
