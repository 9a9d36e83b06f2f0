"""Tokens of byte-level BPE as a reader of Chinese sees them, also where a token holds parts of two characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from attnviz.pretrained.tokens.token_display import display_texts
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer


def byte_level(merges=()) -> SentenceTokenizer:
    """Bytes, and the tokens that the merges make of them, as GPT-2 and Qwen have thousands."""
    vocabulary = {piece: number for number, piece in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    for left, right in merges:
        vocabulary.setdefault(left + right, len(vocabulary))
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=list(merges)))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return SentenceTokenizer(PreTrainedTokenizerFast(tokenizer_object=tokenizer), model_name="bytes", limit=1000)


def pieces_of(character: str) -> list[str]:
    """A character's bytes, as byte-level tokenizers spell them."""
    return list(byte_level().tokens(character).pieces)


我, 喜, 欢 = (pieces_of(character) for character in "我喜欢")
BLANK = "Ġ"


def test_a_character_in_several_tokens_says_which_part_each_is():
    assert byte_level().tokens("我 ok").text == ("我 1/3", "我 2/3", "我 3/3", "␣", "o", "k")


def test_a_character_that_is_one_token_is_shown_plainly():
    merges = [(欢[0], 欢[1]), (欢[0] + 欢[1], 欢[2])]
    assert byte_level(merges).tokens("欢").text == ("欢",)


def test_a_token_that_ends_one_character_and_begins_the_next_shows_its_part_of_both():
    tokens = byte_level([(我[0], 我[1]), (我[2], 喜[0]), (喜[1], 喜[2])]).tokens("我喜")

    assert tokens.text == ("我 1/2", "我 2/2 喜 1/2", "喜 2/2")
    assert tokens.spans == ((0, 1), (0, 2), (1, 2))


def test_a_blank_before_a_part_of_a_character_is_not_named():
    assert byte_level([(BLANK, 我[0])]).tokens("a 我").text == ("a", "我 1/3", "我 2/3", "我 3/3")


def test_a_token_of_whole_characters_beside_a_part_shows_both():
    merges = [(我[0], 我[1]), (我[0] + 我[1], 我[2]), (我[0] + 我[1] + 我[2], 喜[0])]
    assert byte_level(merges).tokens("我喜").text == ("我 喜 1/3", "喜 2/3", "喜 3/3")


@pytest.mark.parametrize("text", ["我喜欢读书。", "貓坐在墊子上", "ไทย", "😀 é", "日本語を読む"])
def test_every_character_of_a_sentence_is_seen_in_its_tokens(text):
    seen = "".join(byte_level().tokens(text).text)
    assert all(character in seen for character in text if not character.isspace())


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 3)), min_size=1, max_size=6))
def test_parts_count_up_to_their_number_for_any_overlap(rows):
    text, offsets = "我喜欢读书写字画画听歌", sorted((start, start + width) for start, width in rows)
    shown = display_texts(text, offsets, offsets, ["?"] * len(offsets), [False] * len(offsets))

    for place, character in enumerate(text[:8]):
        owners = [index for index, (start, end) in enumerate(offsets) if start <= place < end]
        assert all(character in shown[index] for index in owners)
        alone = [index for index in owners if offsets[index] == (place, place + 1)]
        assert all(shown[it] == f"{character} {owners.index(it) + 1}/{len(owners)}" for it in alone if len(owners) > 1)
