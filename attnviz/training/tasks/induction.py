"""Continue a text that repeats itself: after "k w p k w" comes "p". A decoder alone, two layers.

The answer takes two heads, one after the other: the first attends to the previous token, so that each token knows what
it follows; the second attends to what came after the same token last time (Olsson et al. 2022, section 2).
"""

from collections.abc import Callable
from random import Random

from attnviz.training.tasks.symbol_tasks import HELD_OUT_SHARE, SYMBOL_TOKENIZER, SYMBOLS
from attnviz.training.tasks.task import (
    Answer,
    Example,
    KeysByRow,
    Link,
    Plan,
    Shape,
    Split,
    Task,
    distinct,
    split_by_hash,
)

PERIODS = range(2, 21)
# Periods of the split "combinations". They are primes: a text of period 3 also has period 9.
NEVER_TRAINED = frozenset({5, 11, 13, 17})
TRAINED = tuple(period for period in PERIODS if period not in NEVER_TRAINED)
MOST_BEFORE = 8  # symbols before the repetition begins
LONGEST_TEXT = 2 * PERIODS[-1] + 1
WORDS_SHARE = 0.5  # of the training texts are words that come back in any order
WORD_LENGTHS = (2, 6)


def worded(words: list[tuple[str, ...]], random: Random) -> Example:
    """Words in random order until the text is full: the same word comes back at any distance."""
    text: list[str] = []
    links = []
    begun: dict[tuple[str, ...], int] = {}
    while len(text) < LONGEST_TEXT:
        word = random.choice(words)
        if word in begun:
            links += [Link(len(text) + at, begun[word] + at) for at in range(1, len(word))]
        begun[word] = len(text)
        text += word
    within = tuple(link for link in links if link.target < LONGEST_TEXT)
    return Example(tuple(text[:LONGEST_TEXT]), links=within, kind="words")


def split_of(example: Example) -> Split:
    """By the length of the period, then by the symbols."""
    if example.kind != "words" and int(example.kind) in NEVER_TRAINED:
        return "combinations"
    return split_by_hash("".join(example.source), salt="induction", held_out=HELD_OUT_SHARE)


def drawn(split: Split, period: int, random: Random, length: int | None = None) -> Example:
    """Some symbols, then a period again and again. No symbol is in both, or twice in the period: what follows is known.

    Args:
        length: of the whole text. If not given, the period stands there twice, then its first symbol once more, so that
            each symbol of the second half has a next one.
    """
    n_before = random.randint(0, min(MOST_BEFORE, LONGEST_TEXT - 2 * period - 1))
    length = n_before + 2 * period + 1 if length is None else length
    links = tuple(Link(at, at - period) for at in range(n_before + period + 1, length))
    while True:
        symbols = random.sample(SYMBOLS, k=n_before + period)
        text = (*symbols[:n_before], *symbols[n_before:] * (length // period + 1))[:length]
        example = Example(text, links=links, kind=str(period))
        if split_of(example) == split:
            return example


def has_period(text: tuple[str, ...], period: int) -> bool:
    """Whether some stretch of that length is repeated immediately."""
    run = 0
    for before, symbol in zip(text, text[period:], strict=False):
        run = run + 1 if symbol == before else 0
        if run == period:
            return True
    return False


def drawn_words(random: Random) -> Example:
    """Two to five words that share no symbol, in an order that never makes a held-out period."""
    while True:
        symbols = iter(random.sample(SYMBOLS, k=len(SYMBOLS)))
        words = [
            tuple(next(symbols) for _ in range(random.randint(*WORD_LENGTHS))) for _ in range(random.randint(2, 5))
        ]
        example = worded(words, random)
        if split_of(example) == "train" and not any(has_period(example.source, period) for period in NEVER_TRAINED):
            return example


def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
    """New texts at each step: half of them of words, half of one period each.

    With periods alone a model can find the period and count back, or name the symbol it has not seen for longest; both
    are right on these texts and need no induction head. Words come back at any distance, so only looking for the same
    symbol helps.
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
    """Different texts of a split, one period each, cycling through the periods."""
    random = Random(f"induction {split} {seed}")
    periods = sorted(NEVER_TRAINED) if split == "combinations" else TRAINED
    return distinct(lambda n_drawn: drawn(split, periods[n_drawn % len(periods)], random), n)


def example_for(words: tuple[str, ...]) -> Example | None:
    """For a text in which some symbol comes back; without that nothing says how it goes on."""
    is_one = set(words) <= set(SYMBOLS) and len(set(words)) < len(words) <= LONGEST_TEXT
    return Example(words) if is_one else None


def previous_keys(example: Example) -> KeysByRow:
    """Row t is symbol t, row 0 <start>: it should attend to row t − 1."""
    return {row: frozenset({row - 1}) for row in range(2, len(example.source))}


def induction_keys(example: Example) -> KeysByRow:
    """A symbol that came before should attend to the symbol that followed it then."""
    return {link.target: frozenset({link.source + 1}) for link in example.links}


TASK = Task(
    name="induction",
    has_source=False,
    source=SYMBOL_TOKENIZER,
    target=SYMBOL_TOKENIZER,
    max_words=LONGEST_TEXT,
    plan=Plan(
        Shape(n_heads=2, positions="sinusoidal", has_feed_forward=False, is_tied=False),
        steps=1500,
        batch_size=32,
        learning_rate=1e-2,
    ),
    training=training,
    examples=examples,
    example_for=example_for,
    answers=(Answer("previous", "self", previous_keys), Answer("induction", "self", induction_keys)),
    splits=("sentences", "combinations"),
)
