"""Word and character vocabularies, in English and Chinese."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attnviz.core.errors import EmptyText, InputError
from attnviz.models import Vocabulary, padded

TEXTS = ("The cat sat, the cat didn't run.", "我喜欢读书，读书很好。")


def test_the_most_frequent_words_come_first_after_the_special_ones() -> None:
    words = Vocabulary.build(["b a a", "a b c"])
    assert words.entries == ("<pad>", "<unk>", "<start>", "<end>", "a", "b", "c")
    assert words.encode("a c") == (4, 6)


def test_words_are_letters_marks_and_single_chinese_characters() -> None:
    words = Vocabulary.build(TEXTS)
    assert words.tokens(TEXTS[0]).text == ("The", "cat", "sat", ",", "the", "cat", "didn't", "run", ".")
    assert words.tokens(TEXTS[1]).text == ("我", "喜", "欢", "读", "书", "，", "读", "书", "很", "好", "。")


@pytest.mark.parametrize("level", ["word", "character"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_from_its_numbers(level: str, text: str) -> None:
    vocabulary = Vocabulary.build(TEXTS, level)  # type: ignore[arg-type]
    assert vocabulary.decode(vocabulary.encode(text, is_framed=True)) == text


EXACT = (
    'He said "hello" to me.', "3.14 is π.", "I don't know; O’Neil does.", "e-mail me at 10:30", "我用Python写code。",
    "Cafe\u0301 de\u0301ja\u0300 vu", "👩\u200d❤️\u200d👩 and 👍🏽 🇨🇳 1️⃣ ok", "𠀀𠀁𪚥字和㐀々〇", "ＡＢＣ，全角！（好）",
    "the dogs' tails", "rock 'n' roll", "‘hi’ “Hello,” she said.", "他说：“你好。”我走了", "等一下……好吧——算了",
    "wait... what?! no!!", "$5 (50%) #1 [x]", "10,000.50 kg", "नमस्ते दुनिया", "列奥纳多·达·芬奇", "葛\U000e0100飾区",
    '"a" "b" \'c\'', "naïve co\u00adop", "日本語のテスト",
)  # fmt: skip


@pytest.mark.parametrize("text", EXACT)
def test_words_of_every_kind_come_back_as_they_were_written(text: str) -> None:
    words = Vocabulary.build([text])
    assert words.decode(words.encode(text)) == text == words.normalised(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a   b\n c ", "a b c"), ("我 用 Python", "我用Python"), ("and/or", "and / or"), ("a--b", "a -- b"),
        ("( a )", "(a)"), ("a ,b", "a, b"), ("👍👍", "👍 👍"), ("", ""), ('half a " quote', 'half a" quote'),
    ],
)  # fmt: skip
def test_spaces_are_written_as_english_and_chinese_do(text: str, expected: str) -> None:
    words = Vocabulary.build(["a", text])
    assert words.normalised(text) == expected
    assert not text or words.decode(words.encode(text)) == expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("don't e-mail 3.14, 10,000", ("don't", "e-mail", "3.14", ",", "10,000")),
        ("end. -5 'a'", ("end", ".", "-", "5", "'", "a", "'")),
        ("👩\u200d💻👍🏽🇨🇳🇫🇷", ("👩\u200d💻", "👍🏽", "🇨🇳", "🇫🇷")),
        ("𠀀𠀁a\u0301b", ("𠀀", "𠀁", "a\u0301b")),
    ],
)  # fmt: skip
def test_words_are_cut_where_a_reader_would(text: str, pieces: tuple[str, ...]) -> None:
    assert Vocabulary.build([text]).tokens(text).text == pieces


# Texts that are hard to cut: marks and what attaches to them, beside Latin and Chinese.
HARD = st.text(
    st.sampled_from("ab3我𠀀é\u0301\u200d\ufe0f👩🏽🇨🇳'’\"-.,:;!?—…·()“”（）。$#/_ \n\u00ad\ufeff\u3000"),
    max_size=24,
)
TYPED = st.one_of(HARD, st.text(max_size=24))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(TYPED, st.sampled_from(["word", "character"]))
def test_decoding_gives_the_normalised_text_and_that_the_same_numbers(text: str, level: str) -> None:
    assume(text.split())
    vocabulary = Vocabulary.build([text], level)  # type: ignore[arg-type]
    ids, normalised = vocabulary.encode(text), vocabulary.normalised(text)
    assert vocabulary.decode(ids) == normalised
    assert vocabulary.encode(normalised) == ids
    assert vocabulary.normalised(normalised) == normalised
    assert level == "word" or normalised == text


@settings(max_examples=400, deadline=None, derandomize=True)
@given(HARD, st.data())
def test_any_numbers_come_back_from_their_text(text: str, data: st.DataObject) -> None:
    assume(text.split())
    vocabulary = Vocabulary.build([text])
    ids = tuple(data.draw(st.lists(st.integers(4, len(vocabulary) - 1), min_size=1, max_size=16)))
    assert vocabulary.encode(vocabulary.decode(ids)) == ids


@pytest.mark.parametrize("level", ["word", "character"])
def test_a_special_token_cannot_be_typed(level: str) -> None:
    text = "<pad> and <unk>"
    vocabulary = Vocabulary.build([text], level)  # type: ignore[arg-type]
    tokens = vocabulary.tokens(text)
    assert min(tokens.ids) > 3 and not any(tokens.special) and not any(tokens.unknown)
    assert vocabulary.decode(tokens.ids) == vocabulary.normalised(text)


def test_characters_come_back_exactly_spaces_and_all() -> None:
    text = "  a  b\n(c) "
    vocabulary = Vocabulary.build([text], "character")
    assert vocabulary.decode(vocabulary.encode(text)) == text


def test_unknown_words_are_marked_and_shown_as_they_were_typed() -> None:
    tokens = Vocabulary.build(["the cat"]).tokens("the dog")
    assert tokens.text == ("the", "dog")
    assert tokens.ids == (4, 1)
    assert tokens.unknown == (False, True)
    assert tokens.pieces == ("the", "<unk>")


def test_every_token_knows_its_place_in_the_text_and_its_word() -> None:
    text = "ab, c"
    words = Vocabulary.build([text]).tokens(text, is_framed=True)
    assert words.text == ("<start>", "ab", ",", "c", "<end>")
    assert words.spans == ((0, 0), (0, 2), (2, 3), (4, 5), (5, 5))
    assert words.words == (-1, 0, 1, 2, -1)
    assert words.special == (True, False, False, False, True)
    letters = Vocabulary.build([text], "character").tokens(text)
    assert letters.words == (0, 0, 1, -1, 2)


def test_size_and_frequency_can_be_bounded() -> None:
    assert Vocabulary.build(["a a a b b c"], max_size=6).entries[4:] == ("a", "b")
    assert Vocabulary.build(["a a a b b c"], min_count=2).entries[4:] == ("a", "b")
    assert Vocabulary.build(["a a b b"], max_size=5).entries[4:] == ("a",)  # of two as frequent the first


def test_short_texts_are_filled_up_with_padding() -> None:
    ids, is_token = padded([(5, 6, 7), (8,)])
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert is_token.tolist() == [[True, True, True], [True, False, False]]
    assert ids.dtype == torch.int64


def test_numbers_may_come_in_any_container() -> None:
    words = Vocabulary.build(["a b"])
    for ids in ([4, 5, 0], torch.tensor([4, 5, 0]), numpy.array([4, 5]), (torch.tensor(4), 5), iter([2, 4, 5, 3])):
        assert words.decode(ids) == "a b"
    assert words.decode([]) == words.decode(torch.tensor([])) == ""
    ids, is_token = padded([torch.tensor([4, 5]), (4,)])
    assert ids.tolist() == [[4, 5], [4, 0]] and is_token.sum() == 3


@pytest.mark.parametrize(
    "ids",
    [[4.0], torch.tensor([4.0]), [[4, 5]], torch.tensor([[4, 5]]), "45", b"45", [True], [None], 4, torch.tensor(4)],
)
def test_what_are_no_numbers_of_tokens_is_refused(ids: Any) -> None:
    words = Vocabulary.build(["a b"])
    with pytest.raises(InputError, match="expected whole numbers, one a token") as caught:
        words.decode(ids)
    assert caught.value.id == "vocabulary-ids"
    with pytest.raises(InputError, match="expected whole numbers, one a token"):
        padded([ids])


@pytest.mark.parametrize(
    ("texts", "arguments", "words"),
    [
        ("the cat", {}, "texts is str; expected several texts"),
        (None, {}, "texts is NoneType; expected several texts"),
        ([b"the"], {}, "A text is a str; bytes came"),
        (["the", None], {}, "A text is a str; NoneType came"),
        (["a"], {"max_size": -1}, "max_size is -1; expected at least 5"),
        (["a"], {"max_size": 4}, "max_size is 4; expected at least 5"),
        (["a"], {"max_size": 5.0}, "max_size is 5.0; expected a whole number"),
        (["a"], {"min_count": 0}, "min_count is 0; expected at least 1"),
        (["a b a"], {"min_count": 3}, "No token occurs 3 times; the most frequent one occurs 2 times"),
    ],
)
def test_what_no_vocabulary_can_be_built_from_is_refused(texts: Any, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Vocabulary.build(texts, **arguments)


@pytest.mark.parametrize("text", [None, 3, b"a", ["a"]])
def test_only_a_text_is_encoded(text: Any) -> None:
    words = Vocabulary.build(["a"])
    for use in (words.encode, words.tokens, words.normalised):
        with pytest.raises(InputError, match="A text is a str"):
            use(text)


def test_what_is_no_text_and_no_token_is_refused() -> None:
    words = Vocabulary.build(["a"])
    with pytest.raises(EmptyText, match="no token in the text; expected at least one"):
        words.tokens("  ")
    with pytest.raises(EmptyText, match="The texts hold no token"):
        Vocabulary.build(["", " "])
    with pytest.raises(InputError, match="Token 5 is not in this vocabulary; expected 0 to 4"):
        words.decode([4, 5])
    with pytest.raises(InputError, match="Token -1 is not in this vocabulary"):
        words.decode([-1])
    with pytest.raises(EmptyText, match="The texts hold no token"):
        Vocabulary.build([])
    with pytest.raises(EmptyText, match="A text without tokens came"):
        padded([(1,), ()])
    with pytest.raises(EmptyText, match="No texts came; expected at least one"):
        padded([])
    with pytest.raises(InputError, match="Token -1 came; expected numbers of at least 0"):
        padded([(1, -1)])
    with pytest.raises(InputError, match=f"Token {2**70} came; expected numbers below {2**63}"):
        padded([(1, 2**70)])
    for wrong in (5, None):
        with pytest.raises(InputError, match=rf"texts came as {type(wrong).__name__}; expected several, .*\[ids\]"):
            padded(wrong)  # type: ignore[arg-type]


def test_a_vocabulary_that_is_none_is_refused() -> None:
    for wrong in (None, 5, {"a": 0}, "abc"):
        with pytest.raises(InputError, match=rf"entries came as {type(wrong).__name__}; expected a tuple of texts"):
            Vocabulary(wrong, "word")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"The entries begin with \('a', 'b'\)"):
        Vocabulary(("a", "b"), "word")
    with pytest.raises(InputError, match="'a' is in the vocabulary twice"):
        Vocabulary(("<pad>", "<unk>", "<start>", "<end>", "a", "a"), "word")
    with pytest.raises(InputError, match="'' is an entry; expected texts of at least one character"):
        Vocabulary(("<pad>", "<unk>", "<start>", "<end>", ""), "word")


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="level is 'char'; expected one of 'word', 'character'"):
        Vocabulary.build(["a b"], level="char")  # type: ignore[arg-type]
