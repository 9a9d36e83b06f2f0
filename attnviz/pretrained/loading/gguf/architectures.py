"""The architectures of GGUF files that are read, a row each: what makes a configuration, and how tensors are arranged.

A test makes a tiny model of each, writes it as llama.cpp's converter does, and compares logits. What transformers'
own reader leaves out (soft caps, stretched rotations, widths of heads) is read here, or refused.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from attnviz.pretrained.loading.gguf import arrangement
from attnviz.pretrained.loading.gguf.dequantise import numbers_of
from attnviz.pretrained.loading.gguf.facts import Facts, rope_of

Values = dict[str, Any]


@dataclass(frozen=True)
class Architecture:
    """One row. Names of tensors are without `blk.N.`."""

    model_type: str  # transformers' name
    values: Callable[[Facts], Values]  # its configuration
    turns: Mapping[str, arrangement.Turn] = field(default_factory=dict)  # tensor, or the end of its name -> undoing
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # end of a parameter's name -> its tensors
    read: tuple[str, ...] = ()  # tensors that its configuration is made of


def shape_of(facts: Facts, *, d_k: str = "") -> Values:
    """What almost all architectures state; `d_k` is the configuration's name for the width of a head."""
    d_model, n_heads = facts.whole("embedding_length"), facts.whole("attention.head_count")
    width = facts.whole("attention.key_length", max(d_model // n_heads, 1))
    facts.expect("attention.value_length", width)
    facts.expect("attention.causal", True)
    facts.expect("expert_count", 0)
    facts.expect("expert_used_count", 0)
    if not d_k and width * n_heads != d_model:
        raise facts.strange("attention.key_length", width, str(d_model // n_heads))
    return {
        "vocab_size": facts.vocabulary, "hidden_size": d_model, "num_attention_heads": n_heads,
        "num_hidden_layers": facts.whole("block_count"), "max_position_embeddings": facts.whole("context_length"),
        "num_key_value_heads": facts.whole("attention.head_count_kv", n_heads),
        "intermediate_size": facts.whole("feed_forward_length"),
        "tie_word_embeddings": not facts.has("output.weight"),
    } | ({d_k: width} if d_k else {})  # fmt: skip


def rms(facts: Facts) -> float:
    return facts.real("attention.layer_norm_rms_epsilon")


def layer_norm(facts: Facts) -> float:
    return facts.real("attention.layer_norm_epsilon")


def llama(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    return values | {
        "rms_norm_eps": rms(facts), "rope_parameters": llama3_rope(facts, values["head_dim"]),
        "attention_bias": facts.has("attn_q.bias"), "mlp_bias": facts.has("ffn_up.bias"),
    }  # fmt: skip


LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
FREQUENCIES = "rope_freqs.weight"


def llama3_rope(facts: Facts, d_k: int) -> Values:
    """The rotation, stretched from Llama 3.1 on: by a tensor in a file, by a rule in a configuration."""
    rope = rope_of(facts, d_k)
    if not facts.has(FREQUENCIES):
        return rope
    held = numbers_of(facts.header, FREQUENCIES).float()  # [d_k / 2]
    wavelengths = 2 * math.pi * rope["rope_theta"] ** (torch.arange(0, d_k, 2) / d_k)  # [d_k / 2], in tokens
    turns = LLAMA3["original_max_position_embeddings"] / wavelengths  # over the first texts' length
    low, high = LLAMA3["low_freq_factor"], LLAMA3["high_freq_factor"]
    smooth = ((turns - low) / (high - low)).clamp(0, 1)  # [d_k / 2]
    factor = float(held.max())
    if held.shape != smooth.shape or not torch.allclose(held, 1 / ((1 - smooth) / factor + smooth), rtol=1e-4):
        raise facts.strange(FREQUENCIES, "other numbers", "Llama 3's stretch of the rotation")
    return rope | {"rope_type": "llama3", "factor": factor} | LLAMA3


def qwen2(facts: Facts) -> Values:
    values = shape_of(facts)
    d_k = values["hidden_size"] // values["num_attention_heads"]
    return values | {"rms_norm_eps": rms(facts), "rope_parameters": rope_of(facts, d_k)}


def qwen3(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    return values | {"rms_norm_eps": rms(facts), "rope_parameters": rope_of(facts, values["head_dim"])}


def experts_of(facts: Facts) -> Values:
    """What is read before `shape_of`, which refuses experts."""
    return {"num_experts_per_tok": facts.whole("expert_used_count"), "n": facts.whole("expert_count")}


MOE_PARTS = {
    "mlp.experts.gate_up_proj": ("ffn_gate_exps.weight", "ffn_up_exps.weight"),
    "mlp.experts.down_proj": ("ffn_down_exps.weight",),
}
MINUS_ONE = {"norm.weight": arrangement.minus_one}

ARCHITECTURES = {
    "llama": Architecture(
        "llama", llama,
        {"attn_q.weight": arrangement.query_rows, "attn_q.bias": arrangement.query_rows,
         "attn_k.weight": arrangement.key_rows, "attn_k.bias": arrangement.key_rows},
        read=(FREQUENCIES,),
    ),
    "qwen2": Architecture("qwen2", qwen2),
    "qwen3": Architecture("qwen3", qwen3),
}  # fmt: skip

WITHOUT_ATTENTION = ("mamba", "mamba2", "rwkv6", "rwkv7", "arwkv7", "rwkv6qwen2")
