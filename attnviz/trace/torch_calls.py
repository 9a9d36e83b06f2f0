"""Records torch's own attention inside `with record():` in any module, without hooks.

Covers `F.scaled_dot_product_attention` and what is built on it or on its formula: `nn.MultiheadAttention`, and with it
`nn.TransformerEncoder` and `nn.Transformer`. Each call runs on `attend` instead, the same arithmetic with its values by
name, so results agree within rounding. Attention that is written out by hand, and kernels of other packages such as
flash-attn or flex_attention, are not recorded.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from attnviz.core.attend import Kernel, attend
from attnviz.core.capture import INTERMEDIATES, active_recorder, tap
from attnviz.core.errors import CaptureError

MULTI_HEAD = inspect.signature(F.multi_head_attention_forward)
UNKNOWN = ("bias_k", "bias_v", "static_k", "static_v", "add_zero_attn")  # they add keys that no token has


class FollowTorch(TorchFunctionMode):
    """Follows the code that runs inside `with FollowTorch():`, in this thread only."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        """What torch calls for every function of Python code."""
        kwargs = kwargs or {}
        if func is not F.scaled_dot_product_attention and func is not F.multi_head_attention_forward:
            return func(*args, **kwargs)
        recorder = active_recorder()
        if recorder is None or recorder.is_inside:  # not recording, or `attend`'s own call
            return func(*args, **kwargs)
        if func is F.scaled_dot_product_attention:
            return scaled_dot_product(*args, **kwargs)
        given = MULTI_HEAD.bind(*args, **kwargs)
        given.apply_defaults()
        return multi_head(**given.arguments)


def scaled_dot_product(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """torch's function of this name: query [..., T_q, d_k], key [..., T_k, d_k], value [..., T_k, d_v]."""
    if is_causal:
        attn_mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device).tril()
    if enable_gqa:
        key, value = (part.repeat_interleave(query.shape[-3] // part.shape[-3], dim=-3) for part in (key, value))
    return attend(query, key, value, mask=attn_mask, scale=scale, dropout=dropout_p, kernel=wanted_kernel())[0]


def multi_head(
    query: Tensor, key: Tensor, value: Tensor, num_heads: int, in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None, dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Tensor | None,
    training: bool, key_padding_mask: Tensor | None, need_weights: bool, attn_mask: Tensor | None,
    use_separate_proj_weight: bool, average_attn_weights: bool, **others: Any,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """torch's `F.multi_head_attention_forward`: query [T_q, B, d_model] or [T_q, d_model]."""
    added = [name for name in UNKNOWN if others.get(name) is not None and others[name] is not False]
    if added:
        raise CaptureError(
            f"This nn.MultiheadAttention uses {', '.join(added)}, which add keys that no token has, so its weights "
            "cannot be recorded. Make it with add_bias_kv=False and add_zero_attn=False."
        )
    has_batch = query.ndim == 3
    if not has_batch:
        query, key, value = (part[:, None] for part in (query, key, value))  # [T, 1, d_model] each
        key_padding_mask = None if key_padding_mask is None else key_padding_mask[None]
    if use_separate_proj_weight:
        weights_in = [others[f"{name}_proj_weight"] for name in "qkv"]
    else:
        assert in_proj_weight is not None
        weights_in = list(in_proj_weight.chunk(3))  # [d_model, d_model] each
    biases = [None] * 3 if in_proj_bias is None else list(in_proj_bias.chunk(3))
    q, k, v = (
        F.linear(part, weight, bias).unflatten(-1, (num_heads, -1)).permute(1, 2, 0, 3)
        for part, weight, bias in zip((query, key, value), weights_in, biases, strict=True)
    )  # [B, H, T, d_k] each
    context, weights = attend(
        q, k, v, mask=joined(attn_mask, key_padding_mask, q.shape[:2]), dropout=dropout_p if training else 0.0,
        kernel="explicit" if need_weights else wanted_kernel(),
    )  # [B, H, T_q, d_k], [B, H, T_q, T_k]  # fmt: skip
    out = tap("out", F.linear(context.transpose(1, 2).flatten(2), out_proj_weight, out_proj_bias))  # [B, T_q, d_model]
    out = out.transpose(0, 1)  # [T_q, B, d_model]
    if not need_weights or weights is None:
        return (out if has_batch else out[:, 0]), None
    weights = weights.mean(1) if average_attn_weights else weights  # [B, T_q, T_k] or [B, H, T_q, T_k]
    return (out, weights) if has_batch else (out[:, 0], weights[0])


def joined(attn_mask: Tensor | None, padding: Tensor | None, batch_heads: Sequence[int]) -> Tensor | None:
    """torch's two masks (bool: True = may not attend) as one of ours: [B | 1, H | 1, T_q | 1, T_k]."""
    if attn_mask is not None and attn_mask.ndim == 3:  # [B·H, T_q, T_k]
        attn_mask = attn_mask.unflatten(0, tuple(batch_heads))
    parts = [attn_mask, None if padding is None else padding[:, None, None]]
    given = [part for part in parts if part is not None]
    if not given:
        return None
    if all(part.dtype == torch.bool for part in given):
        return ~reduce(torch.logical_or, given)
    floats = [
        torch.zeros_like(part, dtype=torch.float32).masked_fill(part, float("-inf")) if part.dtype == torch.bool
        else part for part in given
    ]  # fmt: skip
    return reduce(torch.add, floats)


def wanted_kernel() -> Kernel:
    """The fused kernel, which keeps no matrix, unless an edit needs a value that it never makes."""
    recorder = active_recorder()
    return "explicit" if recorder is not None and recorder.edits_any(*INTERMEDIATES, "weights") else "fused"
