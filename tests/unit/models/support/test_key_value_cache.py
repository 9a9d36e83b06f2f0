"""A cache of keys and values: the same numbers as reading everything again, and refused where they would not be."""

import pytest
import torch

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.models import EncoderDecoder, KeyValueCache
from tests.unit.models.tiny import ids, tiny

CLOSE = {"rtol": 0, "atol": 1e-5}


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_cache_gives_the_same_logits_as_reading_everything_again(norm: str) -> None:
    model = EncoderDecoder(tiny(norm=norm)).eval()
    target, memory, cache = ids(2, 7, seed=1), model.encoder(ids(2, 6)), KeyValueCache()
    whole = model.decoder(target, memory)
    pieces = [model.decoder(part, memory, cache=cache) for part in target.split([3, 1, 1, 2], dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole, **CLOSE)
    assert cache.n_tokens == 7


@pytest.mark.parametrize("n_memories", [1, 3])  # one source for all texts, or one for each
def test_a_cache_follows_the_texts_with_their_memory(n_memories: int) -> None:
    model = EncoderDecoder(tiny()).eval()
    target, memory, cache = ids(3, 5, seed=1), model.encoder(ids(n_memories, 6)), KeyValueCache()
    rows = [2, 0, 0]
    model.decoder(target[:, :4], memory, cache=cache)
    cache.select(rows)
    last = model.decoder(target[rows, 4:], memory[rows] if n_memories > 1 else memory, cache=cache)
    torch.testing.assert_close(last, model.decoder(target, memory)[rows, 4:], **CLOSE)


def test_a_cache_refuses_another_memory_and_another_batch() -> None:
    model = EncoderDecoder(tiny()).eval()
    memory, cache = model.encoder(ids(2, 6)), KeyValueCache()
    model.decoder(ids(2, 3), memory, cache=cache)
    with pytest.raises(InputError, match="Another memory came than the one whose keys the cache holds"):
        model.decoder(ids(2, 1), memory + 1, cache=cache)
    with pytest.raises(TraceShapeError, match="3 texts came and the cache holds 2; expected the same texts"):
        model.decoder(ids(3, 1), memory[[0, 1, 0]], cache=cache)
