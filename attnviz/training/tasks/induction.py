"""Continue a text that repeats itself: after "k w p k w" comes "p". A decoder alone, two layers.

The answer takes two heads in a row: one that looks at the previous token, so that each token knows what it follows,
and one that looks where the same token stood before and reads off what came next (Olsson et al. 2022, section 2).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attnviz.training.tasks.symbols import HELD_OUT_SHARE, SYMBOLS, SymbolReader
from attnviz.training.tasks.task import Answer, Example, Plan, Shape, Split, Task, share

PERIODS = range(2, 21)
MOST_BEFORE = 8  # symbols before the repetition begins
NEVER_TRAINED = frozenset({5, 9, 13, 17})  # periods of the split "combinations"
TRAINED = tuple(period for period in PERIODS if period not in NEVER_TRAINED)
LONGEST_TEXT = MOST_BEFORE + 2 * PERIODS[-1] + 1


def repeated(before: tuple[str, ...], period: tuple[str, ...], length: int | None = None) -> Example:
    """Other symbols, then the period again and again.

    Args:
        before: the symbols before it; none of them in the period.
        period: what is repeated.
        length: of the whole text. If not given, the period stands there twice and its first symbol once more, so that
            each symbol of the second half has a next one.
    """
    length = len(before) + 2 * len(period) + 1 if length is None else length
    repetitions = period * (length // len(period) + 1)
    return Example((*before, *repetitions)[:length], kind=f"{len(before)}+{len(period)}")


def period_of(example: Example) -> int:
    return int(example.kind.partition("+")[2])


def before(example: Example) -> int:
    """How many symbols stand before the repetition."""
    return int(example.kind.partition("+")[0])


def split_of(example: Example) -> Split:
    """By the length of the period, then by its symbols."""
    period = period_of(example)
    if period in NEVER_TRAINED:
        return "combinations"
    place = share("".join(example.source[before(example) :][:period]), salt="induction")
    if place < HELD_OUT_SHARE:
        return "sentences"
    return "validation" if place < 2 * HELD_OUT_SHARE else "train"


def drawn(split: Split, period: int, random: Random, length: int | None = None) -> Example:
    """Symbols that differ within the period: with one twice, what follows it would not be known.

    Without other symbols before it, "the symbol not seen for longest comes next" would be right as well, and a model
    learns that and no induction head.
    """
    n_before = random.randint(0, MOST_BEFORE)
    while True:
        symbols = tuple(random.sample(SYMBOLS, k=period + n_before))
        example = repeated(symbols[:n_before], symbols[n_before:], length)
        if split_of(example) == split:
            return example


def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
    """Each step: new texts of all trained periods, each repeated until the text is full."""

    def batch(step: int) -> list[Example]:
        random = Random(f"induction {seed} {step}")
        return [drawn("train", random.choice(TRAINED), random, LONGEST_TEXT) for _ in range(batch_size)]

    return batch


def examples(split: Split, n: int, seed: int) -> tuple[Example, ...]:
    """Texts of a split, its periods in turn, none twice."""
    random, found = Random(f"induction {split} {seed}"), dict[tuple[str, ...], Example]()
    periods = sorted(NEVER_TRAINED) if split == "combinations" else TRAINED
    while len(found) < n:
        example = drawn(split, periods[len(found) % len(periods)], random)
        found.setdefault(example.source, example)
    return tuple(found.values())


def looks_back_by_one(example: Example) -> dict[int, frozenset[int]]:
    """Row t is symbol t (row 0 is <start>): it ought to look at row t − 1."""
    return {row: frozenset({row - 1}) for row in range(2, len(example.source))}


def second_half(example: Example) -> range:
    """The rows whose symbol has stood one period before (row 0 is <start>)."""
    start = before(example) + period_of(example) + 1
    return range(start, start + period_of(example))


def looks_after_the_same(example: Example) -> dict[int, frozenset[int]]:
    """A symbol of the second half ought to look at the one that followed it in the first."""
    return {row: frozenset({row - period_of(example) + 1}) for row in second_half(example)}


TASK = Task(
    name="induction",
    has_source=False,
    source=SymbolReader(),
    target=SymbolReader(),
    max_words=LONGEST_TEXT,
    plan=Plan(Shape(n_heads=2, positions="sinusoidal", has_feed_forward=False), steps=3000),
    training=training,
    examples=examples,
    split_of=split_of,
    answers=(
        Answer("previous", "self", looks_back_by_one),
        Answer("induction", "self", looks_after_the_same),
    ),
    splits=("sentences", "combinations"),
    counted_from=lambda example: second_half(example).start,
)
