"""Copy, reverse and sort: write the symbols that were read, in a given order.

An encoder reads and a decoder writes, so that the answer shows in cross-attention: a single stack could hand a symbol
up its residual stream without any head attending to it.
"""

from collections.abc import Callable
from random import Random

from attnviz.training.tasks.task import (
    Answer,
    Example,
    Link,
    Piece,
    Plan,
    Shape,
    Split,
    Task,
    Tokenizer,
    distinct,
    linked_keys,
    split_by_hash,
)

SYMBOLS = tuple("1234abcdefghijklmnopqrstuvwxyz")  # thirty, in the order of `sort`
SHORTEST, LONGEST = 4, 24
HELD_OUT_SHARE = 0.1  # of all sequences; as many again are for validation

NAMES = ("copy", "reverse", "sort")


class SymbolTokenizer(Tokenizer):
    """Each letter or digit is a word; spaces are left out; capitals become small letters."""

    def pieces(self, text: str) -> list[Piece]:
        return [Piece(mark.lower(), (at, at + 1)) for at, mark in enumerate(text) if not mark.isspace()]

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        return " ".join(words)


SYMBOL_TOKENIZER = SymbolTokenizer(SYMBOLS)


def source_positions(name: str, symbols: tuple[str, ...]) -> list[int]:
    """The source position of each symbol to write."""
    positions = range(len(symbols))
    if name == "sort":
        return sorted(positions, key=lambda at: SYMBOLS.index(symbols[at]))
    return list(reversed(positions) if name == "reverse" else positions)


def split_of(example: Example) -> Split:
    """The split of a sequence depends on its symbols alone, so that none is in two splits."""
    return split_by_hash("".join(example.source), salt="symbols", held_out=HELD_OUT_SHARE)


def written_by(name: str, symbols: tuple[str, ...]) -> Example:
    """The example of a sequence as a task writes it."""
    positions = source_positions(name, symbols)
    target = tuple(symbols[at] for at in positions)
    links = tuple(
        Link(row, at)
        for row, symbol in enumerate(target)
        for at, one in enumerate(symbols)
        # a sorted text does not say which of two equal symbols came first; a copied one does
        if (one == symbol if name == "sort" else at == positions[row])
    )
    return Example(symbols, target, links, str(len(symbols)))


def drawn(name: str, split: Split, length: int, random: Random) -> Example:
    """A random sequence of that split and length."""
    while True:
        example = written_by(name, tuple(random.choices(SYMBOLS, k=length)))
        if split_of(example) == split:
            return example


def symbol_task(name: str, lengths: tuple[int, int] = (SHORTEST, LONGEST)) -> Task:
    """One of the three tasks, over sequences of these lengths."""

    def training(seed: int, batch_size: int) -> Callable[[int], list[Example]]:
        """New sequences at each step, all of one length, so that nothing is padded."""

        def batch(step: int) -> list[Example]:
            random = Random(f"{name} {seed} {step}")
            length = random.randint(*lengths)
            return [drawn(name, "train", length, random) for _ in range(batch_size)]

        return batch

    def examples(split: Split, n: int, seed: int) -> tuple[Example, ...]:
        """Different sequences of a split, cycling through the lengths."""
        random, n_lengths = Random(f"{name} {split} {seed}"), lengths[1] - lengths[0] + 1
        return distinct(lambda n_drawn: drawn(name, split, lengths[0] + n_drawn % n_lengths, random), n)

    def example_for(words: tuple[str, ...]) -> Example | None:
        """For symbols of a trained length, at least half of them different, as random draws nearly always are."""
        has_length, are_symbols = lengths[0] <= len(words) <= lengths[1], set(words) <= set(SYMBOLS)
        return written_by(name, words) if has_length and are_symbols and 2 * len(set(words)) >= len(words) else None

    return Task(
        name=name,
        has_source=True,
        source=SYMBOL_TOKENIZER,
        target=SYMBOL_TOKENIZER,
        max_words=lengths[1],
        plan=Plan(Shape(n_heads=2, n_layers=1, n_encoder_layers=2), steps=1500, n_checkpoints=12),
        training=training,
        examples=examples,
        example_for=example_for,
        answers=(Answer(name, "cross", linked_keys),),
    )


TASKS = tuple(symbol_task(name) for name in NAMES)
