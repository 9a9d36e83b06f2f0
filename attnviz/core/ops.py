"""The arithmetic of attention, one function for each line of the formula. `attend` runs it; the record of a run replays
it, with `project` and `normalise` in place of the model's nn.Linear and nn.LayerNorm.

Shapes are written for one head of one text: [T_q, d_k] queries, [T_k, d_k] keys, [T_k, d_v] values; every function
takes any leading axes (batch, head) as well. Source throughout: Vaswani et al. 2017, section 3.2.1.
"""

import math
from typing import Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

Line = Literal["raw", "scores", "masked", "weights"]  # what each line of the formula makes, [T_q, T_k]
NEVER = float("-inf")  # what the mask adds where a query cannot attend


class Call(NamedTuple):
    """What one attention is given besides q, k and v: enough to replay it, except dropout's random draw."""

    scale: float | Tensor  # of all heads, or one for each, [H, 1, 1]
    mask: Tensor | None = None  # bool (True = can attend) or additive; broadcasts to [..., T_q, T_k]
    bias: Tensor | None = None  # position bias, added to the scores; broadcasts to [..., T_q, T_k]
    softcap: float | None = None
    sinks: Tensor | None = None  # [H]
    dropout: float = 0.0  # share of the weights set to zero after they were recorded
    is_causal: bool = False  # beside the mask: query i can attend to the keys up to i alone

    @classmethod
    def of(
        cls, q: Tensor, scale: float | Tensor | None, mask: Tensor | None, bias: Tensor | None, softcap: float | None,
        sinks: Tensor | None, dropout: float, is_causal: bool = False,
    ) -> "Call":  # fmt: skip
        """The arguments of `attend` as its lines use them: 1/√dₖ where no scale came; mask and bias with both axes."""
        scale = q.shape[-1] ** -0.5 if scale is None else scale
        return cls(scale, _ready_to_add(q, mask), _ready_to_add(q, bias), softcap, sinks, dropout, is_causal)

    @property
    def has_own_scales(self) -> bool:
        """Whether heads have scales of their own."""
        return isinstance(self.scale, Tensor) and self.scale.ndim > 0

    def written_out(self, n_queries: int, n_keys: int, device: torch.device) -> "Call":
        """The same with the causal order in its mask."""
        if not self.is_causal:
            return self
        order = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril()  # [T_q, T_k]
        return self._replace(is_causal=False).allowing(order)

    def allowing(self, allowed: Tensor) -> "Call":
        """The same with a mask that allows no more than this one does: bool, broadcast to [..., T_q, T_k]."""
        if self.mask is None:
            return self._replace(mask=allowed)
        is_bool = self.mask.dtype == torch.bool
        return self._replace(mask=self.mask & allowed if is_bool else self.mask.masked_fill(~allowed, NEVER))

    @property
    def hides_later_keys(self) -> bool:
        """Whether the mask is causal: of several queries none can attend to a later key."""
        is_square = self.mask is not None and self.mask.ndim > 1 and self.mask.shape[-2] == self.mask.shape[-1] > 1
        if self.is_causal or self.mask is None or not is_square:
            return self.is_causal
        return not bool(allowed_by(self.mask).triu(1).any())


def _ready_to_add(q: Tensor, added: Tensor | None) -> Tensor | None:
    """A mask or bias with a query and a key axis at least, in the precision of q unless it is bool."""
    if added is None:
        return None
    added = torch.atleast_2d(added)  # [..., T_q | 1, T_k | 1]
    return added if added.dtype == torch.bool else added.to(q.dtype)  # [..., T_q | 1, T_k | 1]


def allowed_by(mask: Tensor) -> Tensor:
    """What a mask allows, as bool; code of others hides with the lowest number instead of −∞."""
    return mask if mask.dtype == torch.bool else mask > torch.finfo(mask.dtype).min / 2  # [..., T_q | 1, T_k | 1]


def raw_scores(q: Tensor, k: Tensor) -> Tensor:
    """Every query times every key: `raw = Q Kᵀ`, [T_q, d_k] x [T_k, d_k] -> [T_q, T_k]."""
    return q @ k.mT  # [..., T_q, T_k]


def scale_scores(raw: Tensor, scale: float | Tensor) -> Tensor:
    """`scores = raw · scale`, with scale = 1/√dₖ unless the model says otherwise: [T_q, T_k]."""
    return raw * scale  # [..., T_q, T_k]


