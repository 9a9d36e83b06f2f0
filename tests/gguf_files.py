"""Writes models of transformers as GGUF files, by the rules of llama.cpp's converter: what our reader has to undo.

Source: github.com/ggml-org/llama.cpp, convert_hf_to_gguf.py.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from tokenizers import pre_tokenizers

SHAPE = {"vocab_size": 300, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
         "intermediate_size": 64}  # fmt: skip
GROUPED = SHAPE | {"num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1,
                   "eos_token_id": 2}  # fmt: skip
WIDE = GROUPED | {"head_dim": 16}  # d_model is not the heads' width times their number
EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 16}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 32.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}  # fmt: skip
YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16}

# Name of a case -> architecture in the file, transformers' model type, its configuration, the file's own metadata.
CASES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "llama": ("llama", "llama", GROUPED | {"tie_word_embeddings": True}, {}),
    "llama, own head, biases": ("llama", "llama", WIDE | {"attention_bias": True, "mlp_bias": True}, {}),
    "llama 3.2": ("llama", "llama", GROUPED | {"head_dim": 64, "rope_parameters": LLAMA3}, {"rope.freq_base": 5e5}),
    "llama, linear": (
        "llama", "llama", GROUPED | {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}},
        {"rope.scaling.type": "linear", "rope.scaling.factor": 2.0},
    ),
    "mistral": ("llama", "mistral", GROUPED | {"sliding_window": None}, {}),
    "qwen2": ("qwen2", "qwen2", GROUPED | {"tie_word_embeddings": True}, {"rope.freq_base": 1e4}),
    "qwen2, yarn": (
        "qwen2", "qwen2", GROUPED | {"rope_parameters": YARN},
        {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 16},
    ),
    "qwen2moe": (
        "qwen2moe", "qwen2_moe",
        GROUPED | EXPERTS | {"num_experts": 4, "shared_expert_intermediate_size": 24, "norm_topk_prob": False},
        {"expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 16,
         "expert_shared_feed_forward_length": 24},
    ),
    "qwen3": ("qwen3", "qwen3", WIDE, {}),
    "qwen3moe": (
        "qwen3moe", "qwen3_moe", WIDE | EXPERTS | {"num_experts": 4, "norm_topk_prob": True},
        {"expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 16},
    ),
    "gpt-oss": (
        "gpt-oss", "gpt_oss",
        WIDE | {"num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 8,
                "rope_parameters": YARN | {"beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}},
        {"expert_count": 4, "expert_used_count": 2, "expert_feed_forward_length": 64, "attention.sliding_window": 8,
         "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 16},
    ),
    "phi3": (
        "phi3", "phi3",
        GROUPED | {"sliding_window": 8, "original_max_position_embeddings": 64,
                   "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}},
        {"rope.dimension_count": 4, "rope.scaling.original_context_length": 64, "attention.sliding_window": 8},
    ),
    "gemma2": (
        "gemma2", "gemma2", WIDE | {"sliding_window": 8, "query_pre_attn_scalar": 16, "attn_logit_softcapping": 2.0,
                                    "final_logit_softcapping": 3.0},
        {"attention.sliding_window": 8, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3": (
        "gemma3", "gemma3_text",
        WIDE | {"num_hidden_layers": 6, "sliding_window": 8, "query_pre_attn_scalar": 16, "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}},
        {"attention.sliding_window": 8, "rope.freq_base": 1e6, "rope.scaling.type": "linear",
         "rope.scaling.factor": 8.0},
    ),
    "falcon": (
        "falcon", "falcon", SHAPE | {"multi_query": True, "new_decoder_architecture": False, "ffn_hidden_size": 64},
        {"attention.head_count_kv": 1},
    ),
    "falcon, groups": (
        "falcon", "falcon", SHAPE | {"new_decoder_architecture": True, "num_kv_heads": 2, "ffn_hidden_size": 64},
        {"attention.head_count_kv": 2},
    ),
    "bloom": (
        "bloom", "bloom", {"vocab_size": 300, "hidden_size": 32, "n_layer": 2, "n_head": 4},
        {"feed_forward_length": 128},
    ),
    "gpt2": (
        "gpt2", "gpt2", {"vocab_size": 300, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "n_inner": 64},
        {},
    ),
    "starcoder2": ("starcoder2", "starcoder2", GROUPED | {"sliding_window": 8}, {"attention.sliding_window": 8}),
    "stablelm": (
        "stablelm", "stablelm",
        GROUPED | {"use_qkv_bias": True, "use_parallel_residual": True, "rope_parameters": {
            "rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.25}},
        {"rope.dimension_count": 2, "use_parallel_residual": True},
    ),
    "nemotron": (
        "nemotron", "nemotron", WIDE | {"rope_parameters": {
            "rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}},
        {"rope.dimension_count": 8},
    ),
    "lfm2": (
        "lfm2", "lfm2", GROUPED | {"layer_types": ["conv", "full_attention"], "block_auto_adjust_ff_dim": False},
        {"attention.head_count_kv": [0, 2], "shortconv.l_cache": 3, "rope.freq_base": 1e6},
    ),
}  # fmt: skip
RMS_EPSILON = {"phi3": 1e-5, "gpt-oss": 1e-5, "lfm2": 1e-5}
EPSILON = {"falcon": 1e-5, "bloom": 1e-5, "gpt2": 1e-5, "starcoder2": 1e-5, "stablelm": 1e-5, "nemotron": 1e-5}


def vocabulary() -> list[str]:
    """Every byte is a token, then unused ones, up to the 300 rows of the tiny models."""
    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "th"]
    return letters + [f"<unused{number}>" for number in range(300 - len(letters))]


def metadata_of(case: str) -> dict[str, Any]:
    """What a converter states of such a model."""
    architecture, _, sizes, own = CASES[case]
    get = lambda *names: next(sizes[name] for name in names if name in sizes)  # noqa: E731
    heads = get("num_attention_heads", "n_head")
    d_model = get("hidden_size", "n_embd")
    stated = {
        "block_count": get("num_hidden_layers", "n_layer"), "context_length": 64, "embedding_length": d_model,
        "feed_forward_length": sizes.get("intermediate_size", 64), "attention.head_count": heads,
        "attention.head_count_kv": sizes.get("num_key_value_heads", heads), "vocab_size": 300,
    }  # fmt: skip
    if "head_dim" in sizes:
        stated |= {"attention.key_length": sizes["head_dim"], "attention.value_length": sizes["head_dim"]}
        if "partial_rotary_factor" not in sizes.get("rope_parameters", {}):
            stated["rope.dimension_count"] = sizes["head_dim"]
    if architecture in EPSILON:
        stated["attention.layer_norm_epsilon"] = EPSILON[architecture]
    else:
        stated["attention.layer_norm_rms_epsilon"] = RMS_EPSILON.get(architecture, 1e-6)
    return stated | own


def tensors_of(case: str, module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """A model's tensors as a converter writes them."""
    architecture = CASES[case][0]
    number = next(key for key, name in gguf.MODEL_ARCH_NAMES.items() if name == architecture)
    names = gguf.get_tensor_name_map(number, module.config.num_hidden_layers)
    tied = set(module.all_tied_weights_keys)
    found: dict[str, torch.Tensor] = {}
    for name, tensor in module.state_dict().items():
        if name in tied:
            continue
        path, dot, leaf = name.rpartition(".")
        layer = re.search(r"\.(\d+)\.", name)
        block = f"blk.{layer[1]}." if layer else ""
        if "mlp.experts." in name:
            found |= {f"{block}{own}": part for own, part in expert_parts(architecture, leaf, tensor).items()}
        elif leaf == "sinks":
            found[f"{block}attn_sinks.weight"] = tensor
        else:
            known = names.get_name(path) or f"{block}{OTHER_NAMES[path.split('.')[-1]]}"
            own = f"{known}{dot}{leaf}"
            found[own] = converted(architecture, own, tensor, module.config)
    if case == "llama 3.2":
        found["rope_freqs.weight"] = llama3_factors(64)
    return found


