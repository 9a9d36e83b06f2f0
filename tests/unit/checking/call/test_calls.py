"""Attention is called as it wants to be called; of what holds attention layers, one of them is asked for."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.models import Encoder, EncoderBlock, TransformerConfig
from tests.unit.checking.layers import Right, broken, only, right, unscaled


def test_a_layer_of_one_text_is_right() -> None:
    class OneText(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            tokens, _ = x.shape
            assert mask is None or mask.shape[-2:] == (tokens, tokens)
            return tuple(part[0] for part in super().forward(x[None], mask))

    assert "[token, feature]" in right(OneText()).how


def test_a_mask_that_cannot_be_left_out_is_given() -> None:
    def forward(self: Right, x: Tensor, mask: Tensor) -> Any:
        return Right.forward(self, x, mask[:, None, None, :])

    def function(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        return Right.hide(Right(), q @ k.mT / math.sqrt(q.shape[-1]), mask).softmax(-1) @ v

    assert any("mask (bool, True = can attend, [query, key])" in what for what in right(function).checked)
    assert any("[text, key]" in what for what in right(broken(forward=forward)).checked)
    only(broken(forward=forward, scores=unscaled), "scale-missing")


def needs_a_number(q: Tensor, k: Tensor, v: Tensor, d_k: int) -> Tensor:
    return (q @ k.mT / math.sqrt(d_k)).softmax(-1) @ v


def needs_a_switch(self: Right, x: Tensor, *, training: bool) -> Any:
    return Right.forward(self, x)


@pytest.mark.parametrize(("subject", "needs", "fix"), [
    (needs_a_number, "it needs d_k,", "check_attention(lambda q, k, v: f(q, k, v, d_k=…))"),
    (broken(forward=needs_a_switch), "it needs training,", "wrap it in a module"),
    (broken(forward=lambda s, hidden_states, position_embeddings, attention_mask=None: hidden_states),
     "it needs position_embeddings,", "whose forward(x) gives it that"),
    (broken(forward=lambda s, hidden_states, position_embeddings=None: hidden_states * position_embeddings),
     "it needs position_embeddings,", "wrap it in a module"),
])  # fmt: skip
def test_without_an_argument_that_nobody_can_fill_there_is_no_verdict(subject: Any, needs: str, fix: str) -> None:
    found = only(subject, "cannot-call")
    assert needs in found.sentence and fix in found.fix
    assert str(av.check_attention(subject)).partition("\n")[0].endswith(": no verdict.")


def test_an_error_that_no_missing_argument_explains_is_a_fault() -> None:
    assert "is called as f(q, k, v)" in only(lambda x: x, "raises").fix
    wrong = broken(forward=lambda s, x, position_embeddings=None, scale=None: x @ x)
    assert "perhaps it needs one of its other arguments (position_embeddings, scale)" in only(wrong, "raises").fix


def test_a_layer_that_keeps_its_last_weights_is_right_after_a_call() -> None:
    def keeps(self: Any, masked: Tensor) -> Tensor:
        self.attention = masked.softmax(-1)
        self.cache = {"last": [self.attention]}
        return self.attention

    layer = broken(weights=keeps)
    layer(torch.randn(2, 5, 24))
    kept = layer.attention
    right(layer)
    assert kept.requires_grad and layer.attention is kept


AS_IN_GPT_J = nn.ModuleDict({"attn": Right(), "fc_in": nn.Linear(24, 96), "fc_out": nn.Linear(96, 24)})
CONFIG = TransformerConfig(vocab_size=9, d_model=24, n_heads=3, n_layers=1, d_ff=72)  # three times d_model, as W_QKV is
SEVERAL, MORE = ("several-attentions", ""), ("more-than-attention", "check the attention inside: ")


@pytest.mark.parametrize(("layer", "kind", "words", "inside"), [
    (nn.TransformerDecoderLayer(16, 4), SEVERAL, "It holds 2 attention layers (self_attn, multihead_attn)",
     "layer.self_attn"),
    (AS_IN_GPT_J, SEVERAL, "It holds an attention layer (attn)", "layer.attn"),
    (nn.ModuleList(nn.MultiheadAttention(8, 2) for _ in range(6)), SEVERAL,
     "It holds 6 attention layers (0, 1, 2, 3 and 2 more)", "layer[0]"),
    (EncoderBlock(CONFIG), MORE, "no verdict", "layer.self_attention"),
    (Encoder(CONFIG), MORE, "ids holds torch.float32", "layer.blocks[0].self_attention"),
    (nn.TransformerEncoderLayer(16, 4, batch_first=True), MORE, "no verdict", "layer.self_attn"),
], ids=["two", "one and a feed-forward", "six", "a block", "a model of token ids", "torch's block"])  # fmt: skip
def test_of_what_holds_attention_layers_one_is_asked_for(layer: nn.Module, kind, words: str, inside: str) -> None:
    id, before = kind
    assert only(layer, id, words).fix == f"{before}check_attention({inside})"
    assert str(av.check_attention(layer)).startswith(f"{type(layer).__name__}: no verdict.")
