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


ADDED = cut("a cat", "[CLS]", "a", "cat", special=("[CLS]",))
CATS, CHINESE = "The unbelievable cats' tails", "我喜欢猫。你也喜欢猫"
BYTES = Tokens(
    ("�",) * 3 + ("ok",), (1, 2, 3, 4), (False,) * 4, (False,) * 4, ((0, 1),) * 3 + ((2, 4),), (0,) * 4, "好 ok"
)


@pytest.mark.parametrize(("a", "b", "rows"), [
    # The same tokens are compared one by one, with those that were added.
    (ADDED, replace(ADDED, text=("<s>", "a", "cat")), [("[CLS]", (0,), (0,)), ("a", (1,), (1,)), ("cat", (2,), (2,))]),
    # Word pieces and byte-level pieces, to which spaces belong, meet at words.
    (cut(CATS, "[CLS]", "The", "un", "believable", "cats", "'", "tails", "[SEP]", special=("[CLS]", "[SEP]")),
     cut(CATS, "The", " unbel", "iev", "able", " cats", "'", " tails"),
     [("The", (1,), (0,)), ("unbelievable", (2, 3), (1, 2, 3)), ("cats", (4,), (4,)), ("'", (5,), (5,)),
      ("tails", (6,), (6,))]),
    # An apostrophe between letters is inside a word.
    (cut("we don't", "we", "don", "'", "t"), cut("we don't", "we", " don", "'t"),
     [("we", (0,), (0,)), ("don't", (1, 2, 3), (1, 2))]),
    # Chinese is cut where both tokenizers cut, one of them after each character.
    (cut(CHINESE, *CHINESE), cut(CHINESE, "我", "喜欢", "猫。", "你也", "喜欢", "猫"),
     [("我", (0,), (0,)), ("喜欢₁", (1, 2), (1,)), ("猫。", (3, 4), (2,)), ("你也", (5, 6), (3,)),
      ("喜欢₂", (7, 8), (4,)), ("猫", (9,), (5,))]),
    # Tokens that share one character, which a byte-level vocabulary spells with three, are one unit.
    (cut("好 ok", "好", "ok"), BYTES, [("好", (0,), (0, 1, 2)), ("ok", (1,), (3,))]),
])  # fmt: skip
def test_units_are_tokens_where_both_sides_have_the_same_and_words_elsewhere(a, b, rows) -> None:
    units = common_units(a, b)
    assert [(unit.text, unit.in_a, unit.in_b) for unit in units.each] == rows
    assert units.are_tokens == (a is ADDED)
    assert units.left_out == (("[CLS]", "[SEP]") if "[SEP]" in a.text else (), ())


@pytest.mark.parametrize(("text_a", "text_b", "labels", "left_out"), [
    ("The cat sat", "the dog sat", ["The", "cat / dog", "sat"], ((), ())),
    ("the cat sat", "the old cat sat", ["the", "cat", "sat"], ((), ("old",))),
    ("the cat the mat", "the mat", ["the₂", "mat"], (("the₁", "cat"), ())),
])  # fmt: skip
def test_words_of_two_texts_are_aligned(text_a: str, text_b: str, labels, left_out) -> None:
    """A word between the same neighbours shares its unit; repeated words are found although they are numbered."""
    units = aligned_units(*(cut(text, *text.split()) for text in (text_a, text_b)))
    assert [unit.label for unit in units.each] == labels and units.left_out == left_out
    assert units.are_tokens == (left_out == ((), ()))


def test_two_texts_whose_tokens_look_alike_are_two_and_tokens_given_by_hand_are_of_both() -> None:
    good, bad = (replace(BYTES, source=source) for source in ("好 ok", "坏 ok"))
    given = Tokens.plain(BYTES.text)
    assert not good.is_of_text(bad) and good.is_of_text(given) and given.is_of_text(bad)
    assert common_units(good, given).are_tokens


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
