"""The common units of two tokenizations: the rows and columns over which two heads are compared.

Of one text, equal tokenizations are compared token by token. Other tokens are joined into words by the characters they
span: two belong to one unit if they share a character, or if the border between them is inside a word. Two texts that
one model read are aligned word by word.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from attnviz.core.errors import InputError
from attnviz.trace.tokens import Tokens

Span = tuple[int, int]  # character offsets, end excluded
MOST_WORDS = 512  # of a text that is aligned with another

# Scripts without spaces between words: there a unit is as short as both tokenizers allow.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "BOPOMOFO")
_INSIDE_WORDS = "'’-"  # between two letters


@dataclass(frozen=True)
class Unit:
    """One row and column of a comparison: its name, and its tokens on both sides."""

    text: str
    span: Span  # in the text; (0, 0) for a token that a tokenizer added
    in_a: tuple[int, ...]  # token indices of A
    in_b: tuple[int, ...]
    swapped: str = ""  # of two texts: the other word that stands there in B

    @property
    def label(self) -> str:
        """Its name, with both words where one is swapped."""
        return f"{self.text} / {self.swapped}" if self.swapped else self.text


@dataclass(frozen=True)
class Units:
    """The units in order; tokens without a unit are left out of the comparison."""

    each: tuple[Unit, ...]
    are_tokens: bool  # every unit is one token of either side, and none is left out
    left_out: tuple[tuple[str, ...], tuple[str, ...]]  # tokens of A and of B without a unit; of two texts words

    def __len__(self) -> int:
        return len(self.each)

    @property
    def by_word(self) -> tuple[int, ...] | None:
        """Of words that only changed places, where in B each unit's word of A stands; None where no words did that."""
        swapped = [at for at, unit in enumerate(self.each) if unit.swapped]
        in_b = {_plain(replace(self.each[at], text=self.each[at].swapped)): at for at in swapped}
        in_a = {_plain(self.each[at]): at for at in swapped}
        if not swapped or len(in_a) < len(swapped) or in_a.keys() != in_b.keys():
            return None
        to = {at: in_b[word] for word, at in in_a.items()}
        return tuple(to.get(at, at) for at in range(len(self)))

    def side(self, name: str) -> tuple[tuple[int, ...], ...]:
        """The tokens of each unit on side "a" or "b"."""
        return tuple(unit.in_a if name == "a" else unit.in_b for unit in self.each)


def common_units(a: Tokens, b: Tokens) -> Units:
    """The units of two tokenizations of one text; other texts, and units without tokens of both, are refused."""
    if not a.is_of_text(b):
        raise InputError(id="texts-differ")
    if a.text == b.text or (a.spans == b.spans and a.special == b.special):
        names = [a.name(index) for index in range(len(a))]
        each = tuple(Unit(names[i], a.spans[i], (i,), (i,)) for i in range(len(a)))
        return Units(each, True, ((), ()))
    each = _joined(a.source, {"a": a, "b": b})
    used_a, used_b = {i for unit in each for i in unit.in_a}, {i for unit in each for i in unit.in_b}
    if not each:
        raise InputError(id="nothing-in-common")
    rest = (
        tuple(a.text[i] for i in range(len(a)) if i not in used_a),
        tuple(b.text[i] for i in range(len(b)) if i not in used_b),
    )
    return Units(each, False, rest)


def aligned_units(a: Tokens, b: Tokens) -> Units:
    """The words of two texts, aligned by identity (longest common runs).

    Different words between the same neighbours share a unit and are called swapped. Refused are texts that share no
    word or have more than MOST_WORDS.
    """
    words_a, words_b = _words_and_added(a), _words_and_added(b)
    each, (only_a, only_b) = align(words_a, words_b)
    if not any(not unit.swapped and unit.span != (0, 0) for unit in each):
        raise InputError(
            id="no-common-word",
        )
    are_tokens = len(each) == len(a) == len(b)
    return Units(tuple(each), are_tokens, (tuple(word.text for word in only_a), tuple(word.text for word in only_b)))


