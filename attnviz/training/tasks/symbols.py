"""What copy, reverse, sort and induction have in common: thirty symbols, their reader, their held-out split."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from attnviz.training.tasks.task import Example, Link, Piece, Split, share

SYMBOLS = tuple("1234abcdefghijklmnopqrstuvwxyz")  # thirty, in the order that sort means
SHORTEST, LONGEST = 4, 24
HELD_OUT_SHARE = 0.1  # of all sequences; as many again are for validation

# What the model must write for a sequence, and for each written symbol the place it comes from.
Rule = Callable[[tuple[str, ...]], list[int]]


@dataclass(frozen=True)
class SymbolReader:
    """Each letter or digit is a word; spaces are left out; capitals are read as small letters."""

    words: tuple[str, ...] = SYMBOLS

    def with_words(self, words: tuple[str, ...]) -> SymbolReader:
        return SymbolReader(words)

    def pieces(self, text: str) -> list[Piece]:
        return [Piece(mark.lower(), (at, at + 1)) for at, mark in enumerate(text) if not mark.isspace()]

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        return " ".join(words)

    def shown(self, word: str, script: str = "") -> str:
        return word


def split_of(example: Example) -> Split:
    """The split of a sequence follows from its symbols alone, so that none is in two of them."""
    place = share("".join(example.source), salt="symbols")
    if place < HELD_OUT_SHARE:
        return "sentences"
    return "validation" if place < 2 * HELD_OUT_SHARE else "train"


def written_by(rule: Rule, symbols: tuple[str, ...]) -> Example:
    """The example of a sequence: `rule` gives, for each symbol to write, the place in the source it comes from."""
    places = rule(symbols)
    target = tuple(symbols[place] for place in places)
    links = tuple(
        Link(at, place)
        for at, symbol in enumerate(target)
        for place, own in enumerate(symbols)
        # a sorted text does not say which of two equal symbols came first; a copied one does
        if (own == symbol if rule is by_value else place == places[at])
    )
    return Example(symbols, target, links, str(len(symbols)))


def by_value(symbols: tuple[str, ...]) -> list[int]:
    """The places in the order of their symbols; the rule of the task sort."""
    return sorted(range(len(symbols)), key=lambda place: SYMBOLS.index(symbols[place]))


def drawn(rule: Rule, split: Split, length: int, random: Random) -> Example:
    """One sequence of that split and length: drawn again until it falls into it."""
    while True:
        example = written_by(rule, tuple(random.choices(SYMBOLS, k=length)))
        if split_of(example) == split:
            return example


def training(rule: Rule, name: str, lengths: tuple[int, int] = (SHORTEST, LONGEST)) -> Callable[
    [int, int], Callable[[int], list[Example]]
]:  # fmt: skip
    """Endless training: each step draws new sequences, all of one length, so that nothing is padded."""

    def of(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
        def batch(step: int) -> list[Example]:
            random = Random(f"{name} {seed} {step}")
            length = random.randint(*lengths)
            return [drawn(rule, "train", length, random) for _ in range(batch_size)]

        return batch

    return of


def exercise(rule: Rule, lengths: tuple[int, int] = (SHORTEST, LONGEST)) -> Callable[[tuple[str, ...]], Example | None]:
    """Symbols of a length that is trained, at least half of them different: drawn freely they hardly ever are fewer."""

    def of(words: tuple[str, ...]) -> Example | None:
        has_length, has_symbols = lengths[0] <= len(words) <= lengths[1], set(words) <= set(SYMBOLS)
        return written_by(rule, words) if has_length and has_symbols and 2 * len(set(words)) >= len(words) else None

    return of


def examples(
    rule: Rule, name: str, lengths: tuple[int, int] = (SHORTEST, LONGEST)
) -> Callable[[Split, int, int], tuple[Example, ...]]:
    """Sequences of a split, lengths in turn, none twice."""

    def of(split: Split, n: int, seed: int) -> tuple[Example, ...]:
        random, found = Random(f"{name} {split} {seed}"), dict[tuple[str, ...], Example]()
        while len(found) < n:
            length = lengths[0] + len(found) % (lengths[1] - lengths[0] + 1)
            example = drawn(rule, split, length, random)
            found.setdefault(example.source, example)
        return tuple(found.values())

    return of


def source_looks(example: Example) -> dict[int, frozenset[int]]:
    """The row that writes a word ought to look at the words it comes from (rows start with <start>, columns do not)."""
    right: dict[int, frozenset[int]] = {}
    for link in example.links:
        if link.is_sure:
            right[link.target] = right.get(link.target, frozenset()) | {link.source}
    return right
