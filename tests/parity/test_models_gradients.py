"""Every gradient of a whole transformer against torch.nn's, with padding in both texts and several eps."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attnviz.models import DecoderBlock, EncoderDecoder, MultiHeadAttention, TransformerConfig
from tests.parity.models_against_torch import assert_same, copy_stack, shaken

D, H, FF, LAYERS = 24, 3, 40, 2
BATCH, T, TS = 3, 5, 7
BOUND = {torch.float32: 1e-5, torch.float64: 1e-12}

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


def models(norm: str, eps: float, dtype: torch.dtype) -> tuple[EncoderDecoder, nn.Transformer]:
    """Ours with the weights of torch's, the final norms copied too, so that each has gradients of its own."""
    config = TransformerConfig(
        vocab_size=2, d_model=D, n_heads=H, n_layers=LAYERS, d_ff=FF, dropout=0.0, norm=norm, norm_eps=eps
    )
    theirs = shaken(
        nn.Transformer(
            D, H, LAYERS, LAYERS, FF, dropout=0.0, layer_norm_eps=eps, norm_first=norm == "pre", batch_first=True,
            dtype=dtype,
        )
    )  # fmt: skip
    ours = EncoderDecoder(config).to(dtype)
    for our_stack, their_stack in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        copy_stack(our_stack, their_stack)
        our_stack.final_norm = copy.deepcopy(their_stack.norm)
    return ours, theirs


def outputs(ours: Any, theirs: Any, ours_in: list[Tensor], theirs_in: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Both models over the same texts: a triangle on the target, padding at the end of both texts."""
    triangle = torch.ones(T, T).tril().bool()  # [T, T]
    is_token = torch.arange(T)[None] < torch.tensor([[T], [T - 1], [2]])  # [B, T]
    is_source = torch.arange(TS)[None] < torch.tensor([[3], [TS], [TS - 1]])  # [B, Ts]
    memory = ours.encoder.through_blocks(ours_in[0], is_token=is_source)  # [B, Ts, D]
    out = ours.decoder.through_blocks(ours_in[1], memory, is_token=is_token, memory_is_token=is_source)  # [B, T, D]
    return out, theirs(
        *theirs_in, src_key_padding_mask=~is_source, tgt_mask=~triangle, tgt_key_padding_mask=~is_token,
        memory_key_padding_mask=~is_source,
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")  # torch says which of its fast paths it does not take
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("norm", "eps"), [("post", 1e-5), ("post", 0.1), ("pre", 1e-12), ("pre", 0.1)])
def test_every_gradient_equals_torch(norm: str, eps: float, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    ours, theirs = models(norm, eps, dtype)
    texts = [torch.randn(BATCH, n, D, dtype=dtype) for n in (TS, T)]
    ours_in, theirs_in = ([x.clone().requires_grad_() for x in texts] for _ in range(2))
    out, expected = outputs(ours, theirs, ours_in, theirs_in)
    assert_same(out, expected, BOUND[dtype])
    pull = torch.randn_like(out)
    out.backward(pull)
    expected.backward(pull)
    pairs = [
        *of_stack("encoder", ours.encoder, theirs.encoder), *of_stack("decoder", ours.decoder, theirs.decoder),
    ]  # fmt: skip
    trained = [name for name, part in theirs.named_parameters() if part.grad is not None]
    # torch keeps q, k and v in one matrix and in one bias: each of those two is three of ours
    assert len(pairs) == len(trained) + 2 * sum(name.endswith("in_proj_weight") for name in trained) * 2
    assert len(trained) == len(list(theirs.parameters()))
    pairs += [(name, x.grad, y.grad) for name, x, y in zip(("source", "target"), ours_in, theirs_in, strict=True)]
    largest = max(float(gradient.abs().max()) for _, _, gradient in pairs)
    for name, gradient, wanted in pairs:  # the true gradient of b_K is 0, so a share of its own size says nothing
        bound = BOUND[dtype] * max(float(wanted.abs().max()), 0.1 * largest)
        assert float((gradient - wanted).abs().max()) <= bound, name
