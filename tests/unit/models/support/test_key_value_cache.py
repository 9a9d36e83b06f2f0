"""A cache of keys and values: the same numbers as reading everything again. Where it is refused: test_errors.py."""

import pytest
import torch

from attnviz.models import EncoderDecoder, KeyValueCache
from tests.unit.models.tiny import ids, tiny

CLOSE = {"rtol": 0, "atol": 1e-5}


@pytest.mark.parametrize("n_memories", [1, 3])  # one source for all texts, or one for each
@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_cache_gives_the_logits_of_reading_again_and_follows_texts_with_their_memory(norm: str, n_memories: int):
    model = EncoderDecoder(tiny(norm=norm)).eval()
    target, memory, cache = ids(3, 7, seed=1), model.encoder(ids(n_memories, 6)), KeyValueCache()
    whole, rows = model.decoder(target, memory), [2, 0, 0]
    pieces = [model.decoder(part, memory, cache=cache) for part in target[:, :5].split([3, 1, 1], dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), whole[:, :5], **CLOSE)
    cache.select(rows)
    last = model.decoder(target[rows, 5:], memory[rows] if n_memories > 1 else memory, cache=cache)
    torch.testing.assert_close(last, whole[rows, 5:], **CLOSE)
    assert cache.n_tokens == 7
