"""Stacks of drawn shapes against torch.nn's: outputs, the weights of each head, gradients; pre- and post-norm."""

import copy
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import attnviz as av
from attnviz.models import EncoderDecoder, TransformerConfig
from tests.parity.models_against_torch import assert_same, copy_model, copy_stack, shaken


@dataclass(frozen=True)
class Case:
    batch: Annotated[int, st.integers(1, 3)]
    n_tokens: Annotated[int, st.integers(1, 8)]
    n_source: Annotated[int, st.integers(1, 8)]
    n_heads: Annotated[int, st.integers(1, 4)]
    head_width: Annotated[int, st.integers(4, 12)]
    d_ff: Annotated[int, st.integers(8, 40)]
    n_layers: Annotated[int, st.integers(1, 3)]
    norm: Literal["post", "pre"]
    activation: Literal["relu", "gelu"]
    bias: bool
    has_padding: bool
    seed: Annotated[int, st.integers(0, 2**31)]
    eps: float = 1e-5

    @property
    def config(self) -> TransformerConfig:
        return TransformerConfig(
            vocab_size=2, d_model=self.n_heads * self.head_width, n_heads=self.n_heads, n_layers=self.n_layers,
            d_ff=self.d_ff, dropout=0.0, norm=self.norm, activation=self.activation, bias=self.bias,
            norm_eps=self.eps,
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

    def masks(self) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
        """The causal triangles of the text and of the source; where their tokens are. True = can attend, or a token."""
        lengths = (self.n_tokens, self.n_source)
        causal, source_causal = (torch.ones(n, n).tril().bool() for n in lengths)
        if not self.has_padding:
            return causal, source_causal, None, None
        is_token, is_source = (torch.ones(self.batch, n, dtype=torch.bool) for n in lengths)
        for padded in (is_token, is_source):
            padded[0, 1:] = False  # every query still has the first key
        return causal, source_causal, is_token, is_source


precisions = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def no(mask: Tensor | None) -> Tensor | None:
    """Torch's bool masks mean the opposite of ours."""
    return None if mask is None else ~mask


@precisions
@settings(max_examples=30)
@given(case=st.builds(Case), has_final_norm=st.booleans())
def test_outputs_and_weights_of_each_head_of_both_stacks_equal_torch(
    case: Case, has_final_norm: bool, dtype: torch.dtype
) -> None:
    torch.manual_seed(case.seed)
    norm = nn.LayerNorm(case.config.d_model, bias=case.bias, dtype=dtype) if has_final_norm else None
    layers = [case.torch_layer(kind, dtype) for kind in (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)]
    encoder = nn.TransformerEncoder(layers[0], case.n_layers, norm, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(layers[1], case.n_layers, copy.deepcopy(norm))
    ours = EncoderDecoder(case.config).to(dtype).eval()
    copy_stack(ours.encoder, shaken(encoder).eval())
    copy_stack(ours.decoder, shaken(decoder).eval())
    x, source = case.inputs(dtype)
    mask, source_mask, is_token, is_source = case.masks()
    for grad in (False, True):  # without gradients torch takes a fused path of its own
        with torch.set_grad_enabled(grad), av.record() as run:
            memory = ours.encoder.through_blocks(source, mask=source_mask, is_token=is_source)  # [B, Ts, D]
            out = ours.decoder.through_blocks(x, memory, is_token=is_token, memory_is_token=is_source)  # [B, T, D]
            assert_same(memory, encoder(source, mask=no(source_mask), src_key_padding_mask=no(is_source)))
            expected = decoder(
                x, memory, tgt_mask=no(mask), tgt_key_padding_mask=no(is_token), memory_key_padding_mask=no(is_source)
            )
            assert_same(out, expected)
    for number in range(case.n_layers):  # each attention of torch's reads what ours read
        for place, attention, keys, allowed, is_key in (
            (f"encoder.{number}.self", encoder.layers[number].self_attn, None, source_mask, is_source),
            (f"decoder.{number}.self", decoder.layers[number].self_attn, None, mask, is_token),
            (f"decoder.{number}.cross", decoder.layers[number].multihead_attn, memory, None, is_source),
        ):
            read = run[f"{place}.x"]
            keys = read if keys is None else keys
            masks = {"attn_mask": no(allowed), "key_padding_mask": no(is_key)}
            _, weights = attention(read, keys, keys, **masks, average_attn_weights=False)
            assert_same(run[f"{place}.weights"], weights)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch says which of its fast paths it does not take
@precisions
@pytest.mark.parametrize(("norm", "eps"), [("post", 1e-5), ("post", 0.1), ("pre", 1e-12), ("pre", 0.1)])
def test_every_gradient_of_both_stacks_equals_torch(norm: str, eps: float, dtype: torch.dtype) -> None:
    case = Case(
        batch=3, n_tokens=5, n_source=7, n_heads=3, head_width=8, d_ff=40, n_layers=2, norm=norm, activation="relu",
        bias=True, has_padding=True, seed=0, eps=eps,
    )  # fmt: skip
    torch.manual_seed(case.seed)
    ours = EncoderDecoder(case.config).to(dtype)
    theirs = shaken(nn.Transformer(
        case.config.d_model, case.n_heads, case.n_layers, case.n_layers, case.d_ff, dropout=0.0, layer_norm_eps=eps,
        norm_first=norm == "pre", batch_first=True, dtype=dtype,
    ))  # fmt: skip
    copy_model(ours, theirs)
    mask, _, is_token, is_source = case.masks()
    texts = case.inputs(dtype)
    (x, source), (their_x, their_source) = ([text.clone().requires_grad_() for text in texts] for _ in range(2))
    memory = ours.encoder.through_blocks(source, is_token=is_source)  # [B, Ts, D]
    out = ours.decoder.through_blocks(x, memory, is_token=is_token, memory_is_token=is_source)  # [B, T, D]
    expected = theirs(
        their_source, their_x, src_key_padding_mask=no(is_source), tgt_mask=no(mask),
        tgt_key_padding_mask=no(is_token), memory_key_padding_mask=no(is_source),
    )  # fmt: skip
    bound = {torch.float32: 1e-5, torch.float64: 1e-12}[dtype]
    assert_same(out, expected, bound)
    pull = torch.randn_like(out)
    out.backward(pull)
    expected.backward(pull)
    with torch.no_grad():  # torch's gradients in the place of its weights, which a copy lays out as ours are
        for part in theirs.parameters():
            part.copy_(part.grad)
    wanted = copy.deepcopy(ours)
    copy_model(wanted, theirs)
    pairs = [
        (name, own.grad, part.detach())
        for (name, own), part in zip(ours.named_parameters(), wanted.parameters(), strict=True)
        if ".blocks." in name or ".final_norm." in name
    ]
    pairs += [("source", source.grad, their_source.grad), ("target", x.grad, their_x.grad)]
    largest = max(float(gradient.abs().max()) for _, _, gradient in pairs)
    for name, gradient, theirs_of_it in pairs:  # the true gradient of b_K is 0: a share of its own size says nothing
        close = bound * max(float(theirs_of_it.abs().max()), 0.1 * largest)
        assert float((gradient - theirs_of_it).abs().max()) <= close, name
