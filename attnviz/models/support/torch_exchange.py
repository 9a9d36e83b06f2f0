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
        raise InputError(
            f"{type(theirs).__module__}.{type(theirs).__name__} came; expected a plain torch.nn.MultiheadAttention. "
            "Of a torch transformer layer pass its self_attn or multihead_attn."
        )
    if theirs.bias_k is not None or theirs.add_zero_attn:
        raise InputError(
            "This torch layer adds keys that belong to no token (add_bias_kv or add_zero_attn); expected a layer "
            "without. Build it with both switched off."
        )
    if theirs.in_proj_weight is None:
        raise InputError(
            f"This torch layer makes keys from {theirs.kdim} features and values from {theirs.vdim}; expected "
            f"{theirs.embed_dim}, as of the queries. Build it without kdim and vdim."
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
        raise InputError(
            f"This layer holds {other[0]}; expected the weights and biases of w_q, w_k, w_v and w_o alone. Merge what "
            "was added into their weights."
        )
    stacked = torch.cat([state[f"{name}.weight"] for name in LAYERS])  # [3·d_model, d_model]
    theirs = {"in_proj_weight": stacked, "out_proj.weight": state["w_o.weight"]}
    if "w_q.bias" in state:
        theirs["in_proj_bias"] = torch.cat([state[f"{name}.bias"] for name in LAYERS])  # [3·d_model]
        theirs["out_proj.bias"] = state["w_o.bias"]  # [d_model]
    return theirs
