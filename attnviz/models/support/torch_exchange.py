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
    if type(theirs).forward is not nn.MultiheadAttention.forward:  # such as torch.ao's, which reads other weights
        raise InputError(
            f"{type(theirs).__module__}.{type(theirs).__name__} computes in a way of its own; expected a plain "
            "torch.nn.MultiheadAttention. Copy the weights into one."
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
        for our_part, whole, third in _pairs(ours, theirs):
            our_part.copy_(_part(whole, third))
            our_part.requires_grad_(whole.requires_grad)
    return ours.train(theirs.training)


def torch_from_ours(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    """See `MultiHeadAttention.to_torch`."""
    if ours.head_value_dim != ours.head_width:
        raise InputError(
            f"head_value_dim is {ours.head_value_dim}; torch's layer expects D / H = {ours.head_width}. "
            "Leave head_value_dim out."
        )
    for name in ("w_q", "w_k", "w_v", "w_o"):
        own = type(getattr(ours, name))
        if own is not nn.Linear and not nn.utils.parametrize.is_parametrized(getattr(ours, name)):
            raise InputError(
                f"{name} is a {own.__name__}; expected an nn.Linear, whose weight is all it computes with. Merge what "
                "it adds into its weight, or put an nn.Linear in its place."
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
        pairs = _pairs(ours, theirs)
        for our_part, whole, third in pairs:
            _part(whole, third).copy_(our_part)
            whole.requires_grad_(any(part.requires_grad for part, its, _ in pairs if its is whole))
    return theirs.train(ours.training)


def _pairs(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> list[tuple[Tensor, Tensor, int | None]]:
    """Each of our parameters with torch's that means the same, and which third of it; torch stacks q, k and v."""
    linears = (ours.w_q, ours.w_k, ours.w_v)
    pairs: list[tuple[Tensor, Tensor, int | None]] = [(ours.w_o.weight, theirs.out_proj.weight, None)]  # [D, D]
    if theirs.in_proj_weight is None:
        apart = (theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight)  # [D, width] each
        pairs += [(linear.weight, weight, None) for linear, weight in zip(linears, apart, strict=True)]
    else:
        pairs += [(linear.weight, theirs.in_proj_weight, third) for third, linear in enumerate(linears)]  # of [3·D, D]
    if theirs.in_proj_bias is not None:
        pairs += [(linear.bias, theirs.in_proj_bias, third) for third, linear in enumerate(linears)]  # of [3·D]
        pairs.append((ours.w_o.bias, theirs.out_proj.bias, None))  # [D]
    return pairs


def _part(whole: Tensor, third: int | None) -> Tensor:
    """[3·D, …] -> [D, …], or all of it."""
    return whole if third is None else whole.chunk(3)[third]
