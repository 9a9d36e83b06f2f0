"""Stacks of drawn shapes against torch.nn's: outputs and the weights of each head; pre- and post-norm."""

from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import attnviz as av
from attnviz.models import Decoder, Encoder, TransformerConfig
from tests.parity.models_against_torch import assert_same, copy_stack, shaken


@dataclass(frozen=True)
class Case:
    """One drawn situation."""

    batch: int
    n_tokens: int
    n_source: int
    n_heads: int
    head_width: int
    d_ff: int
    n_layers: int
    norm: str
    activation: str
    bias: bool
    has_padding: bool
    seed: int

    @property
    def config(self) -> TransformerConfig:
        return TransformerConfig(
            vocab_size=2, d_model=self.n_heads * self.head_width, n_heads=self.n_heads, n_layers=self.n_layers,
            d_ff=self.d_ff, dropout=0.0, norm=self.norm, activation=self.activation, bias=self.bias,
        )  # fmt: skip

    def torch_layer(self, kind: type[nn.Module], dtype: torch.dtype) -> Any:
        return kind(
            self.config.d_model, self.n_heads, self.d_ff, dropout=0.0, activation=self.activation,
            norm_first=self.norm == "pre", bias=self.bias, batch_first=True, dtype=dtype,
        )  # fmt: skip

    def inputs(self, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """The text [B, T, D] and the source text [B, Ts, D]."""
        lengths = (self.n_tokens, self.n_source)
        return tuple(torch.randn(self.batch, n, self.config.d_model, dtype=dtype) for n in lengths)

    def masks(self) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """The causal triangle; where the tokens of the text and of the source are. True = can attend, or a token."""
        causal = torch.ones(self.n_tokens, self.n_tokens).tril().bool()
        if not self.has_padding:
            return causal, None, None
        is_token, is_source = (torch.ones(self.batch, n, dtype=torch.bool) for n in (self.n_tokens, self.n_source))
        for padded in (is_token, is_source):
            padded[0, 1:] = False  # every query still has the first key
        return causal, is_token, is_source


cases = st.builds(
    Case,
    batch=st.integers(1, 3),
    n_tokens=st.integers(1, 8),
    n_source=st.integers(1, 8),
    n_heads=st.integers(1, 4),
    head_width=st.integers(4, 12),
    d_ff=st.integers(8, 40),
    n_layers=st.integers(1, 3),
    norm=st.sampled_from(["post", "pre"]),
    activation=st.sampled_from(["relu", "gelu"]),
    bias=st.booleans(),
    has_padding=st.booleans(),
    seed=st.integers(0, 2**31),
)
precisions = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
drawn = settings(max_examples=30)


def no(mask: Tensor | None) -> Tensor | None:
    """Torch's bool masks mean the opposite of ours."""
    return None if mask is None else ~mask


@precisions
@drawn
@given(case=cases, has_final_norm=st.booleans())
def test_an_encoder_equals_torch(case: Case, has_final_norm: bool, dtype: torch.dtype) -> None:
    torch.manual_seed(case.seed)
    norm = nn.LayerNorm(case.config.d_model, bias=case.bias, dtype=dtype) if has_final_norm else None
    layer = case.torch_layer(nn.TransformerEncoderLayer, dtype)
    theirs = shaken(nn.TransformerEncoder(layer, case.n_layers, norm, enable_nested_tensor=False)).eval()
    ours = Encoder(case.config).to(dtype).eval()
    copy_stack(ours, theirs)
    x, _ = case.inputs(dtype)
    mask, is_token, _ = case.masks()
    for grad in (False, True):  # without gradients torch takes a fused path of its own
        with torch.set_grad_enabled(grad), av.record() as run:
            out = ours.through_blocks(x, mask=mask, is_token=is_token)
            assert_same(out, theirs(x, mask=no(mask), src_key_padding_mask=no(is_token)))
    for number, their_layer in enumerate(theirs.layers):  # the weights of each head of each layer, from its own input
        read = run[f"encoder.{number}.self.x"]
        _, expected = their_layer.self_attn(
            read, read, read, attn_mask=no(mask), key_padding_mask=no(is_token), average_attn_weights=False
        )
        assert_same(run[f"encoder.{number}.self.weights"], expected)


@precisions
@drawn
@given(case=cases)
def test_a_decoder_equals_torch(case: Case, dtype: torch.dtype) -> None:
    torch.manual_seed(case.seed)
    layer = case.torch_layer(nn.TransformerDecoderLayer, dtype)
    theirs = shaken(nn.TransformerDecoder(layer, case.n_layers)).eval()
    ours = Decoder(case.config, has_cross=True).to(dtype).eval()
    copy_stack(ours, theirs)
    x, memory = case.inputs(dtype)
    mask, is_token, is_source = case.masks()
    with torch.no_grad(), av.record() as run:
        out = ours.through_blocks(x, memory, is_token=is_token, memory_is_token=is_source)
    expected = theirs(
        x, memory, tgt_mask=no(mask), tgt_key_padding_mask=no(is_token), memory_key_padding_mask=no(is_source)
    )
    assert_same(out, expected.detach())
    for number, their_layer in enumerate(theirs.layers):  # each head's weights of both attentions, from their own input
        read = run[f"decoder.{number}.self.x"]
        _, own = their_layer.self_attn(
            read, read, read, attn_mask=no(mask), key_padding_mask=no(is_token), average_attn_weights=False
        )
        read = run[f"decoder.{number}.cross.x"]
        _, other = their_layer.multihead_attn(
            read, memory, memory, key_padding_mask=no(is_source), average_attn_weights=False
        )
        assert_same(run[f"decoder.{number}.self.weights"], own.detach())
        assert_same(run[f"decoder.{number}.cross.weights"], other.detach())
