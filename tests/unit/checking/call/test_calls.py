"""Attention is called as it wants to be called; of what holds attention layers, one of them is asked for."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from attnviz.models import Encoder, EncoderBlock, TransformerConfig
from tests.unit.checking.layers import Right, only, right


def test_convolutions_of_one_token_get_no_verdict() -> None:
    class Convolved(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.h = 3
            self.query, self.key, self.value, self.out = (nn.Conv1d(24, 24, 1) for _ in range(4))

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = (layer(x).unflatten(1, (self.h, -1)) for layer in (self.query, self.key, self.value))
            out: Tensor = self.out((v @ (q.mT @ k / math.sqrt(8)).softmax(-1).mT).flatten(1, 2))
            return out

    assert only(Convolved()).id == "cannot-compare"


def test_a_layer_of_one_text_is_right() -> None:
    class OneText(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            tokens, _ = x.shape
            assert mask is None or mask.shape[-2:] == (tokens, tokens)
            return tuple(part[0] for part in super().forward(x[None], mask))

    assert "[token, feature]" in right(OneText()).how


def test_inputs_are_told_apart_by_their_names() -> None:
    right(lambda value, key, query: F.scaled_dot_product_attention(query, key, value))


def hidden(q: Tensor, k: Tensor, mask: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf).softmax(-1)


def test_a_mask_that_cannot_be_left_out_is_given() -> None:
    def function(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        return hidden(q, k, mask) @ v

    class Layer(Right):
        def forward(self, x: Tensor, mask: Tensor) -> Any:  # type: ignore[override]
            return super().forward(x, mask[:, None, None, :])

    class Wrong(Layer):
        def scores(self, q: Tensor, k: Tensor) -> Tensor:
            return q @ k.mT

    assert any("mask (bool, True = can attend, [query, key])" in what for what in right(function).checked)
    assert any("[text, key]" in what for what in right(Layer()).checked)
    assert only(Wrong()).id == "scale-missing"


def test_an_argument_that_nobody_can_fill_is_named() -> None:
    def attention(q: Tensor, k: Tensor, v: Tensor, d_k: int) -> Tensor:
        return (q @ k.mT / math.sqrt(d_k)).softmax(-1) @ v

    finding = only(attention)
    assert finding.id == "raises" and "it asks for d_k too" in finding.fix
    assert "check_attention(lambda q, k, v:" in finding.fix
    assert "is called as f(q, k, v)" in only(lambda x: x).fix


def test_biases_named_like_their_matrices_are_read() -> None:
    class Bare(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.h = 2
            for letter in "qkvo":
                setattr(self, f"W{letter}", nn.Parameter(torch.randn(8, 8)))
                setattr(self, f"b{letter}", nn.Parameter(torch.randn(8)))

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = (x @ getattr(self, f"W{n}") + getattr(self, f"b{n}") for n in "qkv")
            q, k, v = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in (q, k, v))
            return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2) @ self.Wo + self.bo  # type: ignore[operator]

    right(Bare())


def test_a_layer_that_keeps_its_last_weights_is_right_after_a_call() -> None:
    class Keeps(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            out, self.attention = super().forward(x, mask)
            self.cache = {"last": [self.attention]}
            return out

    layer = Keeps()
    layer(torch.randn(2, 5, 24))
    assert layer.attention.requires_grad
    kept = layer.attention
    right(layer)
    assert layer.attention is kept


def test_of_several_attention_layers_one_is_asked_for() -> None:
    finding = only(nn.TransformerDecoderLayer(16, 4))
    assert finding.id == "several-attentions"
    assert "It holds 2 attention layers (self_attn, multihead_attn)" in finding.sentence
    assert finding.fix == "check_attention(layer.self_attn)"
    inside = only(nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 2))
    assert inside.fix == "check_attention(layer.layers[0].self_attn)"
    many = only(nn.ModuleList(nn.MultiheadAttention(8, 2) for _ in range(6)))
    assert "It holds 6 attention layers (0, 1, 2, 3 and 2 more)" in many.sentence


@pytest.mark.parametrize("d_ff", [8, 72])
def test_a_feed_forward_is_no_attention(d_ff: int) -> None:
    finding = only(EncoderBlock(TransformerConfig(vocab_size=9, d_model=24, n_heads=3, d_ff=d_ff)))
    assert finding.id == "more-than-attention" and finding.fix.endswith(": check_attention(layer.self_attention)")


def test_a_feed_forward_with_the_names_of_an_attention_is_none() -> None:
    class Block(nn.Module):
        """As in GPT-J: its feed-forward has an fc_in and an fc_out."""

        def __init__(self) -> None:
            super().__init__()
            self.attn = Right()
            self.mlp = nn.ModuleDict({"fc_in": nn.Linear(24, 96), "fc_out": nn.Linear(96, 24)})

        def forward(self, x: Tensor) -> Tensor:
            changed: Tensor = self.mlp["fc_out"](self.mlp["fc_in"](x).relu())
            return self.attn(x)[0] + changed

    assert only(Block()).fix == "check_attention(layer.attn)"
    block = nn.TransformerEncoderLayer(16, 4, batch_first=True)
    assert only(block).fix == "check the attention inside: check_attention(layer.self_attn)"


def test_of_a_model_that_reads_token_ids_the_attention_inside_is_asked_for() -> None:
    config = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=1, d_ff=24)
    finding = only(Encoder(config))
    assert finding.id == "more-than-attention"
    assert "token ids came as torch.float32" in finding.sentence
    assert finding.fix == "check the attention inside: check_attention(layer.blocks[0].self_attention)"
    assert str(av.check_attention(Encoder(config))).startswith("Encoder: no verdict.")


def test_matrices_that_do_not_fit_each_other_get_no_verdict() -> None:
    layer = Right()
    layer.w_o = nn.Linear(20, 24)
    assert only(layer).id == "cannot-compare"


class Placed(Right):
    """A layer that is given its rotary table."""

    def forward(self, hidden_states: Tensor, position_embeddings: Tensor | None = None) -> Any:  # type: ignore[override]
        (cos, _) = position_embeddings  # type: ignore[misc]
        return super().forward(hidden_states * cos)


def test_an_error_names_the_arguments_that_were_left_out() -> None:
    class Asking(Placed):
        def forward(self, hidden_states: Tensor, position_embeddings: Tensor, attention_mask: Any = None) -> Any:
            return super().forward(hidden_states, position_embeddings)

    assert "perhaps it needs one of its other arguments (position_embeddings)" in only(Placed()).fix
    assert "it asks for position_embeddings too" in only(Asking()).fix