OTHER_NAMES = {"word_embeddings_layernorm": "token_embd_norm", "post_attention_layernorm": "ffn_norm"}


def expert_parts(architecture: str, leaf: str, tensor: torch.Tensor) -> dict[str, torch.Tensor]:
    """The tensors of a layer's experts, in one piece a projection."""
    if architecture != "gpt-oss":
        if leaf == "down_proj":
            return {"ffn_down_exps.weight": tensor}
        gate, up = tensor.chunk(2, dim=1)
        return {"ffn_gate_exps.weight": gate, "ffn_up_exps.weight": up}
    end = "bias" if leaf.endswith("bias") else "weight"
    tensor = tensor if end == "bias" else tensor.mT
    if leaf.startswith("down"):
        return {f"ffn_down_exps.{end}": tensor}
    return {f"ffn_gate_exps.{end}": tensor[:, ::2], f"ffn_up_exps.{end}": tensor[:, 1::2]}


def converted(architecture: str, name: str, tensor: torch.Tensor, config: Any) -> torch.Tensor:
    """One tensor as the converter of its architecture writes it."""
    if architecture == "llama" and re.search(r"attn_[qk]\.", name):
        heads = config.num_attention_heads if "attn_q" in name else config.num_key_value_heads
        return tensor.reshape(heads, 2, -1, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)
    if architecture in ("gemma2", "gemma3", "nemotron") and name.endswith("norm.weight"):
        return tensor + 1
    if architecture == "gpt2" and re.search(r"attn_qkv.weight|attn_output.weight|ffn_(up|down).weight", name):
        return tensor.T
    if architecture == "bloom" and "attn_qkv" in name:
        parts = tensor.reshape(config.n_head, 3, -1, *tensor.shape[1:])
        return torch.cat([parts[:, number].reshape(-1, *tensor.shape[1:]) for number in range(3)])
    if architecture == "falcon" and name.endswith("attn_qkv.weight"):
        groups = config.num_kv_heads if config.new_decoder_architecture else 1
        d_k = config.hidden_size // config.num_attention_heads
        parts = tensor.reshape(groups, config.num_attention_heads // groups + 2, d_k, -1)
        pieces = (parts[:, :-2], parts[:, [-2]], parts[:, [-1]])
        return torch.cat([part.reshape(-1, config.hidden_size) for part in pieces])
    if name.endswith(("shortconv.conv.weight", "ffn_gate_inp_shexp.weight")):
        return tensor.squeeze()
    return tensor


def llama3_factors(d_k: int) -> torch.Tensor:
    """What a converter makes of Llama 3's rule: by how much each wavelength is stretched."""
    factors = []
    for number in range(0, d_k, 2):
        wavelength = 2 * np.pi * LLAMA3["rope_theta"] ** (number / d_k)
        if wavelength < 8192 / 4:
            factors.append(1.0)
        elif wavelength > 8192 / 1:
            factors.append(32.0)
        else:
            smooth = (8192 / wavelength - 1) / (4 - 1)
            factors.append(1 / ((1 - smooth) / 32.0 + smooth))
    return torch.tensor(factors, dtype=torch.float32)


def write(
    path: Path, architecture: str, stated: Mapping[str, Any], tensors: Mapping[str, torch.Tensor], *,
    general: Mapping[str, Any] | None = None, quantise: Callable[[str], Any] = lambda name: None,
) -> Path:  # fmt: skip
    """A GGUF file with these metadata and tensors, and a vocabulary of bytes."""
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    for key, value in (general or {}).items():
        add(writer, key, value)
    for key, value in stated.items():
        add(writer, f"{architecture}.{key}", value)
    tokens = vocabulary()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if number in (1, 2) else 1 for number in range(len(tokens))])
    writer.add_token_merges(["t h"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    for name, tensor in tensors.items():
        numbers, kind = tensor.detach().float().contiguous().numpy(), quantise(name)
        if kind is None:
            writer.add_tensor(name, numbers)
        else:
            writer.add_tensor(name, gguf.quants.quantize(numbers, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, list):
        writer.add_array(key, value)
    else:
        writer.add_string(key, value)
