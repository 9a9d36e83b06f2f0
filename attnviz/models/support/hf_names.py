"""Tables of names: where families of published models hold what our modules hold, and what their config.json says.

A family is a row. `style` is what all its models have in common, as fields of our configuration; what differs from
model to model is read from config.json (published_settings.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from attnviz.models.config import BERT_EMBEDDING, GPT2_EMBEDDING, LLAMA_EMBEDDING, ActivationName, EmbeddingStyle


@dataclass(frozen=True)
class NameMap:
    """Where one family of models holds what our modules hold; {i} is the number of the layer."""

    # ours -> theirs. "name:q" is one of several matrices that lie below each other in one; where a family has had two
    # names for one thing, they stand one behind the other: "lm_head embed_out".
    modules: Mapping[str, str]
    prefixes: tuple[str, ...]  # what a model with a head puts before these names
    ignored: str  # names (regular expression) that are no part of the stack: poolers, heads, fixed masks
    embedding: EmbeddingStyle
    style: Mapping[str, Any] = field(default_factory=dict)  # fields of TransformerConfig
    attention: Mapping[str, Any] = field(default_factory=dict)  # fields of AttentionStyle
    windows: Literal["", "all", "by layer"] = ""  # which blocks have the sliding window of config.json
    is_transposed: bool = False  # matrices of blocks are [in, out], not [out, in] as torch does
    first_position: int = 0  # RoBERTa leaves the first two rows of its position table unused
    qkv_by_head: bool = False  # of q, k and v in one matrix: those of the first head, then those of the second
    gain_added: float = 0.0  # Gemma stores the gains of its norms less 1
    required: Mapping[str, object] = field(default_factory=dict)  # settings that our blocks have one value for


BERT_MODULES = {
    "embed.tokens": "embeddings.word_embeddings",
    "embed.positions.table": "embeddings.position_embeddings",
    "embed.types": "embeddings.token_type_embeddings",
    "embed.norm": "embeddings.LayerNorm",
    "blocks.{i}.self_attention.w_q": "encoder.layer.{i}.attention.self.query",
    "blocks.{i}.self_attention.w_k": "encoder.layer.{i}.attention.self.key",
    "blocks.{i}.self_attention.w_v": "encoder.layer.{i}.attention.self.value",
    "blocks.{i}.self_attention.w_o": "encoder.layer.{i}.attention.output.dense",
    "blocks.{i}.self_residual.norm": "encoder.layer.{i}.attention.output.LayerNorm",
    "blocks.{i}.feed_forward.w_1": "encoder.layer.{i}.intermediate.dense",
    "blocks.{i}.feed_forward.w_2": "encoder.layer.{i}.output.dense",
    "blocks.{i}.feed_forward_residual.norm": "encoder.layer.{i}.output.LayerNorm",
}
GPT2_MODULES = {
    "embed.tokens": "wte",
    "embed.positions.table": "wpe",
    "blocks.{i}.self_residual.norm": "h.{i}.ln_1",
    "blocks.{i}.self_attention.w_q": "h.{i}.attn.c_attn:q",
    "blocks.{i}.self_attention.w_k": "h.{i}.attn.c_attn:k",
    "blocks.{i}.self_attention.w_v": "h.{i}.attn.c_attn:v",
    "blocks.{i}.self_attention.w_o": "h.{i}.attn.c_proj",
    "blocks.{i}.feed_forward_residual.norm": "h.{i}.ln_2",
    "blocks.{i}.feed_forward.w_1": "h.{i}.mlp.c_fc",
    "blocks.{i}.feed_forward.w_2": "h.{i}.mlp.c_proj",
    "final_norm": "ln_f",
    "to_vocabulary": "lm_head",
}
LLAMA_MODULES = {
    "embed.tokens": "embed_tokens",
    "blocks.{i}.self_residual.norm": "layers.{i}.input_layernorm",
    "blocks.{i}.self_attention.w_q": "layers.{i}.self_attn.q_proj",
    "blocks.{i}.self_attention.w_k": "layers.{i}.self_attn.k_proj",
    "blocks.{i}.self_attention.w_v": "layers.{i}.self_attn.v_proj",
    "blocks.{i}.self_attention.w_o": "layers.{i}.self_attn.o_proj",
    "blocks.{i}.feed_forward_residual.norm": "layers.{i}.post_attention_layernorm",
    "blocks.{i}.feed_forward.w_gate": "layers.{i}.mlp.gate_proj",
    "blocks.{i}.feed_forward.w_1": "layers.{i}.mlp.up_proj",
    "blocks.{i}.feed_forward.w_2": "layers.{i}.mlp.down_proj",
    "final_norm": "norm",
    "to_vocabulary": "lm_head",
}
QK_NORMS = {
    "blocks.{i}.self_attention.process_heads.q_norm": "layers.{i}.self_attn.q_norm",
    "blocks.{i}.self_attention.process_heads.k_norm": "layers.{i}.self_attn.k_norm",
}
PHI3_MODULES = LLAMA_MODULES | {
    "blocks.{i}.self_attention.w_q": "layers.{i}.self_attn.qkv_proj:q",
    "blocks.{i}.self_attention.w_k": "layers.{i}.self_attn.qkv_proj:k",
    "blocks.{i}.self_attention.w_v": "layers.{i}.self_attn.qkv_proj:v",
    "blocks.{i}.feed_forward.w_gate": "layers.{i}.mlp.gate_up_proj:gate",
    "blocks.{i}.feed_forward.w_1": "layers.{i}.mlp.gate_up_proj:up",
}
GEMMA_MODULES = LLAMA_MODULES | {
    "blocks.{i}.self_residual.norm_after": "layers.{i}.post_attention_layernorm",
    "blocks.{i}.feed_forward_residual.norm": "layers.{i}.pre_feedforward_layernorm",
    "blocks.{i}.feed_forward_residual.norm_after": "layers.{i}.post_feedforward_layernorm",
}
NEOX_MODULES = {
    "embed.tokens": "embed_in",
    "blocks.{i}.self_residual.norm": "layers.{i}.input_layernorm",
    "blocks.{i}.self_attention.w_q": "layers.{i}.attention.query_key_value:q",
    "blocks.{i}.self_attention.w_k": "layers.{i}.attention.query_key_value:k",
    "blocks.{i}.self_attention.w_v": "layers.{i}.attention.query_key_value:v",
    "blocks.{i}.self_attention.w_o": "layers.{i}.attention.dense",
    "blocks.{i}.feed_forward_residual.norm": "layers.{i}.post_attention_layernorm",
    "blocks.{i}.feed_forward.w_1": "layers.{i}.mlp.dense_h_to_4h",
    "blocks.{i}.feed_forward.w_2": "layers.{i}.mlp.dense_4h_to_h",
    "final_norm": "final_layer_norm",
    "to_vocabulary": "lm_head embed_out",
}
BERT_HEADS = (
    r"(pooler|cls|classifier|lm_head|qa_outputs|(discriminator|generator)_(predictions|lm_head)|sequence_summary)\."
    r"|embeddings\.position_ids$"
)
GPT2_HEADS = r"(score|classifier|qa_outputs|multiple_choice_head)\.|h\.\d+\.attn\.(masked_)?bias$"
LLAMA_HEADS = r"(score|classifier|qa_outputs)\.|(layers\.\d+\.(self_attn|attention)\.)?rotary_emb\."
NEOX_HEADS = LLAMA_HEADS + r"|layers\.\d+\.attention\.(masked_)?bias$"
PREFIX = ("model.", "transformer.")
MODERN = {"norm": "pre", "norm_kind": "rms", "is_gated": True, "bias": False}
GEMMA = MODERN | {"norm": "both"}
GEMMA_EMBEDDING = EmbeddingStyle(positions="none", is_scaled=True)
FAMILIES = {
    "bert": NameMap(BERT_MODULES, ("bert.", "electra."), BERT_HEADS, BERT_EMBEDDING),
    "roberta": NameMap(
        BERT_MODULES, ("roberta.",), BERT_HEADS, BERT_EMBEDDING, first_position=2,
        required={"pad_token_id": 1},  # positions begin after it
    ),
    "gpt2": NameMap(
        GPT2_MODULES, ("transformer.",), GPT2_HEADS, GPT2_EMBEDDING, {"norm": "pre"}, is_transposed=True,
        required={"scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False},
    ),
    "llama": NameMap(LLAMA_MODULES, PREFIX, LLAMA_HEADS, LLAMA_EMBEDDING, MODERN),
    "qwen2": NameMap(
        LLAMA_MODULES, PREFIX, LLAMA_HEADS, LLAMA_EMBEDDING, MODERN, {"qkv_bias": True}, windows="by layer"
    ),
    "qwen3": NameMap(
        LLAMA_MODULES | QK_NORMS, PREFIX, LLAMA_HEADS, LLAMA_EMBEDDING, MODERN, {"normalises_qk": True},
        windows="by layer",
    ),
    "mistral": NameMap(LLAMA_MODULES, PREFIX, LLAMA_HEADS, LLAMA_EMBEDDING, MODERN, windows="all"),
    "phi3": NameMap(PHI3_MODULES, PREFIX, LLAMA_HEADS, LLAMA_EMBEDDING, MODERN, windows="all"),
    "gemma2": NameMap(
        GEMMA_MODULES, PREFIX, LLAMA_HEADS, GEMMA_EMBEDDING, GEMMA, windows="by layer", gain_added=1.0,
        required={"use_bidirectional_attention": None},
    ),
    "gemma3": NameMap(
        GEMMA_MODULES | QK_NORMS, PREFIX, LLAMA_HEADS, GEMMA_EMBEDDING, GEMMA, {"normalises_qk": True},
        windows="by layer", gain_added=1.0, required={"use_bidirectional_attention": False},
    ),
    "gpt_neox": NameMap(
        NEOX_MODULES, ("gpt_neox.",), NEOX_HEADS, LLAMA_EMBEDDING, {"norm": "pre", "is_parallel": True},
        qkv_by_head=True,
    ),
}  # fmt: skip

# How config.json calls them. ELECTRA is BERT where its embedding is as wide as its blocks.
BY_MODEL_TYPE = {
    "bert": "bert", "electra": "bert", "roberta": "roberta", "xlm-roberta": "roberta", "camembert": "roberta",
    "gpt2": "gpt2", "llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "mistral": "mistral", "phi3": "phi3",
    "gemma2": "gemma2", "gemma3_text": "gemma3", "gpt_neox": "gpt_neox",
}  # fmt: skip
ENCODERS = ("bert", "roberta")
ACTIVATIONS: dict[object, ActivationName] = {
    "relu": "relu", "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "silu": "silu",
}  # fmt: skip
HEADS, ACTIVATION, EPSILON = (
    ("num_attention_heads", "n_head"), ("hidden_activation", "hidden_act", "activation_function"),
    ("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon"),
)  # fmt: skip
