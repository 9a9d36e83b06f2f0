"""Word and character vocabularies, in English and Chinese."""

from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from attnviz.core.errors import EmptyText, InputError
from attnviz.models import Vocabulary, padded


def test_the_most_frequent_words_come_first_after_the_special_ones() -> None:
    words = Vocabulary.build(["b a a", "a b c"])
    assert words.entries == ("<pad>", "<unk>", "<start>", "<end>", "a", "b", "c")
    assert words.encode("a c") == (4, 6)
    assert Vocabulary.build(["b b a a"]).entries[4:] == ("b", "a")  # of two as frequent, the one that came first


EXACT = (
    'He said "hello" to me.', "3.14 is π.", "I don't know; O’Neil does.", "e-mail me at 10:30", "我用Python写code。",
    "Cafe\u0301 de\u0301ja\u0300 vu", "👩\u200d❤️\u200d👩 and 👍🏽 🇨🇳 1️⃣ ok", "𠀀𠀁𪚥字和㐀々〇", "ＡＢＣ，全角！（好）",
    "the dogs' tails", "rock 'n' roll", "‘hi’ “Hello,” she said.", "他说：“你好。”我走了", "等一下……好吧——算了",
    "wait... what?! no!!", "$5 (50%) #1 [x]", "10,000.50 kg", "नमस्ते दुनिया", "列奥纳多·达·芬奇", "葛\U000e0100飾区",
    '"a" "b" \'c\'', "naïve co\u00adop", "日本語のテスト",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *zip(EXACT, EXACT, strict=True),
        ("  a   b\n c ", "a b c"), ("我 用 Python", "我用Python"), ("and/or", "and / or"), ("a--b", "a -- b"),
        ("( a )", "(a)"), ("a ,b", "a, b"), ("👍👍", "👍 👍"), ('half a " quote', 'half a" quote'),
    ],
)  # fmt: skip
def test_words_of_every_kind_come_back_with_the_spaces_that_english_and_chinese_have(text: str, expected: str) -> None:
    words = Vocabulary.build([text])
    assert words.decode(words.encode(text)) == expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The cat sat, the cat didn't run.", ("The", "cat", "sat", ",", "the", "cat", "didn't", "run", ".")),
        ("我喜欢读书，读书很好。", ("我", "喜", "欢", "读", "书", "，", "读", "书", "很", "好", "。")),
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


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.one_of(HARD, st.text(max_size=24)), st.sampled_from(["word", "character"]))
def test_what_is_decoded_encodes_to_the_same_numbers(text: str, level: str) -> None:
    assume(text.split())
    vocabulary = Vocabulary.build([text], level)  # type: ignore[arg-type]
    ids = vocabulary.encode(text)
    decoded = vocabulary.decode(ids)
    assert vocabulary.encode(decoded) == ids
    assert level == "word" or decoded == text


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


def test_numbers_may_come_in_any_container() -> None:
    words = Vocabulary.build(["a b"])
    for ids in ([4, 5, 0], torch.tensor([4, 5, 0]), numpy.array([4, 5]), (torch.tensor(4), 5), iter([2, 4, 5, 3])):
        assert words.decode(ids) == "a b"
    assert words.decode([]) == words.decode(torch.tensor([])) == ""
    ids, is_token = padded([torch.tensor([5, 6, 7]), (8,)])  # short texts are filled up
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]] and ids.dtype == torch.int64
    assert is_token.tolist() == [[True, True, True], [True, False, False]]


WORDS = Vocabulary.build(["a b"])  # 4 is a, 5 is b
SPECIAL = ("<pad>", "<unk>", "<start>", "<end>")


@pytest.mark.parametrize(
    "ids", [[4.0], torch.tensor([4.0]), [[4, 5]], torch.tensor([[4, 5]]), "45", [None], 4, torch.tensor(4)]
)
def test_what_are_no_numbers_of_tokens_is_refused(ids: Any) -> None:
    for use in (WORDS.decode, lambda wrong: padded([wrong])):
        with pytest.raises(InputError, match="expected whole numbers, one a token"):
            use(ids)


@pytest.mark.parametrize(
    ("kind", "sentence", "call"),
    [
        (InputError, "texts is str; expected several texts", lambda: Vocabulary.build("the cat")),
        (InputError, "texts is NoneType; expected several texts", lambda: Vocabulary.build(None)),
        (InputError, "A text is a str; bytes was given", lambda: Vocabulary.build([b"the"])),
        (InputError, "A text is a str; NoneType was given", lambda: WORDS.encode(None)),
        (InputError, "level is 'char'. Expected one of 'word', 'character'", lambda: Vocabulary.build(["a"], "char")),
        (EmptyText, "There is no token in the texts", lambda: Vocabulary.build(["", " "])),
        (EmptyText, "no text to read", lambda: WORDS.tokens("  ")),
        (InputError, "Token 6 is not in this vocabulary; expected 0 to 5", lambda: WORDS.decode([4, 6])),
        (InputError, "Token -1 is not in this vocabulary", lambda: WORDS.decode([-1])),
        (EmptyText, "No texts, or one without tokens, was given", lambda: padded([(1,), ()])),
        (EmptyText, "No texts, or one without tokens, was given", lambda: padded([])),
        (InputError, "Token -1 was given; expected numbers of at least 0", lambda: padded([(1, -1)])),
        (InputError, "The entries of a vocabulary are a tuple", lambda: Vocabulary("abc", "word")),
        (InputError, "then different texts", lambda: Vocabulary(("a", "b"), "word")),
        (InputError, "then different texts", lambda: Vocabulary((*SPECIAL, "a", "a"), "word")),
        (InputError, "of at least one character", lambda: Vocabulary((*SPECIAL, ""), "word")),
    ],
)
def test_what_cannot_be_used_is_refused(kind: type[Exception], sentence: str, call: Any) -> None:
    with pytest.raises(kind, match=sentence):
        call()
