"""Continue a text that repeats itself: after "k w p k w" comes "p". A decoder alone, two layers.

The answer takes two heads in a row: one that looks at the previous token, so that each token knows what it follows,
and one that looks where the same token stood before and reads off what came next (Olsson et al. 2022, section 2).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attnviz.training.tasks.symbols import HELD_OUT_SHARE, SYMBOLS, SymbolReader
from attnviz.training.tasks.task import Answer, Example, Link, Plan, Shape, Split, Task, share

PERIODS = range(2, 21)
# Periods of the split "combinations". They are primes: nine symbols also come again where three do.
NEVER_TRAINED = frozenset({5, 11, 13, 17})
TRAINED = tuple(period for period in PERIODS if period not in NEVER_TRAINED)
MOST_BEFORE = 8  # symbols before the repetition begins
LONGEST_TEXT = 2 * PERIODS[-1] + 1
WORDS_SHARE = 0.5  # of the training texts are made of words that come again in any order
WORD_LENGTHS = (2, 6)


def repeated(before: tuple[str, ...], period: tuple[str, ...], length: int | None = None) -> Example:
    """Other symbols, then the period again and again.

    Args:
        before: the symbols before it; none of them in the period.
        period: what is repeated.
        length: of the whole text. If not given, the period stands there twice and its first symbol once more, so that
            each symbol of the second half has a next one.
    """
    length = len(before) + 2 * len(period) + 1 if length is None else length
    text = (*before, *period * (length // len(period) + 1))[:length]
    known = range(len(before) + len(period) + 1, length)
    return Example(text, links=tuple(Link(at, at - len(period)) for at in known), kind=str(len(period)))


def worded(words: list[tuple[str, ...]], random: Random) -> Example:
    """Words in any order until the text is full: the same word comes back at any distance."""
    text: list[str] = []
    links = []
    begun: dict[tuple[str, ...], int] = {}
    while len(text) < LONGEST_TEXT:
        word = random.choice(words)
        if word in begun:
            links += [Link(len(text) + at, begun[word] + at) for at in range(1, len(word))]
        begun[word] = len(text)
        text += word
    return Example(
        tuple(text[:LONGEST_TEXT]), links=tuple(own for own in links if own.target < LONGEST_TEXT), kind="words"
    )


def split_of(example: Example) -> Split:
    """By the length of the period, then by the symbols."""
    if example.kind != "words" and int(example.kind) in NEVER_TRAINED:
        return "combinations"
    place = share("".join(example.source), salt="induction")
    if place < HELD_OUT_SHARE:
        return "sentences"
    return "validation" if place < 2 * HELD_OUT_SHARE else "train"


def drawn(split: Split, period: int, random: Random, length: int | None = None) -> Example:
    """Symbols that differ within the period: with one twice, what follows it would not be known."""
    n_before = random.randint(0, min(MOST_BEFORE, LONGEST_TEXT - 2 * period - 1))
    while True:
        symbols = random.sample(SYMBOLS, k=n_before + period)
        example = repeated(tuple(symbols[:n_before]), tuple(symbols[n_before:]), length)
        if split_of(example) == split:
            return example


def has_period(text: tuple[str, ...], period: int) -> bool:
    """Whether so many symbols stand somewhere twice in a row."""
    run = 0
    for before, symbol in zip(text, text[period:], strict=False):
        run = run + 1 if symbol == before else 0
        if run == period:
            return True
    return False


def drawn_words(random: Random) -> Example:
    """Two to five words without a common symbol, in an order that never makes a held-out period."""
    while True:
        symbols = iter(random.sample(SYMBOLS, k=len(SYMBOLS)))
        words = [
            tuple(next(symbols) for _ in range(random.randint(*WORD_LENGTHS))) for _ in range(random.randint(2, 5))
        ]
        example = worded(words, random)
        if split_of(example) == "train" and not any(has_period(example.source, period) for period in NEVER_TRAINED):
            return example


def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
    """Each step: new texts, half of them of words and half of one period each.

    With periods alone a model finds the period and counts back, or says what it has not seen for longest: right on
    these texts, and no induction head. Words come back at any distance, where only looking for the same symbol helps.
    """

    def batch(step: int) -> list[Example]:
        random = Random(f"induction {seed} {step}")
        return [
            drawn_words(random)
            if random.random() < WORDS_SHARE
            else drawn("train", random.choice(TRAINED), random, LONGEST_TEXT)
            for _ in range(batch_size)
        ]

    return batch


def examples(split: Split, n: int, seed: int) -> tuple[Example, ...]:
    """Texts of one period each, of a split, its periods in turn, none twice."""
    random, found = Random(f"induction {split} {seed}"), dict[tuple[str, ...], Example]()
    periods = sorted(NEVER_TRAINED) if split == "combinations" else TRAINED
    while len(found) < n:
        example = drawn(split, periods[len(found) % len(periods)], random)
        found.setdefault(example.source, example)
    return tuple(found.values())


def exercise(words: tuple[str, ...]) -> Example | None:
    """A text in which some symbol comes back: before that there is nothing to go on with."""
    is_one = set(words) <= set(SYMBOLS) and len(set(words)) < len(words) <= LONGEST_TEXT
    return Example(words) if is_one else None


def looks_back_by_one(example: Example) -> dict[int, frozenset[int]]:
    """Row t is symbol t (row 0 is <start>): it ought to look at row t − 1."""
    return {row: frozenset({row - 1}) for row in range(2, len(example.source))}


def looks_after_the_same(example: Example) -> dict[int, frozenset[int]]:
    """A symbol that stood before ought to look at the one that followed it then."""
    return {link.target: frozenset({link.source + 1}) for link in example.links}


TASK = Task(
    name="induction",
    has_source=False,
    source=SymbolReader(),
    target=SymbolReader(),
    max_words=LONGEST_TEXT,
    plan=Plan(
        Shape(n_heads=2, positions="sinusoidal", has_feed_forward=False, is_tied=False),
        steps=1500,
        batch_size=32,
        learning_rate=1e-2,
    ),
    training=training,
    examples=examples,
    split_of=split_of,
    exercise=exercise,
    answers=(
        Answer("previous", "self", looks_back_by_one),
        Answer("induction", "self", looks_after_the_same),
    ),
    splits=("sentences", "combinations"),
)
