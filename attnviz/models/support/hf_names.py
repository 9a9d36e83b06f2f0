"""Tables of names: where families of published models hold what our modules hold, and what their config.json says."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviz.models.config import BERT_EMBEDDING, GPT2_EMBEDDING, ActivationName, EmbeddingStyle, NormStyle


@dataclass(frozen=True)
class NameMap:
    """Where one family of models holds what our modules hold; {i} is the number of the layer."""

    modules: Mapping[str, str]  # ours -> theirs; "name:0" is the first of three matrices that lie side by side
    prefixes: tuple[str, ...]  # what a model with a head puts before these names
    ignored: str  # names (regular expression) that are no part of the stack: poolers, heads, fixed masks
    norm: NormStyle
    embedding: EmbeddingStyle
    is_transposed: bool = False  # matrices of blocks are [in, out], not [out, in] as torch does
    first_position: int = 0  # RoBERTa leaves the first two rows of its position table unused


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
    "blocks.{i}.self_attention.w_q": "h.{i}.attn.c_attn:0",
    "blocks.{i}.self_attention.w_k": "h.{i}.attn.c_attn:1",
    "blocks.{i}.self_attention.w_v": "h.{i}.attn.c_attn:2",
    "blocks.{i}.self_attention.w_o": "h.{i}.attn.c_proj",
    "blocks.{i}.feed_forward_residual.norm": "h.{i}.ln_2",
    "blocks.{i}.feed_forward.w_1": "h.{i}.mlp.c_fc",
    "blocks.{i}.feed_forward.w_2": "h.{i}.mlp.c_proj",
    "final_norm": "ln_f",
    "to_vocabulary": "lm_head",
}
BERT_HEADS = (
    r"(pooler|cls|classifier|lm_head|qa_outputs|(discriminator|generator)_(predictions|lm_head)|sequence_summary)\."
    r"|embeddings\.position_ids$"
)
GPT2_HEADS = r"(score|classifier|qa_outputs|multiple_choice_head)\.|h\.\d+\.attn\.(masked_)?bias$"
FAMILIES = {
    "bert": NameMap(BERT_MODULES, ("bert.", "electra."), BERT_HEADS, "post", BERT_EMBEDDING),
    "roberta": NameMap(BERT_MODULES, ("roberta.",), BERT_HEADS, "post", BERT_EMBEDDING, first_position=2),
    "gpt2": NameMap(GPT2_MODULES, ("transformer.",), GPT2_HEADS, "pre", GPT2_EMBEDDING, is_transposed=True),
}

# How config.json calls them. ELECTRA is BERT where its embedding is as wide as its blocks.
BY_MODEL_TYPE = {
    "bert": "bert", "electra": "bert", "roberta": "roberta", "xlm-roberta": "roberta", "camembert": "roberta",
    "gpt2": "gpt2",
}  # fmt: skip
# Settings of config.json that our blocks have one value for.
REQUIRED: dict[str, dict[str, object]] = {
    "bert": {},
    "roberta": {"pad_token_id": 1},  # positions begin after it
    "gpt2": {"scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False},
}
ACTIVATIONS: dict[object, ActivationName] = {
    "relu": "relu", "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh",
}  # fmt: skip
HEADS, ACTIVATION, EPSILON = (
    ("num_attention_heads", "n_head"), ("hidden_act", "activation_function"), ("layer_norm_eps", "layer_norm_epsilon")
)  # fmt: skip