def align(words_a: Sequence[Unit], words_b: Sequence[Unit]) -> tuple[list[Unit], tuple[list[Unit], list[Unit]]]:
    """The units of two lists of words in order, and the words of each list without one."""
    plain_a, plain_b = [_plain(word) for word in words_a], [_plain(word) for word in words_b]
    each: list[Unit] = []
    only: tuple[list[Unit], list[Unit]] = ([], [])
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, plain_a, plain_b, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and a1 - a0 == b1 - b0):
            for word_a, other in zip(words_a[a0:a1], words_b[b0:b1], strict=True):
                each.append(replace(word_a, in_b=other.in_a, swapped="" if kind == "equal" else other.text))
        else:
            only[0].extend(words_a[a0:a1])
            only[1].extend(words_b[b0:b1])
    return each, only


def _words_and_added(tokens: Tokens) -> list[Unit]:
    """The words of a text, and each token that the tokenizer added, in order."""
    added = [Unit(tokens.text[i], (0, 0), (i,), ()) for i in range(len(tokens)) if tokens.special[i]]
    units = sorted([*words_of(tokens), *added], key=lambda unit: unit.in_a)
    if len(units) > MOST_WORDS:
        raise InputError(id="sentence-too-long", n=len(units), most=MOST_WORDS)
    return units


def _plain(unit: Unit) -> tuple[bool, str]:
    """A word without its occurrence number and case, apart from tokens that the tokenizer added."""
    return unit.span == (0, 0), unit.text.rstrip("₀₁₂₃₄₅₆₇₈₉").casefold()


def words_of(tokens: Tokens) -> tuple[Unit, ...]:
    """The words of one tokenization, each made of tokens of side A; tokens without characters are left out."""
    return _joined(tokens.source, {"a": tokens})


def _joined(source: str, sides: Mapping[str, Tokens]) -> tuple[Unit, ...]:
    """Spans joined where they overlap or are inside one word; only those with tokens of every side."""
    marked = [(span, side, index) for side, tokens in sides.items() for index, span in _read(tokens)]
    units: list[Unit] = []
    start = end = -1
    inside: dict[str, list[int]] = {"a": [], "b": []}

    def close() -> None:
        if all(inside[side] for side in sides):
            units.append(Unit(source[start:end], (start, end), tuple(sorted(inside["a"])), tuple(sorted(inside["b"]))))

    for (first, last), side, index in sorted(marked):
        if first >= end and not (first == end and is_inside_word(source, first)):
            close()
            start, inside = first, {"a": [], "b": []}
        end = max(end, last)
        inside[side].append(index)
    close()
    return _named(units)


def _read(tokens: Tokens) -> list[tuple[int, Span]]:
    """The tokens with characters of the text, and their spans without white space."""
    words = []
    for index, (start, end) in enumerate(tokens.spans):
        text = tokens.source[start:end]
        bare = text.strip()
        if bare and not tokens.special[index]:
            first = start + text.index(bare)
            words.append((index, (first, first + len(bare))))
    return words


def is_inside_word(text: str, at: int) -> bool:
    """Whether the border before character `at` is inside a word, in a script with spaces between words."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _is_letter(before) and _is_letter(after):
        return True
    if before in _INSIDE_WORDS and at > 1:
        return _is_letter(text[at - 2]) and _is_letter(after)
    if after in _INSIDE_WORDS and at + 1 < len(text):
        return _is_letter(before) and _is_letter(text[at + 1])
    return False


def _is_letter(character: str) -> bool:
    """Letters, digits and marks of scripts with spaces between words."""
    if unicodedata.category(character)[0] not in "LNM":
        return False
    return not unicodedata.name(character, "").startswith(_UNSPACED)


def _named(units: list[Unit]) -> tuple[Unit, ...]:
    """Repeated words get an occurrence number: the₂."""
    names = Tokens.plain([unit.text for unit in units])
    return tuple(replace(unit, text=names.name(at)) for at, unit in enumerate(units))
