"""The same layer in two libraries: our MultiHeadAttention and torch's, weights copied from one to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError

if TYPE_CHECKING:  # attention.py uses this file; only the name of its class is needed here
    from attnviz.models.attention import MultiHeadAttention


def ours_from_torch(theirs: nn.MultiheadAttention, kind: type[MultiHeadAttention]) -> MultiHeadAttention:
    """See `MultiHeadAttention.from_torch`."""
    if not isinstance(theirs, nn.MultiheadAttention):
        raise InputError(
            f"{type(theirs).__name__} came; expected a torch.nn.MultiheadAttention. "
            "Of a torch transformer layer pass its self_attn or multihead_attn."
        )
    if theirs.bias_k is not None or theirs.add_zero_attn:
        raise InputError(
            "This torch layer adds keys that belong to no token (add_bias_kv or add_zero_attn); expected a layer "
            "without. Build it with both switched off."
        )
    ours = kind(
        theirs.embed_dim,
        theirs.num_heads,
        bias=theirs.in_proj_bias is not None,
        dropout=theirs.dropout,
        key_width=theirs.kdim,
        value_width=theirs.vdim,
        batch_first=theirs.batch_first,
    ).to(theirs.out_proj.weight)  # device and precision
    with torch.no_grad():
        for our_part, their_part in _pairs(ours, theirs):
            our_part.copy_(their_part)
    return ours.train(theirs.training)


def torch_from_ours(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    """See `MultiHeadAttention.to_torch`."""
    if ours.head_value_dim != ours.head_width:
        raise InputError(
            f"head_value_dim is {ours.head_value_dim}; torch's layer expects D / H = {ours.head_width}. "
            "Leave head_value_dim out."
        )
    theirs = nn.MultiheadAttention(
        ours.d_model,
        ours.n_heads,
        dropout=ours.dropout,
        bias=ours.w_q.bias is not None,
        kdim=ours.key_width,
        vdim=ours.value_width,
        batch_first=ours.batch_first,
    ).to(ours.w_q.weight)
    with torch.no_grad():
        for our_part, their_part in _pairs(ours, theirs):
            their_part.copy_(our_part)
    return theirs.train(ours.training)


def _pairs(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> list[tuple[Tensor, Tensor]]:
    """Each of our parameters with the part of torch's that means the same; torch stacks q, k and v in one matrix."""
    if theirs.in_proj_weight is None:
        weights = (theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight)  # [D, width] each
    else:
        weights = theirs.in_proj_weight.chunk(3)  # [3·D, D] -> three [D, D]
    pairs = list(zip((ours.w_q.weight, ours.w_k.weight, ours.w_v.weight), weights, strict=True))
    pairs.append((ours.w_o.weight, theirs.out_proj.weight))  # [D, D]
    if theirs.in_proj_bias is not None:
        pairs += zip((ours.w_q.bias, ours.w_k.bias, ours.w_v.bias), theirs.in_proj_bias.chunk(3), strict=True)
        pairs.append((ours.w_o.bias, theirs.out_proj.bias))  # [D]
    return pairs
