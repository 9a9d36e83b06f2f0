"""Shared by every tier: two threads, no hub, the bundled model loaded once, and a tiny model of every family."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # before anything imports transformers: a test that asks the network fails
os.environ["TRANSFORMERS_OFFLINE"] = "1"

import pytest
import torch

torch.set_num_threads(2)

SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 300,
}
ROTARY = SHAPE | {"num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
WINDOWED = ROTARY | {"sliding_window": 8}  # less than the 24 tokens of the tests, so that it bites

# One row a model type: what transformers' configuration of that type is given. Two layers, four heads.
TINY = {
    "bert": SHAPE,
    "roberta": SHAPE | {"max_position_embeddings": 66},
    "electra": SHAPE | {"embedding_size": 16},
    "distilbert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "vocab_size": 300},
    "albert": SHAPE | {"embedding_size": 16},  # one module for both layers
    "modernbert": SHAPE | {"local_attention": 8, "global_attn_every_n_layers": 2, "pad_token_id": 0, "cls_token_id": 1,
                           "sep_token_id": 2, "bos_token_id": 1, "eos_token_id": 2},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 300, "bos_token_id": 1, "eos_token_id": 2},
    "gpt_neox": SHAPE,
    "opt": {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 64, "vocab_size": 300,
            "word_embed_proj_dim": 32},
    "llama": ROTARY,  # two key heads for four query heads
    "qwen2": ROTARY,
    "qwen3": ROTARY,  # q and k normalised
    "mistral": WINDOWED,
    "gemma2": WINDOWED | {"query_pre_attn_scalar": 8},  # soft-capped scores
    "gemma3_text": WINDOWED | {"query_pre_attn_scalar": 8},
    "phi3": ROTARY,  # q, k, v in one matrix
    # sinks; its rotary scaling is written for this many positions
    "gpt_oss": WINDOWED | {"num_local_experts": 2, "num_experts_per_tok": 1, "max_position_embeddings": 131072},
    "deepseek_v3": ROTARY | {"num_key_value_heads": 4, "q_lora_rank": 16, "kv_lora_rank": 16, "qk_nope_head_dim": 8,
                             "qk_rope_head_dim": 8, "v_head_dim": 4, "n_routed_experts": 4, "n_group": 1,
                             "topk_group": 1, "num_experts_per_tok": 1, "first_k_dense_replace": 1,
                             "moe_intermediate_size": 16},
}  # fmt: skip


@pytest.fixture(scope="session")
def minilm():
    """The bundled model, loaded once a session; it is frozen and shared, so no test may change it."""
    from attnviz import catalog

    return catalog.load("minilm-l6")
