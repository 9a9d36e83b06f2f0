"""Faults that change no shape and break no other test: dropout, kernels, masks and first values left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import Tensor, nn

from attnviz.models import (
    Encoder,
    EncoderBlock,
    EncoderDecoder,
    FeedForward,
    MultiHeadAttention,
    Residual,
    SelfAttention,
    TokenEmbedding,
    TransformerConfig,
)

TINY = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.5)


def zeros_of(out: Tensor) -> float:
    return float((out == 0).float().mean())


def test_the_embedding_drops_half_its_numbers_in_training_and_none_after() -> None:
    torch.manual_seed(0)
    embedding, ids = TokenEmbedding(TINY), torch.randint(20, (20, 12))
    assert 0.4 < zeros_of(embedding.train()(ids)) < 0.6
    assert zeros_of(embedding.eval()(ids)) == 0


def test_the_residual_drops_half_of_what_a_part_found_and_nothing_of_the_stream() -> None:
    torch.manual_seed(0)
    residual = Residual(TransformerConfig(**{**TINY.__dict__, "norm": "pre"}))
    stream, change = torch.randn(20, 12, 16), torch.ones(20, 12, 16)
    added = residual.train().leave(stream, change) - stream  # [20, 12, 16], 0 or 2
    assert 0.4 < float((added.abs() < 1e-6).float().mean()) < 0.6
    assert float(added.max()) == pytest.approx(2.0, abs=1e-5)
    assert torch.equal(residual.eval().leave(stream, change), stream + change)


def test_the_feed_forward_drops_half_of_its_hidden_numbers() -> None:
    torch.manual_seed(0)
    part = FeedForward(TINY)
    seen: list[Tensor] = []
    part.w_2.register_forward_pre_hook(lambda module, came: seen.append(came[0]))
    nn.init.zeros_(part.w_1.weight)
    nn.init.ones_(part.w_1.bias)  # every hidden number is 1 before dropout
    part.train()(torch.randn(20, 12, 16))
    part.eval()(torch.randn(20, 12, 16))
    assert 0.4 < zeros_of(seen[0]) < 0.6
    assert zeros_of(seen[1]) == 0


def test_a_block_gives_its_dropout_to_its_attention() -> None:
    assert EncoderBlock(TINY).self_attention.dropout == 0.5


def test_every_mask_reaches_the_stack_it_is_for() -> None:
    model = EncoderDecoder(TINY).eval()
    source, target = torch.randint(20, (1, 6)), torch.randint(20, (1, 5))
    plain = model(source, target)  # [1, 5, V]
    first_is_padding = torch.tensor([[False, True, True, True, True]])
    dropped = model(source, target, target_is_token=first_is_padding)  # [1, 5, V]
    assert not torch.allclose(dropped[:, 1:], plain[:, 1:], atol=1e-4)
    is_token = torch.arange(6)[None] < 4
    shorter = model(source[:, :4], target)  # [1, 5, V]
    torch.testing.assert_close(model(source, target, source_is_token=is_token), shorter, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_text_of_nothing_but_padding_spoils_neither_itself_nor_the_others(kernel: str, norm: str) -> None:
    model = EncoderDecoder(TransformerConfig(**{**TINY.__dict__, "norm": norm})).eval()
    source, target = torch.randint(20, (2, 6)), torch.randint(20, (2, 5))
    is_token = torch.tensor([[True] * 6, [False] * 6])
    logits = model(source, target, source_is_token=is_token, kernel=kernel)  # [2, 5, V]
    alone = model(source[:1], target[:1], kernel=kernel)  # [1, 5, V]
    torch.testing.assert_close(logits[:1], alone, rtol=0, atol=1e-5)
    logits.square().sum().backward()
    for tensor in (logits, *(parameter.grad for parameter in model.parameters())):
        assert torch.isfinite(tensor).all()


@contextmanager
def kernels_seen() -> Iterator[list[object]]:
    seen: list[object] = []
    original = MultiHeadAttention.forward

    def watched(self: MultiHeadAttention, *came: Tensor, **options: object) -> Tensor:
        seen.append(options.get("kernel"))
        return original(self, *came, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MultiHeadAttention, "forward", watched)
        yield seen


def test_the_kernel_reaches_every_attention() -> None:
    ids = torch.randint(20, (1, 5))
    with kernels_seen() as seen:
        Encoder(TINY).eval()(ids, kernel="fused")
        EncoderDecoder(TINY).eval()(ids, ids, kernel="fused")
    assert seen == ["fused"] * (2 + 2 + 4)


def test_a_new_layer_begins_with_small_different_weights_and_no_bias() -> None:
    torch.manual_seed(0)
    head = SelfAttention(64)
    layer = MultiHeadAttention(64, 4)
    bound = (6 / (64 + 64)) ** 0.5  # Glorot & Bengio 2010, equation 16
    matrices = [head.w_q, head.w_k, head.w_v, *(part.weight for part in layer.children())]
    assert len(matrices) == 7
    for matrix in matrices:
        assert float(matrix.detach().abs().max()) <= bound
        assert float(matrix.detach().std()) == pytest.approx(bound / 3**0.5, rel=0.05)
        assert abs(float(matrix.detach().mean())) < 0.01
    assert len({float(matrix[0, 0].detach()) for matrix in matrices}) == 7
    for part in layer.children():
        assert torch.equal(part.bias, torch.zeros(64))
