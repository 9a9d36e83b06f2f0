"""Every gradient of every layer and stack against torch.nn's, with padding in both texts and several eps."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attnviz.models import (
    Decoder,
    DecoderBlock,
    Encoder,
    EncoderBlock,
    EncoderDecoder,
    MultiHeadAttention,
    TransformerConfig,
)
from tests.parity.models_against_torch import assert_same, copy_block, copy_stack, shaken

D, H, FF, LAYERS = 24, 3, 40, 2
BATCH, T, TS = 3, 5, 7
BOUND = {torch.float32: 1e-5, torch.float64: 1e-12}
KINDS = ("encoder block", "decoder block", "encoder", "decoder", "transformer")

Pair = tuple[str, Tensor, Tensor]  # name, our gradient, torch's


def of_attention(name: str, ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> Iterator[Pair]:
    for part in ("weight", "bias"):
        stacked = getattr(theirs, f"in_proj_{part}").grad.chunk(3)  # three [D, D], or [D]
        for letter, expected in zip("qkv", stacked, strict=True):
            yield f"{name}.w_{letter}.{part}", getattr(getattr(ours, f"w_{letter}"), part).grad, expected
    yield from of_module(f"{name}.w_o", ours.w_o, theirs.out_proj)


def of_module(name: str, ours: nn.Module, theirs: nn.Module) -> Iterator[Pair]:
    for part in ("weight", "bias"):
        yield f"{name}.{part}", getattr(ours, part).grad, getattr(theirs, part).grad


def of_block(name: str, ours: Any, theirs: Any) -> Iterator[Pair]:
    yield from of_attention(f"{name}.self", ours.self_attention, theirs.self_attn)
    yield from of_module(f"{name}.norm1", ours.self_residual.norm, theirs.norm1)
    last = "norm2"
    if isinstance(ours, DecoderBlock):
        yield from of_attention(f"{name}.cross", ours.cross_attention, theirs.multihead_attn)
        yield from of_module(f"{name}.norm2", ours.cross_residual.norm, theirs.norm2)
        last = "norm3"
    yield from of_module(f"{name}.{last}", ours.feed_forward_residual.norm, getattr(theirs, last))
    yield from of_module(f"{name}.w_1", ours.feed_forward.w_1, theirs.linear1)
    yield from of_module(f"{name}.w_2", ours.feed_forward.w_2, theirs.linear2)


def of_stack(name: str, ours: Any, theirs: Any) -> Iterator[Pair]:
    for number, (block, layer) in enumerate(zip(ours.blocks, theirs.layers, strict=True)):
        yield from of_block(f"{name}.{number}", block, layer)
    yield from of_module(f"{name}.final_norm", ours.final_norm, theirs.norm)


def of_model(ours: Any, theirs: Any) -> Iterator[Pair]:
    if isinstance(ours, EncoderDecoder):
        yield from of_stack("encoder", ours.encoder, theirs.encoder)
        yield from of_stack("decoder", ours.decoder, theirs.decoder)
    elif isinstance(ours, Encoder | Decoder):
        yield from of_stack("stack", ours, theirs)
    else:
        yield from of_block("block", ours, theirs)


def joined(*pair: tuple[Any, Any]) -> None:
    """Our stacks with the weights of torch's, the final norm copied too, so that each has gradients of its own."""
    for ours, theirs in pair:
        copy_stack(ours, theirs)
        ours.final_norm = copy.deepcopy(theirs.norm)


def models(kind: str, norm: str, eps: float, dtype: torch.dtype) -> tuple[Any, Any]:
    config = TransformerConfig(
        vocab_size=2, d_model=D, n_heads=H, n_layers=LAYERS, d_ff=FF, dropout=0.0, norm=norm, norm_eps=eps
    )
    options: dict[str, Any] = {
        "dropout": 0.0, "layer_norm_eps": eps, "norm_first": norm == "pre", "batch_first": True, "dtype": dtype,
    }  # fmt: skip
    is_encoder = kind.startswith("encoder")
    layer = (nn.TransformerEncoderLayer if is_encoder else nn.TransformerDecoderLayer)(D, H, FF, **options)
    theirs: Any = layer
    ours: Any = EncoderBlock(config) if is_encoder else DecoderBlock(config)
    if kind in ("encoder", "decoder"):
        final_norm = nn.LayerNorm(D, eps=eps, dtype=dtype)
        theirs = (nn.TransformerEncoder if is_encoder else nn.TransformerDecoder)(layer, LAYERS, final_norm)
        ours = Encoder(config) if is_encoder else Decoder(config, has_cross=True)
    if kind == "transformer":
        theirs, ours = nn.Transformer(D, H, LAYERS, LAYERS, FF, **options), EncoderDecoder(config)
    theirs, ours = shaken(theirs), ours.to(dtype)
    if kind.endswith("block"):
        copy_block(ours, theirs)
    elif kind == "transformer":
        joined((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder))
    else:
        joined((ours, theirs))
    return ours, theirs


