"""Every gradient of a whole transformer against torch.nn's, with padding in both texts and several eps."""

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attnviz.models import EncoderDecoder, TransformerConfig
from tests.parity.models_against_torch import assert_same, copy_stack, shaken

D, H, FF, LAYERS = 24, 3, 40, 2
BATCH, T, TS = 3, 5, 7
BOUND = {torch.float32: 1e-5, torch.float64: 1e-12}


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
    return copied(EncoderDecoder(config).to(dtype), theirs), theirs


def copied(ours: EncoderDecoder, theirs: nn.Transformer) -> EncoderDecoder:
    for our_stack, their_stack in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        copy_stack(our_stack, their_stack)
        our_stack.final_norm = copy.deepcopy(their_stack.norm)
    return ours


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
    with torch.no_grad():  # torch's gradients in the place of its weights, which a copy lays out as ours are
        for part in theirs.parameters():
            part.copy_(part.grad)
    wanted = dict(copied(copy.deepcopy(ours), theirs).requires_grad_(False).named_parameters())
    pairs = [(name, part.grad, wanted[name]) for name, part in ours.named_parameters() if part.grad is not None]
    assert [name for name, *_ in pairs] == [name for name in wanted if ".blocks." in name or ".final_norm." in name]
    pairs += [(name, x.grad, y.grad) for name, x, y in zip(("source", "target"), ours_in, theirs_in, strict=True)]
    largest = max(float(gradient.abs().max()) for _, _, gradient in pairs)
    for name, gradient, expected in pairs:  # the true gradient of b_K is 0, so a share of its own size says nothing
        bound = BOUND[dtype] * max(float(expected.abs().max()), 0.1 * largest)
        assert float((gradient - expected).abs().max()) <= bound, name
