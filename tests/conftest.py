"""Shared by every tier: few threads, no hub, the bundled model loaded once, and a tiny model of every family."""

import os
import tempfile
from functools import cache

os.environ["HF_HUB_OFFLINE"] = "1"  # before anything imports transformers: a test that asks the network fails
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="attnviz-tests-")  # what somebody opened is not the tests'

import pytest
import torch

# One where several processes share the cores: threads that wait for a core wait busily, and take it from the others.
torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))

SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "vocab_size": 300,
}
ROTARY = SHAPE | {"num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
WINDOWED = ROTARY | {"sliding_window": 8}  # less than the 24 tokens of the tests, so that it bites
SEQ2SEQ = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
           "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "vocab_size": 300,
           "max_position_embeddings": 64, "pad_token_id": 0}  # fmt: skip

T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 300,
      "decoder_start_token_id": 0}  # fmt: skip

# One row a model type: what transformers' configuration of that type is given. Two layers, four heads.
TINY = {
    "bert": SHAPE,
    "roberta": SHAPE | {"max_position_embeddings": 66},
    "electra": SHAPE | {"embedding_size": 16},
    "distilbert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "vocab_size": 300},
    "albert": SHAPE | {"embedding_size": 16},  # one module for both layers
    "modernbert": SHAPE | {"local_attention": 8, "global_attn_every_n_layers": 2, "pad_token_id": 0, "cls_token_id": 1,
                           "sep_token_id": 2, "bos_token_id": 1, "eos_token_id": 2},
    "xlm-roberta": SHAPE | {"max_position_embeddings": 66},
    "mpnet": SHAPE | {"max_position_embeddings": 66},
    # its positions take part in the scores, both ways round
    "deberta-v2": SHAPE | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "position_buckets": 8,
                           "max_position_embeddings": 64, "share_att_key": True, "norm_rel_ebd": "layer_norm"},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 300, "bos_token_id": 1, "eos_token_id": 2},
    "gptj": {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 300, "rotary_dim": 4, "n_positions": 64},
    "gpt_neox": SHAPE,
    "bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 300, "pad_token_id": 0},  # ALiBi
    "falcon": {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 300,
               "new_decoder_architecture": False, "multi_query": True, "pad_token_id": 0},  # one key head
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
    "t5": T5,
    "bart": SEQ2SEQ | {"forced_eos_token_id": 2},
    "mt5": T5,  # untied head, gated feed-forward
    "marian": SEQ2SEQ | {"decoder_start_token_id": 0, "eos_token_id": 2, "forced_eos_token_id": None},
}  # fmt: skip

# Written by hand in transformers: read by the operators they run.
BY_OPERATORS = ("mpnet", "deberta-v2", "gptj", "bloom", "falcon")

SMALL = SHAPE | {"pad_token_id": 0, "max_position_embeddings": 64}

# Refused, and why.
WITHOUT_MATRICES = {
    "mamba": ({"hidden_size": 16, "num_hidden_layers": 2, "state_size": 4}, "no-attention"),
    "rwkv": ({"hidden_size": 16, "num_hidden_layers": 2, "attention_hidden_size": 16}, "no-attention"),
    "fnet": (SMALL, "no-attention"),
    "longformer": (SMALL | {"attention_window": 8}, "keeps-bands"),
    "led": ({"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
             "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "attention_window": 8},
            "keeps-bands"),
    "reformer": ({"hidden_size": 32, "attn_layers": ["lsh", "local"], "num_attention_heads": 2, "feed_forward_size": 32,
                  "axial_pos_shape": [4, 16], "axial_pos_embds_dim": [16, 16], "max_position_embeddings": 64,
                  "attention_head_size": 16, "lsh_attn_chunk_length": 8, "local_attn_chunk_length": 8,
                  "num_buckets": 4}, "keeps-bands"),
    "big_bird": (SMALL | {"attention_type": "block_sparse", "block_size": 8}, "keeps-sparse-blocks"),
    "bigbird_pegasus": (SEQ2SEQ | {"block_size": 4, "num_random_blocks": 1, "decoder_start_token_id": 0},
                        "keeps-sparse-blocks"),
    "vit": ({"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
             "image_size": 8, "patch_size": 4}, "reads-no-text"),
    "whisper": ({"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
                 "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}, "reads-no-text"),
    "wav2vec2": ({"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
                  "conv_dim": [16], "conv_stride": [5], "conv_kernel": [10], "num_feat_extract_layers": 1,
                  "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 2}, "reads-no-text"),
}  # fmt: skip


@pytest.fixture(scope="session")
def minilm():
    """The bundled model, loaded once a session; it is frozen and shared, so no test may change it."""
    from attnviz import catalog

    return catalog.load("minilm-l6")


@pytest.fixture(scope="session")
def smollm2():
    """The language model of the catalogue, fetched where it is not on this machine yet; shared like `minilm`."""
    from attnviz import catalog
    from attnviz.core.errors import UnknownModel

    try:
        return catalog.load("smollm2-135m")
    except UnknownModel as error:
        pytest.skip(f"it could not be fetched: {error}")


@pytest.fixture(scope="session")
def traced(minilm):
    """A factory: `traced(text)` is that model's run over the text, made once a session."""
    return cache(minilm.trace)
