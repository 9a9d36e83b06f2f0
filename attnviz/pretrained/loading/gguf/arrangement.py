"""Undoes what llama.cpp's converter does to a model's tensors, a function each.

Source: github.com/ggml-org/llama.cpp, convert_hf_to_gguf.py, `modify_tensors` of each architecture.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from transformers import PreTrainedConfig

Turn = Callable[[Tensor, PreTrainedConfig], Tensor]


def query_rows(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    """Rows of W_Q whose rotated pairs lie side by side in the file, and a half head apart here."""
    return pairs_apart(weight, config.num_attention_heads)


def key_rows(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    return pairs_apart(weight, config.num_key_value_heads)


def pairs_apart(weight: Tensor, n_heads: int) -> Tensor:
    rows = weight.reshape(n_heads, weight.shape[0] // n_heads // 2, 2, *weight.shape[1:])  # [H, d_k / 2, 2, …]
    return rows.transpose(1, 2).reshape(weight.shape)


def transposed(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    return weight.mT.contiguous()


def minus_one(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    """A norm's scale that is kept here as its difference from 1."""
    return weight.float() - 1


def head_by_head(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    """BLOOM: the rows of all q, of all k and of all v; here q, k, v of each head together."""
    rows = weight.reshape(3, config.n_head, -1, *weight.shape[1:])  # [3, H, d_k, …]
    return rows.transpose(0, 1).reshape(weight.shape)


def group_by_group(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    """Falcon: the same by groups of queries that share one key."""
    n_groups = config.num_kv_heads if config.new_decoder_architecture or not config.multi_query else 1
    d_k = config.hidden_size // config.num_attention_heads
    q, k, v = weight.split([config.num_attention_heads * d_k, n_groups * d_k, n_groups * d_k])
    parts = [part.reshape(n_groups, -1, d_k, *weight.shape[1:]) for part in (q, k, v)]  # [groups, own heads, d_k, …]
    return torch.cat(parts, dim=1).reshape(weight.shape)


def interleaved(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    """GPT-OSS: rows of gate, then of up; here each of gate with its own of up."""
    gate, up = weight.chunk(2, dim=1)  # [E, d_ff, …] each
    return torch.stack([gate, up], dim=2).reshape(weight.shape)


def interleaved_columns(weight: Tensor, config: PreTrainedConfig) -> Tensor:
    return transposed(interleaved(weight, config), config)