def cap_scores(scores: Tensor, softcap: float | None) -> Tensor:
    """`scores = c · tanh(scores / c)`: keeps every score within ±c; None leaves them. Source: Gemma 2 (2024), 2."""
    if softcap is None:
        return scores
    return softcap * torch.tanh(scores / softcap)  # [..., T_q, T_k]


def add_mask(scores: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
    """`masked = scores + bias + mask`: −∞ where a query cannot attend.

    Args:
        scores: [..., T_q, T_k].
        mask: bool, True = can attend; or float, added as it is; broadcast to the scores.
        bias: float position bias (T5, ALiBi), broadcast to the scores.
    """
    if bias is not None:
        scores = scores + bias  # [..., T_q, T_k]
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return torch.where(mask, scores, NEVER)  # [..., T_q, T_k]
    return scores + mask  # [..., T_q, T_k]


def blocked_rows(mask: Tensor | None, bias: Tensor | None = None) -> Tensor | None:
    """The queries that can attend to no key at all: [..., T_q, 1], True = blocked; None when no row is."""
    if bias is not None:  # a row may be blocked only by mask and bias combined
        mask = add_mask(bias, mask)  # [..., T_q, T_k]
    if mask is None:
        return None
    if mask.dtype == torch.bool or mask.shape[-1] == 0:  # without keys there is no largest, and every row is blocked
        blocked = ~(mask.bool().any(-1, keepdim=True))  # [..., T_q, 1]
    else:  # by the largest of each row: a comparison of the whole mask would allocate another one
        blocked = mask.amax(-1, keepdim=True) == NEVER  # [..., T_q, 1]
    return blocked if bool(blocked.any()) else None  # [..., T_q, 1]


def softmax_rows(masked: Tensor, *, sinks: Tensor | None = None, blocked: Tensor | None = None) -> Tensor:
    """The softmax of each row: weights that sum to 1, less what a sink takes.

    Args:
        masked: [..., H, T_q, T_k] (or [T_q, T_k] without sinks).
        sinks: [H], one extra logit per row that absorbs weight and adds no value.
        blocked: [..., T_q, 1], rows with no allowed key: they become zeros, never NaN.
    Returns:
        weights, like `masked`.
    Source: sinks as in gpt-oss (2025) and Xiao et al. 2023, section 3.
    """
    if blocked is not None:
        masked = masked.masked_fill(blocked, 0.0)  # [..., T_q, T_k]
    if sinks is None:
        weights = torch.softmax(masked, dim=-1)  # [..., T_q, T_k]
    else:
        column = sinks.reshape(-1, 1, 1).expand(*masked.shape[:-1], 1).to(masked.dtype)  # [..., H, T_q, 1]
        weights = torch.softmax(torch.cat([masked, column], dim=-1), dim=-1)[..., :-1]  # [..., H, T_q, T_k]
    return weights if blocked is None else weights.masked_fill(blocked, 0.0)  # [..., T_q, T_k]


def replay(name: Line, q: Tensor, k: Tensor, call: Call) -> Tensor:
    """raw, scores, masked or weights from q and k, with every setting of the call but dropout, which comes after them.

    Args:
        q: [..., T_q, d_k]. k: [..., T_k, d_k].
        call: its mask and bias broadcast to [..., T_q, T_k].
    Returns:
        [..., T_q, T_k]; a row of weights sums to 1, less what a sink takes; it is 0 where no key is allowed.
    """
    if name == "raw":
        return raw_scores(q, k)  # [..., T_q, T_k]
    return replay_from_scores(name, cap_scores(scale_scores(raw_scores(q, k), call.scale), call.softcap), call)


def replay_from_scores(name: Line, scores: Tensor, call: Call) -> Tensor:
    """scores, masked or weights by name, from scores that are given: [T_q, T_k] -> [T_q, T_k]."""
    if name == "scores":
        return scores
    call = call.written_out(scores.shape[-2], scores.shape[-1], scores.device)
    masked = add_mask(scores, call.mask, call.bias)  # [..., T_q, T_k]
    if name == "masked":
        return masked
    return softmax_rows(masked, sinks=call.sinks, blocked=blocked_rows(call.mask, call.bias))  # [..., T_q, T_k]


def weights_in_place(q: Tensor, k: Tensor, call: Call) -> Tensor:
    """The weights in one buffer: from 512 tokens on, allocating a matrix for each line takes most of the time.

    Args:
        q: [..., T_q, d_k]. k: [..., T_k, d_k].
        call: without sinks.
    Returns:
        [..., T_q, T_k]: the numbers of `replay`, as long as QKᵀ itself does not overflow.
    """
    k = k.contiguous()  # a strided view, like q: copying it once is faster than letting the product do it
    if _is_power_of_two(call.scale) and q.dtype != torch.float16:  # scaling q rounds nothing, and q is smaller
        scaled = torch.mul(q, call.scale, out=q.new_empty(q.shape))  # [..., T_q, d_k], contiguous
        buffer = raw_scores(scaled, k)  # [..., T_q, T_k]
    else:  # another scale would round q, and float16 could underflow
        buffer = raw_scores(q.contiguous(), k).mul_(call.scale)  # [..., T_q, T_k]
    if call.softcap is not None:
        buffer.div_(call.softcap).tanh_().mul_(call.softcap)
    if call.bias is not None:
        buffer.add_(call.bias)
    if call.mask is not None and call.mask.dtype == torch.bool:
        buffer.masked_fill_(~call.mask, NEVER)
    elif call.mask is not None:
        buffer.add_(call.mask)
    blocked = blocked_rows(call.mask, call.bias)  # [..., T_q, 1]
    if blocked is not None:
        buffer.masked_fill_(blocked, 0.0)
    torch.softmax(buffer, dim=-1, out=buffer)
    return buffer if blocked is None else buffer.masked_fill_(blocked, 0.0)  # [..., T_q, T_k]


def _is_power_of_two(scale: float | Tensor) -> bool:
    """Whether scale is one number, a power of two, as 1/√64 is."""
    return (not isinstance(scale, Tensor) or scale.ndim == 0) and math.frexp(scale)[0] == 0.5


def drop_weights(weights: Tensor, dropout: float) -> Tensor:
    """A share of the weights at random set to 0 and the others divided by 1 − dropout: [T_q, T_k]."""
    return F.dropout(weights, dropout, training=True) if dropout > 0.0 else weights  # [..., T_q, T_k]


def weigh_values(weights: Tensor, v: Tensor) -> Tensor:
    """`context = weights · V`: each query's own mixture of the values, [T_q, T_k] x [T_k, d_v] -> [T_q, d_v]."""
    return weights @ v  # [..., T_q, d_v]


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """The heads as an axis of their own, a view of the same memory: [..., T, H·d_k] -> [..., H, T, d_k]."""
    return x.view(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).transpose(-3, -2)  # [..., H, T, d_k]


def repeat_heads(x: Tensor, q: Tensor) -> Tensor:
    """Each of G heads of keys or values once for every head of q that shares it: [..., G, T, d] -> [..., H, T, d]."""
    n = q.shape[-3] // x.shape[-3] if q.ndim > 2 and x.ndim > 2 else 1
    return x if n <= 1 else x.repeat_interleave(n, dim=-3)  # [..., H, T, d]


def kv_head(head: int, n_heads: int, n_kv_heads: int) -> int:
    """Which of G heads of keys and values a head of H uses: ⌊h · G / H⌋."""
    return head * n_kv_heads // n_heads


def merge_heads(context: Tensor) -> Tensor:
    """The heads side by side: [..., H, T, d_v] -> [..., T, H·d_v]."""
    return context.transpose(-3, -2).flatten(-2)  # [..., T, H·d_v]


def project(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`x W + b` with the weight stored as torch stores it, [out, in]: [..., T, in] -> [..., T, out]."""
    if bias is None:
        return x @ weight.mT  # [..., T, out]
    return x @ weight.mT + bias  # [..., T, out]


def normalise(x: Tensor, gain: Tensor, shift: Tensor, eps: float) -> Tensor:
    """Layer norm: (x − mean) / √(variance + eps) · gain + shift, each row by itself, [T, d_model].

    Source: Ba et al. 2016, section 3.1.
    """
    mean = x.mean(-1, keepdim=True)  # [..., T, 1]
    variance = x.var(-1, unbiased=False, keepdim=True)  # [..., T, 1]
    return (x - mean) / torch.sqrt(variance + eps) * gain + shift  # [..., T, d_model]


def rms_normalise(x: Tensor, gain: Tensor, eps: float) -> Tensor:
    """RMSNorm: x / √(mean(x²) + eps) · gain, each row by itself, [T, d_model]. In half precision the square root is
    of float32 numbers, as published models compute it.

    Source: Zhang & Sennrich 2019, equation 4.
    """
    exact = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x  # [..., T, d_model]
    return (exact * torch.rsqrt(exact.square().mean(-1, keepdim=True) + eps)).to(x.dtype) * gain  # [..., T, d_model]