def outputs(kind: str, ours: Any, theirs: Any, ours_in: list[Tensor], theirs_in: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Both models over the same texts: a triangle on the target, padding at the end of both texts."""
    triangle = torch.ones(T, T).tril().bool()  # [T, T]
    is_token = torch.arange(T)[None] < torch.tensor([[T], [T - 1], [2]])  # [B, T]
    source_is_token = torch.arange(TS)[None] < torch.tensor([[3], [TS], [TS - 1]])  # [B, Ts]
    mask, source_mask = triangle & is_token[:, None, None], source_is_token[:, None, None]  # [B, 1, T | 1, keys]
    source, target = ours_in
    their_source, their_target = theirs_in
    decoding = {
        "tgt_mask": ~triangle, "tgt_key_padding_mask": ~is_token, "memory_key_padding_mask": ~source_is_token,
    }  # fmt: skip
    tokens = {"is_token": is_token, "memory_is_token": source_is_token}
    if kind == "encoder block":
        return ours(source, mask=source_mask), theirs(their_source, src_key_padding_mask=~source_is_token)
    if kind == "encoder":
        out = ours.through_blocks(source, is_token=source_is_token)  # [B, Ts, D]
        return out, theirs(their_source, src_key_padding_mask=~source_is_token)
    if kind == "decoder block":
        return ours(target, source, mask=mask, memory_mask=source_mask), theirs(their_target, their_source, **decoding)
    if kind == "decoder":
        return ours.through_blocks(target, source, **tokens), theirs(their_target, their_source, **decoding)
    memory = ours.encoder.through_blocks(source, is_token=source_is_token)  # [B, Ts, D]
    expected = theirs(their_source, their_target, src_key_padding_mask=~source_is_token, **decoding)
    return ours.decoder.through_blocks(target, memory, **tokens), expected


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch says which of its fast paths it does not take
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("norm", "eps"), [("post", 1e-5), ("post", 0.1), ("pre", 1e-12), ("pre", 0.1)])
@pytest.mark.parametrize("kind", KINDS)
def test_every_gradient_equals_torch(kind: str, norm: str, eps: float, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    ours, theirs = models(kind, norm, eps, dtype)
    texts = [torch.randn(BATCH, n, D, dtype=dtype) for n in (TS, T)]
    ours_in, theirs_in = ([x.clone().requires_grad_() for x in texts] for _ in range(2))
    out, expected = outputs(kind, ours, theirs, ours_in, theirs_in)
    assert_same(out, expected, BOUND[dtype])
    pull = torch.randn_like(out)
    out.backward(pull)
    expected.backward(pull)
    pairs = list(of_model(ours, theirs))
    trained = [name for name, part in theirs.named_parameters() if part.grad is not None]
    # torch keeps q, k and v in one matrix and in one bias: each of those two is three of ours
    assert len(pairs) == len(trained) + 2 * sum(name.endswith("in_proj_weight") for name in trained) * 2
    assert len(trained) == len(list(theirs.parameters()))
    for name, x, y in zip(("source", "target"), ours_in, theirs_in, strict=True):
        if y.grad is not None:
            pairs.append((name, x.grad, y.grad))
    largest = max(float(gradient.abs().max()) for _, _, gradient in pairs)
    for name, gradient, wanted in pairs:  # the true gradient of b_K is 0, so a share of its own size says nothing
        bound = BOUND[dtype] * max(float(wanted.abs().max()), 0.1 * largest)
        assert float((gradient - wanted).abs().max()) <= bound, name
