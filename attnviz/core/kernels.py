"""Other ways to the numbers of `attend`: by torch's fused kernel, in blocks of rows."""

from typing import cast

import torch
from torch import Tensor
from torch.nn import functional as F

from . import ops
from .capture import keeps_intermediates
from .errors import InputError
from .ops import Call

BLOCK_ROWS = 1024  # queries computed at a time where torch's fused kernel cannot do the arithmetic


def needs_each_line(q: Tensor, k: Tensor, v: Tensor, call: Call) -> bool:
    """Whether raw, scores, masked and weights must each be a tensor, and not one buffer (`ops.weights_in_place`).

    They must where something else needs them (a recording with keep="all", an edit of one, a gradient through them),
    where torch does not run the code as it is written (compiling, autocast), and where q, k and v need broadcasting.
    """
    tensors = [part for part in (q, k, *call) if isinstance(part, Tensor)]
    return (
        keeps_intermediates()
        or (torch.is_grad_enabled() and any(part.requires_grad for part in tensors))
        or torch.compiler.is_compiling()
        or torch.is_autocast_enabled(q.device.type)
        or call.sinks is not None  # their column makes the rows longer
        or not q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    )


def fused(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """The context alone, in memory that grows with the text and not with its square: [..., T_q, d_v]."""
    is_rowwise = call.softcap is not None or call.sinks is not None or call.has_own_scales
    if is_rowwise or call.mask is not None or call.bias is not None:  # else torch's kernel needs no mask in memory
        call = call.written_out(q.shape[-2], k.shape[-2], q.device)
    has_mask = call.mask is not None or call.bias is not None
    if is_rowwise or (has_mask and not q.is_cpu):  # with a mask, torch's kernels elsewhere take no grouped heads
        k, v = ops.repeat_heads(k, q), ops.repeat_heads(v, q)  # [..., H, T_k, d_k], [..., H, T_k, d_v]
    if is_rowwise:
        return row_blocks(q, k, v, call)  # [..., T_q, d_v]
    mask, blocked = call.mask, ops.blocked_rows(call.mask, call.bias)
    scale = cast(float, call.scale)  # the same for all heads
    if call.bias is not None:
        mask = ops.add_mask(call.bias, mask)  # [..., T_q, T_k]
    if blocked is not None and mask is not None:  # torch gives NaN gradients there: unmask here, zero the result below
        mask = mask | blocked if mask.dtype == torch.bool else mask.masked_fill(blocked, 0.0)
    try:
        context = F.scaled_dot_product_attention(
            q, k, v, mask, call.dropout, call.is_causal, scale=scale, enable_gqa=is_grouped(q, k)
        )  # [..., T_q, d_v]
    except NotImplementedError as error:
        raise InputError(id="fused-cannot", reason=str(error).splitlines()[0].rstrip(".")) from error
    return context if blocked is None else context.masked_fill(blocked, 0.0)  # [..., T_q, d_v]


def is_grouped(q: Tensor, k: Tensor) -> bool:
    """Whether several heads of q share a head of k."""
    return q.ndim == k.ndim == 4 and k.shape[1] < q.shape[1]


def row_blocks(q: Tensor, k: Tensor, v: Tensor, call: Call) -> Tensor:
    """Attention with a soft-cap, sinks or a scale for each head, which torch's kernel cannot do, in blocks of queries:
    [..., T_q, d_v].
    """
    blocks = []
    for start in range(0, q.shape[-2], BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        mask, bias = (
            part if part is None or part.shape[-2] == 1 else part[..., rows, :] for part in (call.mask, call.bias)
        )  # [..., R | 1, T_k | 1]
        weights = ops.replay("weights", q[..., rows, :], k, call._replace(mask=mask, bias=bias))  # [..., R, T_k]
        blocks.append(ops.weigh_values(ops.drop_weights(weights, call.dropout), v))  # [..., R, d_v]
    return torch.cat(blocks, dim=-2)  # [..., T_q, d_v]
