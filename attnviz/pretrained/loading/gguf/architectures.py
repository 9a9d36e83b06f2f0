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
    if not d_k and width * n_heads != d_model:
        raise facts.strange("attention.key_length", width, str(d_model // n_heads))
    return {
        "vocab_size": facts.vocabulary, "hidden_size": d_model, "num_attention_heads": n_heads,
        "num_hidden_layers": facts.whole("block_count"), "max_position_embeddings": facts.whole("context_length"),
        "num_key_value_heads": facts.whole("attention.head_count_kv", n_heads),
        "intermediate_size": facts.whole("feed_forward_length"),
        "tie_word_embeddings": not facts.has("output.weight"),
    } | ({d_k: width} if d_k else {})  # fmt: skip


def without_experts(facts: Facts) -> None:
    for key in ("expert_count", "expert_used_count"):
        facts.expect(key, 0)


def experts_of(facts: Facts, count: str = "num_experts") -> Values:
    return {count: facts.whole("expert_count"), "num_experts_per_tok": facts.whole("expert_used_count")}


def rms(facts: Facts) -> float:
    return facts.real("attention.layer_norm_rms_epsilon")


def layer_norm(facts: Facts) -> float:
    return facts.real("attention.layer_norm_epsilon")


def llama(facts: Facts) -> Values:
    without_experts(facts)
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


def qwen2moe(facts: Facts) -> Values:
    return qwen2(facts) | experts_of(facts) | {
        "moe_intermediate_size": facts.whole("expert_feed_forward_length"),
        "shared_expert_intermediate_size": facts.whole("expert_shared_feed_forward_length"), "norm_topk_prob": False,
    }  # fmt: skip


def qwen3(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    return values | {"rms_norm_eps": rms(facts), "rope_parameters": rope_of(facts, values["head_dim"])}


def qwen3moe(facts: Facts) -> Values:
    width = {"moe_intermediate_size": facts.whole("expert_feed_forward_length"), "norm_topk_prob": True}
    return qwen3(facts) | experts_of(facts) | width


def gpt_oss(facts: Facts) -> Values:
    values = qwen3(facts) | experts_of(facts, "num_local_experts")
    if values["rope_parameters"]["rope_type"] == "yarn":
        values["rope_parameters"] |= {"beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}
    width = facts.whole("expert_feed_forward_length", values["intermediate_size"])
    return values | {"intermediate_size": width, "sliding_window": facts.whole("attention.sliding_window")}


def phi3(facts: Facts) -> Values:
    values = shape_of(facts)
    d_k = values["hidden_size"] // values["num_attention_heads"]
    longest = values["max_position_embeddings"]
    return values | {
        "rms_norm_eps": rms(facts), "rope_parameters": rope_of(facts, d_k, is_partial=True),
        "original_max_position_embeddings": facts.whole("rope.scaling.original_context_length", longest),
        "sliding_window": facts.at_least_zero("attention.sliding_window") or None,
    }  # fmt: skip


def gemma2(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    return values | {
        "rms_norm_eps": rms(facts), "rope_parameters": rope_of(facts, values["head_dim"]),
        "sliding_window": facts.whole("attention.sliding_window"), "query_pre_attn_scalar": gemma_scale(values, 46),
        "attn_logit_softcapping": facts.real("attn_logit_softcapping"),
        "final_logit_softcapping": facts.real("final_logit_softcapping"),
    }  # fmt: skip


def gemma3(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    rotations = {
        "full_attention": rope_of(facts, values["head_dim"], theta=1e6),
        "sliding_attention": {"rope_type": "default", "rope_theta": facts.real("rope.freq_base_swa", 10000.0)},
    }
    return values | {
        "rms_norm_eps": rms(facts), "rope_parameters": rotations,
        "sliding_window": facts.whole("attention.sliding_window"), "query_pre_attn_scalar": gemma_scale(values, 62),
    }  # fmt: skip


def gemma_scale(values: Values, layers_of_27b: int) -> int:
    """No file states it. Scores are divided by the square root of a head's width, or in the 27B of d_model / heads."""
    head_dim: int = values["head_dim"]
    is_27b = values["num_hidden_layers"] == layers_of_27b
    return values["hidden_size"] // values["num_attention_heads"] if is_27b else head_dim


def falcon(facts: Facts) -> Values:
    values = shape_of(facts)
    groups, width = values.pop("num_key_value_heads"), values.pop("intermediate_size")
    d_k = values["hidden_size"] // values["num_attention_heads"]
    return values | {
        "layer_norm_epsilon": layer_norm(facts), "rope_parameters": rope_of(facts, d_k),
        "ffn_hidden_size": width, "num_kv_heads": groups, "multi_query": groups == 1,
        "new_decoder_architecture": groups > 1, "parallel_attn": True, "alibi": False,
        "num_ln_in_parallel_attn": 2 if facts.has("attn_norm_2.weight") else 1, "bias": facts.has("attn_qkv.bias"),
    }  # fmt: skip


def bloom(facts: Facts) -> Values:
    values = shape_of(facts)
    facts.expect("feed_forward_length", 4 * values["hidden_size"])
    return {
        "vocab_size": values["vocab_size"], "hidden_size": values["hidden_size"],
        "n_layer": values["num_hidden_layers"], "n_head": values["num_attention_heads"],
        "layer_norm_epsilon": layer_norm(facts), "tie_word_embeddings": values["tie_word_embeddings"],
    }  # fmt: skip


def gpt2(facts: Facts) -> Values:
    values = shape_of(facts)
    return {
        "vocab_size": values["vocab_size"], "n_embd": values["hidden_size"], "n_layer": values["num_hidden_layers"],
        "n_head": values["num_attention_heads"], "n_positions": values["max_position_embeddings"],
        "n_inner": values["intermediate_size"], "layer_norm_epsilon": layer_norm(facts),
        "tie_word_embeddings": values["tie_word_embeddings"],
    }  # fmt: skip


def starcoder2(facts: Facts) -> Values:
    values = shape_of(facts)
    d_k = values["hidden_size"] // values["num_attention_heads"]
    return values | {
        "norm_epsilon": layer_norm(facts), "rope_parameters": rope_of(facts, d_k),
        "sliding_window": facts.at_least_zero("attention.sliding_window") or None,
        "use_bias": facts.has("attn_q.bias"),
    }  # fmt: skip


def stablelm(facts: Facts) -> Values:
    values = shape_of(facts)
    d_k, is_parallel = values["hidden_size"] // values["num_attention_heads"], not facts.has("ffn_norm.weight")
    facts.expect("use_parallel_residual", is_parallel)
    return values | {
        "layer_norm_eps": layer_norm(facts), "rope_parameters": rope_of(facts, d_k, is_partial=True),
        "use_parallel_residual": is_parallel, "use_qkv_bias": facts.has("attn_q.bias"),
    }  # fmt: skip


def nemotron(facts: Facts) -> Values:
    values = shape_of(facts, d_k="head_dim")
    return values | {
        "norm_eps": layer_norm(facts), "rope_parameters": rope_of(facts, values["head_dim"], is_partial=True),
        "attention_bias": facts.has("attn_q.bias"), "mlp_bias": facts.has("ffn_up.bias"),
    }  # fmt: skip


def lfm2(facts: Facts) -> Values:
    """Attention in the layers for which the file states keys; short convolutions in the others."""
    heads = facts.get("attention.head_count_kv")
    if not isinstance(heads, list) or not all(isinstance(n_kv_heads, int) for n_kv_heads in heads) or not any(heads):
        raise facts.strange("attention.head_count_kv", heads, "a number for each layer")
    n_layers, d_model, n_heads = (
        facts.whole(key) for key in ("block_count", "embedding_length", "attention.head_count")
    )
    return {
        "vocab_size": facts.vocabulary, "hidden_size": d_model, "num_hidden_layers": n_layers,
        "num_attention_heads": n_heads, "num_key_value_heads": max(heads),
        "intermediate_size": facts.whole("feed_forward_length"), "block_auto_adjust_ff_dim": False,
        "max_position_embeddings": facts.whole("context_length"), "norm_eps": rms(facts),
        "conv_L_cache": facts.whole("shortconv.l_cache"), "rope_parameters": rope_of(facts, d_model // n_heads),
        "layer_types": ["full_attention" if n_kv_heads else "conv" for n_kv_heads in heads],
        "tie_word_embeddings": not facts.has("output.weight"),
    }  # fmt: skip


EXPERTS = {
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
    "qwen2moe": Architecture("qwen2_moe", qwen2moe, parts=EXPERTS),
    "qwen3": Architecture("qwen3", qwen3),
    "qwen3moe": Architecture("qwen3_moe", qwen3moe, parts=EXPERTS),
    "gpt-oss": Architecture(
        "gpt_oss", gpt_oss,
        {"ffn_gate_exps.weight": arrangement.interleaved_columns, "ffn_gate_exps.bias": arrangement.interleaved,
         "ffn_down_exps.weight": arrangement.transposed},
        EXPERTS | {
            "mlp.experts.gate_up_proj_bias": ("ffn_gate_exps.bias", "ffn_up_exps.bias"),
            "mlp.experts.down_proj_bias": ("ffn_down_exps.bias",),
            "self_attn.sinks": ("attn_sinks.weight",),
        },
    ),
    "phi3": Architecture("phi3", phi3),
    "gemma2": Architecture("gemma2", gemma2, MINUS_ONE),
    "gemma3": Architecture("gemma3_text", gemma3, MINUS_ONE),
    "falcon": Architecture("falcon", falcon, {"attn_qkv.weight": arrangement.group_by_group}),
    "bloom": Architecture(
        "bloom", bloom, {"attn_qkv.weight": arrangement.head_by_head, "attn_qkv.bias": arrangement.head_by_head},
        {"word_embeddings_layernorm.weight": ("token_embd_norm.weight",),
         "word_embeddings_layernorm.bias": ("token_embd_norm.bias",),
         "post_attention_layernorm.weight": ("ffn_norm.weight",),
         "post_attention_layernorm.bias": ("ffn_norm.bias",)},
    ),
    "gpt2": Architecture(
        "gpt2", gpt2,
        dict.fromkeys(
            ("attn_qkv.weight", "attn_output.weight", "ffn_up.weight", "ffn_down.weight"), arrangement.transposed
        ),
    ),
    "starcoder2": Architecture("starcoder2", starcoder2),
    "stablelm": Architecture("stablelm", stablelm),
    "nemotron": Architecture("nemotron", nemotron, MINUS_ONE),
    "lfm2": Architecture("lfm2", lfm2),
}  # fmt: skip

WITHOUT_ATTENTION = ("mamba", "mamba2", "rwkv6", "rwkv7", "arwkv7", "rwkv6qwen2")
