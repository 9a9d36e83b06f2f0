"""The arithmetic of attention, one function for each line of the book. `attend` runs it, a trace replays it.

Shapes are written for one head of one text: [Tq, Dh] queries, [Tk, Dh] keys, [Tk, Dv] values; every function takes
any leading axes (batch, head) as well. Source throughout: Vaswani et al. 2017, section 3.2.1.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from .checks import number

Value = Literal["raw", "scores", "masked", "weights"]
NEVER = float("-inf")  # what the mask adds where a query cannot attend


class Call(NamedTuple):
    """What one attention is given besides q, k and v: enough to replay it, except for which weights dropout took."""

    scale: float
    mask: Tensor | None = None  # bool (True = can attend) or additive; broadcasts to [..., Tq, Tk]
    bias: Tensor | None = None  # position bias, added to the scores; broadcasts to [..., Tq, Tk]
    softcap: float | None = None
    sinks: Tensor | None = None  # [H]
    dropout: float = 0.0  # share of the weights set to zero after they were recorded


def raw_scores(q: Tensor, k: Tensor) -> Tensor:
    """Every query times every key: `raw = Q Kᵀ`, [Tq, Dh] x [Tk, Dh] -> [Tq, Tk]."""
    return q @ k.mT  # [..., Tq, Tk]


def scale_scores(raw: Tensor, scale: float) -> Tensor:
    """`scores = raw · scale`, with scale = 1/√Dh unless the model says otherwise: [Tq, Tk]."""
    return raw * scale  # [..., Tq, Tk]


def cap_scores(scores: Tensor, softcap: float | None) -> Tensor:
    """`scores = c · tanh(scores / c)`: keeps every score within ±c; None leaves them. Source: Gemma 2 (2024), 2."""
    if softcap is None:
        return scores
    return softcap * torch.tanh(scores / softcap)  # [..., Tq, Tk]


def add_mask(scores: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
    """`masked = scores + bias + mask`: −∞ where a query cannot attend.

    Args:
        scores: [..., Tq, Tk].
        mask: bool, True = can attend; or float, added as it is; broadcast to the scores.
        bias: float position bias (T5, ALiBi), broadcast to the scores.
    """
    if bias is not None:
        scores = scores + bias  # [..., Tq, Tk]
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return torch.where(mask, scores, NEVER)  # [..., Tq, Tk]
    return scores + mask  # [..., Tq, Tk]


def blocked_rows(mask: Tensor | None, bias: Tensor | None = None) -> Tensor | None:
    """The queries that can attend to no key at all: [..., Tq, 1], True = blocked; None when there is none."""
    if bias is not None:  # mask and bias may block a row only together
        mask = add_mask(bias, mask)  # [..., Tq, Tk]
    if mask is None:
        return None
    if mask.dtype == torch.bool or mask.shape[-1] == 0:
        blocked = ~mask.bool().any(-1, keepdim=True)  # [..., Tq, 1]
    else:
        blocked = mask.amax(-1, keepdim=True) == NEVER  # [..., Tq, 1], with no tensor of the mask's size
    return None if number(blocked.any()) is False else blocked  # [..., Tq, 1]


def softmax_rows(masked: Tensor, *, sinks: Tensor | None = None, blocked: Tensor | None = None) -> Tensor:
    """Each row to weights that sum to 1: exp(x − row maximum) over its sum.

    Args:
        masked: [..., H, Tq, Tk] (or [Tq, Tk] without sinks).
        sinks: [H], one more logit a row that takes weight and gives nothing; the row then sums to less than 1.
        blocked: [..., Tq, 1], rows with no allowed key: they become zeros, never NaN.
    Returns:
        weights, like `masked`.
    Source: sinks as in gpt-oss (2025) and Xiao et al. 2023, section 3.
    """
    if blocked is not None:
        masked = masked.masked_fill(blocked, 0.0)  # [..., Tq, Tk]
    if sinks is None:
        weights = torch.softmax(masked, dim=-1)  # [..., Tq, Tk]
    else:
        column = sinks.reshape(-1, 1, 1).expand(*masked.shape[:-1], 1).to(masked.dtype)  # [..., H, Tq, 1]
        weights = torch.softmax(torch.cat([masked, column], dim=-1), dim=-1)[..., :-1]  # [..., H, Tq, Tk]
    return weights if blocked is None else weights.masked_fill(blocked, 0.0)  # [..., Tq, Tk]


def value(name: Value, q: Tensor, k: Tensor, call: Call) -> Tensor:
    """raw, scores, masked or weights by name, from q and k: [Tq, Dh], [Tk, Dh] -> [Tq, Tk]."""
    if name == "raw":
        return raw_scores(q, k)  # [..., Tq, Tk]
    return value_of_scores(name, cap_scores(scale_scores(raw_scores(q, k), call.scale), call.softcap), call)


def value_of_scores(name: Value, scores: Tensor, call: Call) -> Tensor:
    """scores, masked or weights by name, from scores that are given: [Tq, Tk] -> [Tq, Tk]."""
    if name == "scores":
        return scores
    masked = add_mask(scores, call.mask, call.bias)  # [..., Tq, Tk]
    if name == "masked":
        return masked
    return softmax_rows(masked, sinks=call.sinks, blocked=blocked_rows(call.mask, call.bias))  # [..., Tq, Tk]


def weights(q: Tensor, k: Tensor, call: Call) -> Tensor:
    """softmax(QKᵀ · scale + mask), with all that the call says.

    Args:
        q: [..., Tq, Dh]. k: [..., Tk, Dh].
        call: its mask and bias broadcast to [..., Tq, Tk]; dropout comes after the weights and does not act here.
    Returns:
        [..., Tq, Tk]; a row sums to 1, less what a sink takes, and is 0 where a query can attend to nothing.
    """
    return value("weights", q, k, call)  # [..., Tq, Tk]


def drop_weights(weights: Tensor, dropout: float) -> Tensor:
    """While training, a share of the weights at random set to 0 and the others divided by 1 − dropout: [Tq, Tk]."""
    return F.dropout(weights, dropout) if dropout > 0.0 else weights  # [..., Tq, Tk]


def weigh_values(weights: Tensor, v: Tensor) -> Tensor:
    """`context = weights · V`: each query's own mixture of the values, [Tq, Tk] x [Tk, Dv] -> [Tq, Dv]."""
    return weights @ v  # [..., Tq, Dv]


def merge_heads(context: Tensor) -> Tensor:
    """The heads side by side: [..., H, T, Dv] -> [..., T, H·Dv]."""
    return context.transpose(-3, -2).flatten(-2)  # [..., T, H·Dv]


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """One head an axis, a view of the same memory: [..., T, H·Dh] -> [..., H, T, Dh]."""
    return x.view(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).transpose(-3, -2)  # [..., H, T, Dh]


def project(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`x W + b` with the weight stored as torch stores it, [out, in]: [..., T, in] -> [..., T, out]."""
    product = x @ weight.mT  # [..., T, out]
    return product if bias is None else product + bias


def normalise(x: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    """Layer norm: (x − mean) / √(variance + eps) · gain + shift, each row by itself, [T, D].

    Source: Ba et al. 2016, section 3.1.
    """
    mean = x.mean(-1, keepdim=True)  # [..., T, 1]
    variance = x.var(-1, unbiased=False, keepdim=True)  # [..., T, 1]
    return (x - mean) / torch.sqrt(variance + eps) * gain + shift  # [..., T, D]
