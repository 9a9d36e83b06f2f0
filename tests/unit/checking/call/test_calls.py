"""Attention is called as it wants to be called; of what holds attention layers, one of them is asked for."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

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


def test_inputs_are_told_apart_by_their_names() -> None:
    right(lambda value, key, query: F.scaled_dot_product_attention(query, key, value))


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


def needs_a_table(self: Right, hidden_states: Tensor, position_embeddings: Tensor, attention_mask: Any = None) -> Any:
    return Right.forward(self, hidden_states * position_embeddings)


def needs_a_table_after_all(self: Right, hidden_states: Tensor, position_embeddings: Tensor | None = None) -> Any:
    return needs_a_table(self, hidden_states, position_embeddings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("subject", "fixes"),
    [
        (needs_a_number, ("it asks for d_k too", "check_attention(lambda q, k, v:")),
        (broken(forward=needs_a_switch), ("it asks for training too",)),
        (broken(forward=needs_a_table), ("it asks for position_embeddings too",)),
        (broken(forward=needs_a_table_after_all), ("needs one of its other arguments (position_embeddings)",)),
        (lambda x: x, ("is called as f(q, k, v)",)),
    ],
)
def test_an_argument_that_nobody_can_fill_is_named(subject: Any, fixes: tuple[str, ...]) -> None:
    assert all(fix in only(subject, "raises").fix for fix in fixes)


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


class AsInGptJ(nn.Module):
    """A block whose feed-forward has an fc_in and an fc_out."""

    def __init__(self) -> None:
        super().__init__()
        self.attn = Right()
        self.mlp = nn.ModuleDict({"fc_in": nn.Linear(24, 96), "fc_out": nn.Linear(96, 24)})

    def forward(self, x: Tensor) -> Tensor:
        changed: Tensor = self.mlp["fc_out"](self.mlp["fc_in"](x).relu())
        return self.attn(x)[0] + changed


def test_of_several_attention_layers_one_is_asked_for() -> None:
    words = "It holds 2 attention layers (self_attn, multihead_attn)"
    finding = only(nn.TransformerDecoderLayer(16, 4), "several-attentions", words)
    assert finding.fix == "check_attention(layer.self_attn)"
    assert (
        only(AsInGptJ(), "several-attentions", "It holds an attention layer (attn)").fix
        == "check_attention(layer.attn)"
    )
    many = nn.ModuleList(nn.MultiheadAttention(8, 2) for _ in range(6))
    only(many, "several-attentions", "It holds 6 attention layers (0, 1, 2, 3 and 2 more)")


CONFIG = TransformerConfig(vocab_size=9, d_model=24, n_heads=3, n_layers=1, d_ff=72)  # three times d_model, as W_QKV is


@pytest.mark.parametrize(
    ("layer", "words", "inside"),
    [
        (EncoderBlock(CONFIG), "no verdict", "layer.self_attention"),
        (Encoder(CONFIG), "token ids came as torch.float32", "layer.blocks[0].self_attention"),
        (nn.TransformerEncoderLayer(16, 4, batch_first=True), "no verdict", "layer.self_attn"),
    ],
    ids=["a block", "a model of token ids", "torch's block"],
)
def test_of_more_than_attention_the_attention_inside_is_asked_for(layer: nn.Module, words: str, inside: str) -> None:
    fix = only(layer, "more-than-attention", words).fix
    assert fix == f"check the attention inside: check_attention({inside})"
    assert str(av.check_attention(layer)).startswith(f"{type(layer).__name__}: no verdict.")
