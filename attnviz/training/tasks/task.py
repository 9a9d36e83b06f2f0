"""What a task is: examples with a known answer, a held-out split, and the words it is written in.

A task is a row of functions, not a class to inherit from. Nothing here trains or measures.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Split = Literal["train", "validation", "sentences", "combinations"]
Positions = Literal["learned", "sinusoidal", "none"]
HELD_OUT: tuple[Split, ...] = ("sentences", "combinations")  # what accuracy is reported on


@dataclass(frozen=True)
class Link:
    """A target word and the source word it comes from, both counted from 0; without a target, of the same text.

    `is_sure` is False for words that only help to say it (the "did" of "did not" for 没): a possible link.
    """

    target: int
    source: int
    is_sure: bool = True


@dataclass(frozen=True)
class Example:
    """One exercise: the words read, the words to write, and where each written word comes from."""

    source: tuple[str, ...]
    target: tuple[str, ...] = ()  # empty for a task that only continues its own text
    links: tuple[Link, ...] = ()
    kind: str = ""  # the sentence pattern or the period, for reports
    combination: str = ""  # the words that may be held out together, "buy apple"


@dataclass(frozen=True)
class Piece:
    """One word of a typed text: the vocabulary's spelling and the characters it stands for."""

    word: str
    span: tuple[int, int]


class Reader(Protocol):
    """How a person's text becomes words of the vocabulary, and words become a text."""

    @property
    def words(self) -> tuple[str, ...]:
        """Every word it knows."""
        ...

    def with_words(self, words: tuple[str, ...]) -> Reader:
        """The same reader for the words of a saved model."""
        ...

    def pieces(self, text: str) -> list[Piece]:
        """The words of a text in order; a word it does not know keeps its own spelling."""
        ...

    def text(self, words: tuple[str, ...], script: str = "") -> str:
        """Words as a person would write them; `script` chooses the spelling where there are two."""
        ...

    def shown(self, word: str, script: str = "") -> str:
        """One word as a token is labelled."""
        ...


# Which keys each query ought to look at: the row of the query -> the columns of the keys, both with special tokens.
Looks = Callable[[Example], Mapping[int, frozenset[int]]]


@dataclass(frozen=True)
class Answer:
    """What some head of a trained model is expected to do, as data."""

    name: str  # "copy", "induction", "alignment": a message id is made of it
    site_kind: Literal["self", "cross"]
    looks: Looks = field(repr=False)


@dataclass(frozen=True)
class Shape:
    """The size of a small model, and what a person can take away from it."""

    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2  # of the decoder, and of the encoder unless it has a number of its own
    n_encoder_layers: int | None = None
    d_ff: int = 128
    positions: Positions = "learned"
    has_feed_forward: bool = True
    is_tied: bool = True  # one table for reading and for writing tokens


@dataclass(frozen=True)
class Plan:
    """How to train: every number that has to be chosen."""

    shape: Shape = field(default_factory=Shape)
    seed: int = 0
    steps: int = 1000
    batch_size: int = 64  # examples a step
    learning_rate: float = 3e-3  # at its highest
    warmup: int = 100  # steps until it is
    n_checkpoints: int = 16
    max_seconds: float | None = None  # stop there, keeping everything; None is no limit


@dataclass(frozen=True)
class Task:
    """One exercise a small model can learn."""

    name: str  # also what the command line takes
    has_source: bool  # an encoder reads one text and a decoder writes another; False: a decoder continues its text
    source: Reader
    target: Reader
    max_words: int  # the longest text it is trained on, special tokens not counted
    plan: Plan  # what trains it well on two CPU cores
    # seed, batch size -> (step -> the examples of that step); the same step gives the same examples
    training: Callable[[int, int], Callable[[int], list[Example]]] = field(repr=False)
    # split, how many, seed -> examples of that split
    examples: Callable[[Split, int, int], tuple[Example, ...]] = field(repr=False)
    split_of: Callable[[Example], Split] = field(repr=False)  # a pure function: no example is in two splits
    # The exercise that a person's own words are, with its answer; None where the task never sets such a one.
    exercise: Callable[[tuple[str, ...]], Example | None] = field(repr=False)
    answers: tuple[Answer, ...] = ()
    splits: tuple[Split, ...] = ("sentences",)  # the held-out ones it has
    has_end: bool = True  # whether <end> follows the source; where it does, heads may use it as a note to themselves


def share(text: str, *, salt: str) -> float:
    """A number in [0, 1) that depends on the text alone: the same on every machine, every time."""
    digest = hashlib.blake2b(text.encode(), digest_size=8, salt=salt.encode()[:16]).digest()
    return int.from_bytes(digest, "big") / 2**64
