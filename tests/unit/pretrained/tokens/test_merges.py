"""What merges make of a text is what its tokenizer gives, and each step joins one pair."""

import pytest

from attnviz.core.errors import UnsupportedModel
from attnviz.pretrained.tokens.merges import has_merges, merges

TEXTS = ("unbelievably", "The dog slept, 床前明月光 123 aaaa\n\n  x 🙂 é", "She said “no”.\t42", "a  ")


@pytest.mark.parametrize("text", TEXTS)
def test_bytes_become_the_tokens_of_the_tokenizer_by_one_pair_at_a_time_the_first_learned_first(smollm2, text):
    words = merges(smollm2.tokenizer, text)
    ids = [smollm2.tokenizer.backend.token_to_id(token) for token in smollm2.tokenizer.encoded(text).tokens]
    assert ids == list(smollm2.tokenizer.tokens(text).ids)
    assert sum(len(word.states[-1].pieces) for word in words) == len(ids)
    assert b"".join(piece for word in words for piece in word.states[-1].pieces) == text.encode()
    for word in words:
        first, *others = word.states
        assert all(len(piece) == 1 for piece in first.pieces) and first.rank is None
        before = first.pieces
        for state in others:
            assert b"".join(state.pieces) == b"".join(before) == word.text.encode() and state.rank
            joined = set(state.pieces) - set(before)
            assert len(state.pieces) < len(before) and len(joined) <= 1  # one pair, perhaps in several places
            before = state.pieces


def test_the_merges_of_a_word_are_those_that_the_published_list_has(smollm2):
    (word,) = merges(smollm2.tokenizer, "unbelievably")
    assert [b" ".join(state.pieces).decode() for state in word.states[-2:]] == ["un bel ie v ably", "un belie v ably"]
    listed = smollm2.tokenizer.tokenizer.backend_tokenizer.to_str()
    assert '["bel","ie"]' in listed or '"bel ie"' in listed


def test_a_tokenizer_of_another_kind_is_refused_in_a_sentence(minilm):
    assert not has_merges(minilm.tokenizer)
    with pytest.raises(UnsupportedModel, match="merges"):
        merges(minilm.tokenizer, "a")
