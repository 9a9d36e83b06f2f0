"""Tokens of hostile and of ordinary text: spans, names, limits and the sentences said when a text cannot be read."""

import re
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, normalizers
from transformers import PreTrainedTokenizerFast

from attnviz.core.errors import EmptyText, InputError, TooLong
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer
from attnviz.trace.tokens import Tokens

HOSTILE = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("\x00\x07\x1b\x7f\x85\u200b\u200d\u202e\ufeff\ufffd\u0301\u0327\u3000ﬁİ½ \n\t"),
        st.sampled_from("😀👨👩👧我喜歡貓שלוםعربي</script>&\"'"),
    ),
    min_size=1,
    max_size=60,
)


@pytest.fixture(scope="module")
def tokenizer(minilm) -> SentenceTokenizer:
    return minilm.tokenizer


def test_a_sentence_gets_the_special_tokens_its_words_and_its_spans(tokenizer):
    tokens = tokenizer.tokens("The cat sat.")
    assert tokens.text == ("[CLS]", "The", "cat", "sat", ".", "[SEP]")
    assert tokens.ids == (101, 1996, 4937, 2938, 1012, 102)
    assert tokens.special == (True, False, False, False, False, True)
    assert tokens.unknown == (False,) * 6
    assert tokens.spans == ((0, 0), (0, 3), (4, 7), (8, 11), (11, 12), (0, 0))
    assert tokens.words == (-1, 0, 1, 2, 3, -1)
    assert tokens.source == "The cat sat."


@pytest.mark.parametrize(
    ("text", "shown", "unknown", "words"),
    [
        ("Paris is [MASK]", "Paris is [MASK]", "", (0, 1, -1)),  # typed by the reader, and special all the same
        ("The cat 😀 sat", "The cat 😀 sat", "😀", (0, 1, 2, 3)),
        ("👨‍👩‍👧 family", "👨‍👩‍👧 family", "👨‍👩‍👧", (0, 1)),
        ("cafe\u0301 noir", "cafe\u0301 noir", "", (0, 1)),  # an accent of its own stays with its letter
        ("我喜歡貓", "我 喜 歡 貓", "喜 歡 貓", (0, 1, 2, 3)),
        ("שלום עולם", "ש ל ו ם ע ו ל ם", "", (0, 0, 0, 0, 1, 1, 1, 1)),
        ("a\x00b\x07c", "a␀b␇c", "", (0,)),
        ("</b>", "< / b >", "", (0, 1, 2, 3)),
        ("x" * 120, "x" * 120, "x" * 120, (0,)),
    ],
)
def test_tokens_are_the_readers_own_characters(tokenizer, text, shown, unknown, words):
    tokens = tokenizer.tokens(text)
    assert tokens.text[1:-1] == tuple(shown.split(" ")) and tokens.words[1:-1] == words
    assert [one for one, is_unknown in zip(tokens.text, tokens.unknown, strict=True) if is_unknown] == unknown.split()
    assert "".join(text[start:end] for start, end in tokens.spans) == text.replace(" ", "")
    assert [own == "[MASK]" for own in tokens.text[1:-1]] == list(tokens.special[1:-1])


def test_pieces_of_one_character_share_what_was_dropped_beside_it(tokenizer):
    spans = tokenizer.tokens("\x1b묠").spans[1:-1]
    assert len(spans) == 3 and set(spans) == {(0, 2)}


