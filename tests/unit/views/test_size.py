"""How large the heads view of a 12 × 12 model is at 128 tokens, where every token may look at every other."""

import zlib

import pytest
import torch
from transformers import BertConfig, BertModel

from attnviz import views
from attnviz.pretrained.loading.build import build
from attnviz.trace.trace import Card, Trace
from attnviz.views.html import standalone
from tests.parity.tiny_models import byte_tokenizer

LARGEST_FILE, LARGEST_PAYLOAD = 3_000_000, 1_500_000  # bytes
TEXT = "Attention lets every token look at every other token, and take from each as much as fits. "


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Of random weights with peaked maps: nothing packs worse."""
    generator = torch.Generator().manual_seed(0)
    config = BertConfig(
        vocab_size=300, hidden_size=96, num_hidden_layers=12, num_attention_heads=12, intermediate_size=96,
        max_position_embeddings=128,
    )  # fmt: skip
    module = BertModel._from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    for name, parameter in module.named_parameters():
        is_asking = "query.weight" in name or "key.weight" in name
        parameter.copy_(torch.randn(parameter.shape, generator=generator) * (0.6 if is_asking else 0.02))
    return build(module, byte_tokenizer(), Card("", "12 × 12", "", 0, 0, 0)).trace((TEXT * 2)[:128])


def test_what_travels_to_the_page_is_within_its_limit(trace: Trace) -> None:
    payload = views.heads(trace).payload
    assert len(trace.tokens.source) == 128 and trace.card.n_heads * trace.card.n_layers == 144
    assert len(zlib.compress(payload)) < len(payload) <= LARGEST_PAYLOAD


def test_a_file_with_the_numbers_of_every_head_is_within_its_limit(trace: Trace) -> None:
    view = views.heads(trace)
    assert view.complete is not None
    complete = view.complete()
    assert b"all_weights" in complete
    assert len(standalone(view.name, complete, view.title).encode()) <= LARGEST_FILE
