"""The settings and weights of torch.nn.MultiheadAttention under our names, and our weights under its names.

Torch stacks W_Q, W_K and W_V into one matrix.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.core.errors import InputError

LAYERS = ("w_q", "w_k", "w_v")


def from_torch_layer(theirs: nn.MultiheadAttention) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What `MultiHeadAttention` is built with, and its state dict, for the same numbers as torch's layer."""
    if type(theirs) is not nn.MultiheadAttention:
        raise InputError(id="no-torch-layer", came=f"{type(theirs).__module__}.{type(theirs).__name__}")
    if theirs.bias_k is not None or theirs.add_zero_attn:
        raise InputError(id="torch-layer-adds-keys")
    if theirs.in_proj_weight is None:
        raise InputError(
            id="torch-layer-widths", keys=str(theirs.kdim), values=str(theirs.vdim), expected=str(theirs.embed_dim)
        )
    settings = {
        "d_model": theirs.embed_dim, "n_heads": theirs.num_heads, "bias": theirs.in_proj_bias is not None,
        "dropout": theirs.dropout,
    }  # fmt: skip
    weights = theirs.in_proj_weight.chunk(3)  # [3·d_model, d_model] -> [d_model, d_model] each
    state = {f"{name}.weight": weight for name, weight in zip(LAYERS, weights, strict=True)}
    state["w_o.weight"] = theirs.out_proj.weight  # [d_model, d_model]
    if theirs.in_proj_bias is not None:
        biases = theirs.in_proj_bias.chunk(3)  # [3·d_model] -> [d_model] each
        state |= {f"{name}.bias": bias for name, bias in zip(LAYERS, biases, strict=True)}
        state["w_o.bias"] = theirs.out_proj.bias  # [d_model]
    return settings, state


def for_torch_layer(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Our state dict as torch's layer loads it."""
    known = {f"{name}.{kind}" for name in (*LAYERS, "w_o") for kind in ("weight", "bias")}
    if other := sorted(set(state) - known):
        raise InputError(id="layer-holds-more", name=other[0])
    stacked = torch.cat([state[f"{name}.weight"] for name in LAYERS])  # [3·d_model, d_model]
    theirs = {"in_proj_weight": stacked, "out_proj.weight": state["w_o.weight"]}
    if "w_q.bias" in state:
        theirs["in_proj_bias"] = torch.cat([state[f"{name}.bias"] for name in LAYERS])  # [3·d_model]
        theirs["out_proj.bias"] = state["w_o.bias"]  # [d_model]
    return theirs
