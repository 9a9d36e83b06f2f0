"""The seeded model that was never trained: the same numbers from the same seed, any words, and it says what it is."""

import pytest
import torch

from attnviz.core.errors import EmptyText, InputError, TooLong
from attnviz.explanation import chain
from attnviz.models.transformer import Decoder
from attnviz.scratch.untrained import ARCHITECTURES, untrained, word_spans
from attnviz.trace.model_protocol import Model


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_the_same_seed_gives_the_same_run_and_another_seed_another(kind):
    first, again, other = (untrained(kind, seed=seed).trace("The cat sat on the mat") for seed in (5, 5, 6))
    site = first.sites[-1]
    assert torch.equal(first[site].weights(), again[site].weights())
    assert not torch.allclose(first[site].weights(), other[site].weights(), atol=1e-2)
    assert first.verified.holds and isinstance(untrained(kind), Model)


def test_a_word_has_the_same_vector_in_every_sentence():
    model = untrained("encoder")
    one, other = (chain(model.trace(text), "self")["tokens"].result.values for text in ("the cat sat", "sat a cat"))
    assert torch.equal(one[1], other[2]) and torch.equal(one[2], other[0]) and not torch.equal(one[0], other[1])


def test_a_decoders_words_are_compared_with_its_own_table():
    for kind in ("decoder", "encoder-decoder"):
        network = untrained(kind).network(("<pad>", "<unk>", "<start>", "<end>", "cat"))
        decoder = network if isinstance(network, Decoder) else network.decoder
        assert decoder.to_vocabulary.weight is decoder.embed.tokens.weight
        assert all(torch.isfinite(part).all() for part in network.parameters())


def test_chinese_is_read_by_character_or_by_word():
    def cut(text: str, words: set[str]) -> list[str]:
        return [text[a:b] for a, b in word_spans(text, words)]

    assert cut("猫坐在垫子上。", set()) == ["猫", "坐", "在", "垫", "子", "上", "。"]
    assert cut("猫坐在垫子上。", {"垫子", "坐在"}) == ["猫", "坐在", "垫子", "上", "。"]
    assert cut("坐在垫子上", {"坐在", "坐在垫子"}) == ["坐在垫子", "上"]  # the longest
    assert cut("The cat's mat.", {"猫"}) == ["The", "cat's", "mat", "."]
    tokens = untrained("encoder", words={"垫子"}).trace("猫在垫子上").tokens.source
    assert tokens.text == ("猫", "在", "垫子", "上") and tokens.spans[2] == (2, 4)


def test_where_the_norms_stand_is_chosen():
    post, pre = (chain(untrained("encoder", norm=norm).trace("a cat sat"), "block") for norm in ("post", "pre"))
    names = [[step.name for step in each.steps] for each in (post, pre)]
    assert names[0].index("mid") < names[0].index("self-norm")
    assert names[1].index("self-norm") < names[1].index("weights") < names[1].index("mid")


def test_what_cannot_be_read_is_refused():
    with pytest.raises(EmptyText):
        untrained("encoder").trace("  ")
    with pytest.raises(TooLong, match="takes at most 127"):
        untrained("decoder").trace("cat " * 200)
    with pytest.raises(InputError, match="takes no target text"):
        untrained("encoder").trace("a cat", "a dog")
    with pytest.raises(InputError, match="architecture"):
        untrained("robot")
