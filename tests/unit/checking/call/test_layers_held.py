"""What a layer may hold: old norms, weights of its last call, methods of its own, other attention layers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.models import Encoder, EncoderBlock, TransformerConfig
from tests.unit.checking.layers import Right, only, right


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


def test_methods_named_like_torchs_own_are_left_alone() -> None:
    class Busy(Right):
        def train(self, *_: Any) -> Any:
            raise AssertionError("a loop over a data set")

        def to(self, *_: Any) -> Any:
            raise AssertionError("something else")

        eval = double = to

    right(Busy())


def test_the_number_of_threads_is_put_back() -> None:
    torch.set_num_threads(2)
    try:
        av.check_attention(Right())
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


def test_of_several_attention_layers_one_is_asked_for() -> None:
    finding = only(nn.TransformerDecoderLayer(16, 4))
    assert finding.id == "several-attentions"
    assert "It holds 2 attention layers (self_attn, multihead_attn)" in finding.sentence
    assert finding.fix == "check_attention(layer.self_attn)"
    inside = only(nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 2))
    assert inside.fix == "check_attention(layer.layers[0].self_attn)"
    many = only(nn.ModuleList(nn.MultiheadAttention(8, 2) for _ in range(6)))
    assert "It holds 6 attention layers (0, 1, 2, 3 and 2 more)" in many.sentence


@pytest.mark.parametrize("d_ff", [8, 24, 72, 96])
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

    finding = only(Block())
    assert finding.id == "more-than-attention" and finding.fix.endswith(": check_attention(layer.attn)")


def test_of_a_model_that_reads_token_ids_the_attention_inside_is_asked_for() -> None:
    config = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=1, d_ff=24)
    finding = only(Encoder(config))
    assert finding.id == "more-than-attention"
    assert "token ids came as torch.float32" in finding.sentence
    assert finding.fix == "check the attention inside: check_attention(layer.blocks[0].self_attention)"
    assert str(av.check_attention(Encoder(config))).startswith("Encoder: no verdict.")


def test_of_a_block_the_attention_inside_is_asked_for() -> None:
    block = nn.TransformerEncoderLayer(16, 4, batch_first=True)
    assert only(block).fix == "check the attention inside: check_attention(layer.self_attn)"
    assert str(av.check_attention(block)).startswith("TransformerEncoderLayer: no verdict.")
    right(nn.TransformerEncoderLayer(16, 4, batch_first=True).self_attn)


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
