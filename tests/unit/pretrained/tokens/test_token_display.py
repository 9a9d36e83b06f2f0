"""Tokens of byte-level BPE as a reader of Chinese sees them, also where a token holds parts of two characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

from attnviz.pretrained.tokens.token_display import display_texts
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from tests.parity.tiny_models import byte_tokenizer


def byte_level(merges=()) -> SentenceTokenizer:
    return SentenceTokenizer(byte_tokenizer(merges), model_name="bytes", limit=1000)


def pieces_of(character: str) -> list[str]:
    """A character's bytes, as byte-level tokenizers spell them."""
    return list(byte_level().tokens(character).pieces)


我, 喜, 欢 = (pieces_of(character) for character in "我喜欢")
BLANK = "Ġ"


@pytest.mark.parametrize(
    ("text", "merges", "shown"),
    [
        ("我 ok", [], ("我 1/3", "我 2/3", "我 3/3", "␣", "o", "k")),
        ("欢", [(欢[0], 欢[1]), (欢[0] + 欢[1], 欢[2])], ("欢",)),
        ("a 我", [(BLANK, 我[0])], ("a", "我 1/3", "我 2/3", "我 3/3")),  # the blank is not named
        ("我喜", [(我[0], 我[1]), (我[2], 喜[0]), (喜[1], 喜[2])], ("我 1/2", "我 2/2 喜 1/2", "喜 2/2")),
        ("我喜", [(我[0], 我[1]), (我[0] + 我[1], 我[2]), ("".join(我), 喜[0])], ("我 喜 1/3", "喜 2/3", "喜 3/3")),
    ],
    ids=["parts", "whole", "a blank before", "parts of two", "a whole and a part"],
)
def test_a_token_shows_the_characters_and_the_parts_of_characters_it_holds(text, merges, shown):
    assert byte_level(merges).tokens(text).text == shown


def test_a_token_of_two_characters_spans_both():
    tokens = byte_level([(我[0], 我[1]), (我[2], 喜[0]), (喜[1], 喜[2])]).tokens("我喜")
    assert tokens.spans == ((0, 1), (0, 2), (1, 2))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 3)), min_size=1, max_size=6))
def test_parts_count_up_to_their_number_for_any_overlap(rows):
    text, offsets = "我喜欢读书写字画画听歌", sorted((start, start + width) for start, width in rows)
    shown = display_texts(text, offsets, offsets, ["?"] * len(offsets), [False] * len(offsets))

    for place, character in enumerate(text[:8]):
        owners = [index for index, (start, end) in enumerate(offsets) if start <= place < end]
        assert all(character in shown[index] for index in owners)
        alone = [index for index in owners if offsets[index] == (place, place + 1)]
        assert all(shown[it] == f"{character} {owners.index(it) + 1}/{len(owners)}" for it in alone if len(owners) > 1)


def test_a_token_is_spelled_with_its_blank_as_it_is_shown_and_as_its_vocabulary_has_it():
    tokenizer = byte_level([(BLANK, "a"), (BLANK, BLANK), (我[0], 我[1]), (我[0] + 我[1], 我[2])])
    ids = tokenizer.tokens("a a   我").ids
    assert [tokenizer.spellings(one) for one in ids] == [
        ("a", "a", "a"), (" a", "a", "Ġa"), ("  ", "␣␣", "ĠĠ"), (" ", "␣", "Ġ"), ("我", "我", "".join(我)),
    ]  # fmt: skip
    part = tokenizer.tokens("喜").ids[0]
    assert tokenizer.spellings(part) == (喜[0], "<0xE5>", 喜[0])


def test_the_sign_of_sentencepiece_is_a_blank():
    vocabulary = {"▁cat": 0, "cat": 1, "▁": 2}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.decoder = decoders.Metaspace()
    own = SentenceTokenizer(PreTrainedTokenizerFast(tokenizer_object=inner), model_name="pieces", limit=9)
    assert [own.spellings(one) for one in vocabulary.values()] == [
        (" cat", "cat", "▁cat"), ("cat", "cat", "cat"), (" ", "▁", "▁"),
    ]  # fmt: skip


def test_a_predicted_part_of_a_character_is_said_by_its_bytes():
    tokenizer = byte_level([(我[0], 我[1]), (BLANK, 我[0]), ("a", 我[0]), (我[0] + 我[1], 我[2])])
    ids = {tokenizer.piece(one): one for one in range(tokenizer.n_vocabulary)}
    asked = (我[0], 我[0] + 我[1], BLANK + 我[0], "a" + 我[0], "".join(我))
    shown = ("<0xE6>", "<0xE6><0x88>", "<0xE6>", "a<0xE6>", "我")
    assert tuple(tokenizer.piece_text(ids[piece]) for piece in asked) == shown
    exact, said, piece = tokenizer.spellings(ids[我[0]])
    assert (exact, said, piece) == (我[0], "<0xE6>", 我[0])


def test_a_text_that_was_written_up_to_a_part_of_a_character_ends_in_its_bytes():
    tokenizer = byte_level()
    ids = tokenizer.tokens("a我b").ids
    assert [tokenizer.tokens_of(ids[:n]).text for n in (2, 3, 4)] == [
        ("a", "<0xE6>"), ("a", "<0xE6>", "<0x88>"), ("a", "我 1/3", "我 2/3", "我 3/3"),
    ]  # fmt: skip
