"""What a task is: examples with a known answer, held-out splits, and the words it is written in.

A task is a row of functions, not a class to inherit from. Nothing here trains or measures.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from attnviz.models.support.vocabulary import SPECIAL

Split = Literal["train", "validation", "sentences", "combinations"]
Positions = Literal["learned", "sinusoidal", "rotary", "none"]
KeysByRow = Mapping[int, frozenset[int]]  # the row of a query -> the columns of its keys, special tokens counted


@dataclass(frozen=True)
class Link:
    """A target word and the source word it comes from, both counted from 0; without a target, both of one text.

    `is_sure` is False for a possible link: a word that only helps to say it, such as the "did" of "did not" for 没.
    """

    target: int
    source: int
    is_sure: bool = True


@dataclass(frozen=True)
class Example:
    """One exercise: the words to read, the words to write, and where each written word comes from."""

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


class Tokenizer(ABC):
    """Cuts a typed text into words of a vocabulary, and joins words to a text."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.entries = (*SPECIAL, *words)  # by id
        self.ids = {word: number for number, word in enumerate(words, len(SPECIAL))}

    @abstractmethod
    def pieces(self, text: str) -> list[Piece]:
        """The words of a text in order; an unknown word keeps its own spelling."""

    @abstractmethod
    def text(self, words: tuple[str, ...], script: str = "") -> str:
        """Words as a person would write them; `script` chooses the spelling where there are two."""

    def shown(self, word: str, script: str = "") -> str:
        """One word as the label of a token."""
        return word


@dataclass(frozen=True)
class Answer:
    """What some head of a trained model is expected to do: which keys each query attends to."""

    name: str  # "copy", "induction", "alignment": part of a message id
    site_kind: Literal["self", "cross"]
    expected_keys: Callable[[Example], KeysByRow] = field(repr=False)


@dataclass(frozen=True)
class Shape:
    """The size of a small model, and the parts that can be left out."""

    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2  # of the decoder; of the encoder too, unless n_encoder_layers is given
    n_encoder_layers: int | None = None
    d_ff: int = 128
    positions: Positions = "learned"
    has_feed_forward: bool = True
    is_tied: bool = True  # one table for reading and for writing tokens
    is_modern: bool = False  # RMSNorm, a feed-forward part with a gate, no biases: as language models of today
    dropout: float = 0.0  # for examples that run out


@dataclass(frozen=True)
class Plan:
    shape: Shape = field(default_factory=Shape)
    seed: int = 0
    steps: int = 1000
    batch_size: int = 64
    learning_rate: float = 3e-3  # the peak
    warmup: int = 100  # steps up to the peak
    n_checkpoints: int = 16
    max_seconds: float | None = None  # stop then and keep everything; None is no limit


@dataclass(frozen=True)
class Task:
    """One exercise that a small model can learn."""

    name: str  # also what the command line takes
    has_source: bool  # an encoder reads one text and a decoder writes another; False: a decoder continues its text
    source: Tokenizer
    target: Tokenizer
    max_words: int  # the longest text in training, special tokens not counted
    plan: Plan  # trains it well on two CPU cores
    # seed, batch size -> (step -> the examples of that step); the same step gives the same examples
    training: Callable[[int, int], Callable[[int], list[Example]]] = field(repr=False)
    # split, how many, seed -> examples of that split
    examples: Callable[[Split, int, int], tuple[Example, ...]] = field(repr=False)
    # typed words -> the example with its answer; None for a text unlike those of the task
    example_for: Callable[[tuple[str, ...]], Example | None] = field(repr=False)
    answers: tuple[Answer, ...] = ()
    splits: tuple[Split, ...] = ("sentences",)  # its held-out splits
    linking: str = ""  # without a source: the answer whose keys a run holds as its links
    has_end: bool = True  # whether <end> follows the source; heads may then use it as scratch space
    # Real writing without a right answer: each next token is learned, <end> too, and a word it does not know is read.
    is_language: bool = False

    @property
    def counted(self) -> Literal["texts", "symbols", "characters"]:
        """What a share of right answers is a share of: part of a message id."""
        return "texts" if self.has_source else "characters" if self.is_language else "symbols"


def hash_fraction(text: str, *, salt: str) -> float:
    """A number in [0, 1) that depends on the text alone: the same on every machine, every time."""
    digest = hashlib.blake2b(text.encode(), digest_size=8, salt=salt.encode()[:16]).digest()
    return int.from_bytes(digest, "big") / 2**64


def split_by_hash(text: str, *, salt: str, held_out: float) -> Split:
    """The split of a text: a share `held_out` of all texts is held out, as many again are for validation."""
    fraction = hash_fraction(text, salt=salt)
    if fraction < held_out:
        return "sentences"
    return "validation" if fraction < 2 * held_out else "train"


def distinct(draw: Callable[[int], Example], n: int) -> tuple[Example, ...]:
    """n examples with different sources; `draw` is given the number found so far."""
    examples = dict[tuple[str, ...], Example]()
    while len(examples) < n:
        example = draw(len(examples))
        examples.setdefault(example.source, example)
    return tuple(examples.values())


def linked_keys(example: Example) -> KeysByRow:
    """For each row, the source words with a sure link to the word it writes; row 0 reads <start>."""
    keys: dict[int, frozenset[int]] = {}
    for link in example.links:
        if link.is_sure:
            keys[link.target] = keys.get(link.target, frozenset()) | {link.source}
    return keys
