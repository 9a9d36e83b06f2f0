"""Examples as numbers: what the model reads, what it should write, and which rows count.

Where a task wants it, the source ends with <end>, so that a model sees where it stops. What is written starts with
<start>.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.models.support.vocabulary import END, SPECIAL, START, padded
from attnviz.training.tasks.task import Example, Task

NOT_COUNTED = -100  # what cross_entropy leaves out


@dataclass(frozen=True)
class WordTable:
    """The words of one side of a task by number, after the four special tokens."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        entries = (*SPECIAL, *self.words)
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "numbers", {word: number for number, word in enumerate(entries)})

    entries: tuple[str, ...] = ()
    numbers: dict[str, int] = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True)
class Batch:
    """Several examples side by side, the short ones filled up with padding."""

    source: Tensor | None  # [B, Ts]; None for a task without a source
    source_is_token: Tensor | None  # [B, Ts] bool, None where nothing is padded
    given: Tensor  # [B, T], what the decoder has read
    given_is_token: Tensor | None  # [B, T] bool
    wanted: Tensor  # [B, T], what it should write next; NOT_COUNTED where nothing is asked

    def to(self, device: torch.device) -> Batch:
        parts = (self.source, self.source_is_token, self.given, self.given_is_token, self.wanted)
        moved = [None if part is None else part.to(device) for part in parts]
        return Batch(*moved)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Encoder:
    """The numbers of a task's words."""

    task: Task
    source: WordTable
    target: WordTable

    @classmethod
    def of(cls, task: Task) -> Encoder:
        source = WordTable(task.source.words)
        return cls(task, source, WordTable(task.target.words) if task.has_source else source)

    def source_ids(self, words: Sequence[str]) -> list[int]:
        return [*(self.source.numbers[word] for word in words), *([END] if self.task.has_end else [])]

    def given_ids(self, words: Sequence[str]) -> list[int]:
        return [START, *(self.target.numbers[word] for word in words)]

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as one batch."""
        source = source_is_token = None
        if self.task.has_source:
            source, source_is_token = _padded([self.source_ids(example.source) for example in examples])  # [B, Ts]
            written = [[self.target.numbers[word] for word in example.target] for example in examples]
            whole = [[START, *ids, END] for ids in written]
        else:
            whole = [[START, *(self.source.numbers[word] for word in example.source)] for example in examples]
        given, given_is_token = _padded([ids[:-1] for ids in whole])  # [B, T]
        wanted = torch.full_like(given, NOT_COUNTED)  # [B, T]
        for row, (ids, example) in enumerate(zip(whole, examples, strict=True)):
            rows = range(len(ids) - 1) if self.task.has_source else sorted({link.target for link in example.links})
            wanted[row, list(rows)] = torch.tensor([ids[at + 1] for at in rows])
        return Batch(source, source_is_token, given, given_is_token, wanted)


def _padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor | None]:
    """[B, T], and the mask where some text is shorter than the longest."""
    ids, is_token = padded(texts)
    return ids, None if bool(is_token.all()) else is_token
