"""A cache of keys and values: the same numbers as reading everything again, and refused where they would not be."""

from __future__ import annotations

import pytest
import torch

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.models import EncoderDecoder, KeysAndValues, KeyValueCache, MultiHeadAttention, TransformerConfig

TINY = TransformerConfig(vocab_size=20, d_model=16, n_heads=4, n_layers=2, d_ff=24, max_tokens=12, dropout=0.0)


def tiny(**changes: object) -> TransformerConfig:
    return TransformerConfig(**{**TINY.__dict__, **changes})  # type: ignore[arg-type]


def ids(batch: int = 2, n_tokens: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.randint(20, (batch, n_tokens), generator=torch.Generator().manual_seed(seed))


def test_one_token_at_a_time_with_a_cache_equals_all_at_once() -> None:
    layer, x, past = MultiHeadAttention(16, 4).eval(), torch.randn(2, 6, 16), KeysAndValues()
    whole = layer(x, is_causal=True)
    steps = [layer(x[:, t : t + 1], is_causal=True, past=past) for t in range(6)]
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, rtol=0, atol=1e-6)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("kernel", ["explicit", "fused"])
def test_a_cache_gives_the_same_logits_as_reading_everything_again(norm: str, kernel: str) -> None:
    model = EncoderDecoder(tiny(norm=norm)).eval()
    target, memory, cache = ids(2, 7, seed=1), model.encoder(ids(2, 6)), KeyValueCache()
    whole = model.decoder(target, memory)
    pieces = [model.decoder(part, memory, cache=cache, kernel=kernel) for part in target.split([3, 1, 1, 2], dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole, rtol=0, atol=1e-5)
    assert cache.n_tokens == 7


def test_a_cache_follows_the_texts_with_the_memory_of_each() -> None:
    model = EncoderDecoder(TINY).eval()
    target, memory, cache = ids(3, 5, seed=1), model.encoder(ids(3, 6)), KeyValueCache()
    rows = torch.tensor([2, 0, 0])
    model.decoder(target[:, :4], memory, cache=cache)
    cache.select(rows)
    last = model.decoder(target[rows, 4:], memory[rows], cache=cache)
    torch.testing.assert_close(last, model.decoder(target, memory)[rows, 4:], rtol=0, atol=1e-5)


def test_one_memory_serves_every_text_of_a_cache() -> None:
    model = EncoderDecoder(TINY).eval()
    target, memory, cache = ids(1, 5, seed=1), model.encoder(ids(1, 6)), KeyValueCache()
    model.decoder(target[:, :4], memory, cache=cache)
    cache.select(torch.tensor([0, 0]))
    last = model.decoder(target[[0, 0], 4:], memory[[0, 0]], cache=cache)
    torch.testing.assert_close(last, model.decoder(target, memory)[[0, 0], 4:], rtol=0, atol=1e-5)


def test_a_cache_refuses_another_memory_and_another_batch() -> None:
    model = EncoderDecoder(TINY).eval()
    memory, cache = model.encoder(ids(2, 6)), KeyValueCache()
    model.decoder(ids(2, 3), memory, cache=cache)
    with pytest.raises(InputError, match="Another memory came than the one whose keys the cache holds"):
        model.decoder(ids(2, 1), memory + 1, cache=cache)
    with pytest.raises(TraceShapeError, match="3 texts came and the cache holds 2; expected the same texts"):
        model.decoder(ids(3, 1), memory[[0, 1, 0]], cache=cache)