@pytest.mark.parametrize(
    ("text", "kind", "id", "says"),
    [
        *((text, EmptyText, "empty-text", "There is no text to read. Type a sentence")
          for text in ("", "\n\t \u3000", "\x1c\x1d")),
        *((text, EmptyText, "nothing-left", "drops every character of this text") for text in ("\u200b", "\x00\x00")),
        ("ab\ud83d", InputError, "surrogate", "Character 3 is half of a character (U+D83D)"),
        (None, InputError, "text-no-str", "A text is a str; NoneType was given"),
        (b"abc", InputError, "text-no-str", "A text is a str; bytes was given"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused_in_a_sentence(tokenizer, text, kind, id, says):
    with pytest.raises(kind, match=re.escape(says)) as error:
        tokenizer.tokens(text)
    assert error.value.id == id


def test_a_text_at_the_limit_is_read_and_one_over_it_is_refused_with_both_numbers(tokenizer):
    assert len(tokenizer.tokens("cat " * 510)) == 512
    with pytest.raises(TooLong, match=r"513 tokens; MiniLM-L6 takes at most 512\. The first 2,039 characters") as error:
        tokenizer.tokens("cat " * 511)
    assert error.value.id == "too-long-for-model"
    assert error.value.arguments == {"model": "MiniLM-L6", "n": 513, "limit": 512, "characters": 510 * 4 - 1}


@pytest.mark.parametrize("text", ["cat " * 700, "貓坐在墊子上" * 200, "unaffordability " * 300, "e\u0301 " * 900])
def test_the_first_part_that_is_offered_fits_and_is_nearly_as_long_as_the_limit(tokenizer, text):
    part = tokenizer.first_part(text)
    assert text.startswith(part) and 500 <= len(tokenizer.tokens(part)) <= 512
    assert tokenizer.first_part(part) == part


def test_the_first_part_keeps_to_a_smaller_limit_and_a_text_that_fits_is_whole(tokenizer):
    assert len(tokenizer.tokens(tokenizer.first_part("cat " * 50, 20))) == 20
    assert tokenizer.first_part("cat " * 10, 20) == "cat " * 10
    assert tokenizer.first_part("cat", 2) == ""  # [CLS] and [SEP] alone


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=HOSTILE)
def test_whatever_the_text_its_tokens_are_whole_or_it_is_refused_in_a_sentence(tokenizer, text):
    try:
        tokens = tokenizer.tokens(text)
    except EmptyText:
        return

    assert tokens.source == text
    end_before, span_before = 0, (0, 0)
    for shown, (start, end), special, word in zip(tokens.text, tokens.spans, tokens.special, tokens.words, strict=True):
        assert shown.strip()
        assert not any(unicodedata.category(character) == "Cc" for character in shown)
        assert 0 <= start <= end <= len(text)
        assert (word == -1) == special
        if end > start:
            assert start >= end_before or (start, end) == span_before  # pieces of one character share its span
            end_before, span_before = end, (start, end)
    numbers = [word for word in tokens.words if word >= 0]
    assert sorted(set(numbers)) == list(range(len(set(numbers))))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from("abc éñ我貓ש😀.,!'e\u0301\n"), min_size=1, max_size=60))
def test_no_visible_character_is_lost_between_the_tokens(tokenizer, text):
    try:
        tokens = tokenizer.tokens(text)
    except EmptyText:
        return

    covered = {position for start, end in tokens.spans for position in range(start, end)}
    lost = [text[i] for i in range(len(text)) if i not in covered and not text[i].isspace()]
    assert all(unicodedata.category(character) == "Mn" for character in lost)  # an accent alone between blanks


def metaspace(text: str) -> Tokens:
    """A tokenizer that puts ▁ before a text as a piece of its own, and knows some characters by their bytes alone."""
    pieces = ["<unk>", *(f"<0x{number:02X}>" for number in range(256)), "▁", "a", "b", "c", "▁b"]
    model = models.BPE(
        {piece: number for number, piece in enumerate(pieces)}, [], unk_token="<unk>", fuse_unk=True, byte_fallback=True
    )
    backend = Tokenizer(model)
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    fast = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")
    return SentenceTokenizer(fast, model_name="metaspace", limit=100).tokens(text)


def test_a_blank_before_the_text_holds_no_part_of_its_first_character():
    tokens = metaspace("今 a")
    assert tokens.pieces[0] == "▁" and tokens.spans[0] == (0, 0) and tokens.text[0] == "␣"
    assert tokens.text[1:4] == ("今 1/3", "今 2/3", "今 3/3")


def test_words_are_told_apart_where_a_tokenizer_takes_the_text_for_one_word():
    tokens = metaspace("a b  ca")
    words = {piece: word for piece, word in zip(tokens.pieces, tokens.words, strict=True) if piece.strip("▁")}
    assert words["a"] == words["c"] and words["b"] != words["c"] and len(set(tokens.words)) >= 3
