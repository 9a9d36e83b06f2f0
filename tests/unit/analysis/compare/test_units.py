"""What two tokenizations share: tokens where they are the same, else words; of two texts words that are aligned."""

from dataclasses import replace

import pytest

from attnviz.analysis.compare.units import aligned_units, common_units
from attnviz.core.errors import InputError
from attnviz.trace.tokens import Tokens


def cut(source: str, *pieces: str, special: tuple[str, ...] = ()) -> Tokens:
    """Tokens of a text, given in order; those in `special` stand for no characters."""
    spans, at = [], 0
    for piece in pieces:
        if piece in special:
            spans.append((0, 0))
            continue
        start = source.index(piece, at)
        at = start + len(piece)
        spans.append((start, at))
    marks = tuple(piece in special for piece in pieces)
    n = len(pieces)
    return Tokens(pieces, tuple(range(n)), marks, (False,) * n, tuple(spans), (0,) * n, source, pieces)


def rows(units) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    return [(unit.text, unit.in_a, unit.in_b) for unit in units.each]


def test_the_same_tokens_are_compared_one_by_one_with_those_that_were_added() -> None:
    a = cut("a cat", "[CLS]", "a", "cat", special=("[CLS]",))
    units = common_units(a, replace(a, text=("<s>", "a", "cat")))
    assert units.are_tokens and rows(units) == [("[CLS]", (0,), (0,)), ("a", (1,), (1,)), ("cat", (2,), (2,))]


def test_word_pieces_and_byte_level_pieces_meet_at_words() -> None:
    text = "The unbelievable cats' tails"
    a = cut(text, "[CLS]", "The", "un", "believable", "cats", "'", "tails", "[SEP]", special=("[CLS]", "[SEP]"))
    b = cut(text, "The", " unbel", "iev", "able", " cats", "'", " tails")  # spaces belong to the tokens
    units = common_units(a, b)
    assert rows(units) == [
        ("The", (1,), (0,)), ("unbelievable", (2, 3), (1, 2, 3)), ("cats", (4,), (4,)), ("'", (5,), (5,)),
        ("tails", (6,), (6,)),
    ]  # fmt: skip
    assert units.left_out == (("[CLS]", "[SEP]"), ()) and not units.are_tokens


def test_an_apostrophe_between_letters_is_inside_a_word() -> None:
    text = "we don't"
    units = common_units(cut(text, "we", "don", "'", "t"), cut(text, "we", " don", "'t"))
    assert rows(units) == [("we", (0,), (0,)), ("don't", (1, 2, 3), (1, 2))]


def test_chinese_is_cut_where_both_tokenizers_cut() -> None:
    text = "我喜欢猫。你也喜欢猫"
    a = cut(text, *text)  # a character a token
    b = cut(text, "我", "喜欢", "猫。", "你也", "喜欢", "猫")
    units = common_units(a, b)
    assert [unit.text for unit in units.each] == ["我", "喜欢₁", "猫。", "你也", "喜欢₂", "猫"]
    assert [unit.in_a for unit in units.each] == [(0,), (1, 2), (3, 4), (5, 6), (7, 8), (9,)]


def test_tokens_that_share_one_character_are_one_unit() -> None:
    text = "好 ok"  # a byte-level vocabulary spells the first character with three tokens
    three = Tokens(
        ("�",) * 3 + ("ok",), (1, 2, 3, 4), (False,) * 4, (False,) * 4, ((0, 1),) * 3 + ((2, 4),), (0,) * 4, text
    )
    assert rows(common_units(cut(text, "好", "ok"), three)) == [("好", (0,), (0, 1, 2)), ("ok", (1,), (3,))]


@pytest.mark.parametrize(
    ("text_a", "text_b", "labels", "left_out"),
    [
        ("The cat sat", "the dog sat", ["The", "cat / dog", "sat"], ((), ())),
        ("the cat sat", "the old cat sat", ["the", "cat", "sat"], ((), ("old",))),
        ("the cat the mat", "the mat", ["the₂", "mat"], (("the₁", "cat"), ())),
    ],
)
def test_words_of_two_texts_are_aligned(text_a: str, text_b: str, labels, left_out) -> None:
    """A word between the same neighbours shares its unit; repeated words are found although they are numbered."""
    units = aligned_units(*(cut(text, *text.split()) for text in (text_a, text_b)))
    assert [unit.label for unit in units.each] == labels and units.left_out == left_out
    assert units.are_tokens == (left_out == ((), ()))


MANY = " ".join(["a"] * 600)


@pytest.mark.parametrize(("units_of", "a", "b", "words"), [
    (common_units, cut("a b", "a", "b"), cut("a c", "a", "c"), "different texts"),
    (common_units, cut("a b", "a"), cut("a b", "b"), "nothing of this text"),
    (aligned_units, cut("a b", "a", "b"), cut("c d", "c", "d"), "share no word"),
    (aligned_units, cut(MANY, *MANY.split()), cut("a", "a"), "has 600 words"),
])  # fmt: skip
def test_texts_without_common_units_and_long_ones_are_refused(units_of, a, b, words) -> None:
    with pytest.raises(InputError, match=words):
        units_of(a, b)
