"""Examples as tensors of token ids: what the model reads, what it should write, and which rows count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.models.support.vocabulary import END, SPECIAL, START, padded
from attnviz.training.tasks.task import Example, Task

NOT_COUNTED = -100  # cross_entropy leaves these rows out


@dataclass(frozen=True)
class WordTable:
    """The words of one side of a task, numbered after the four special tokens."""

    words: tuple[str, ...]
    entries: tuple[str, ...] = field(init=False)
    ids: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", (*SPECIAL, *self.words))
        object.__setattr__(self, "ids", {word: number for number, word in enumerate(self.entries)})

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True)
class Batch:
    """Several examples, padded to the length of the longest."""

    source: Tensor | None  # [B, Ts]; None for a task without a source
    source_is_token: Tensor | None  # [B, Ts] bool; None where nothing is padded
    given: Tensor  # [B, T], what the decoder reads
    given_is_token: Tensor | None  # [B, T] bool
    wanted: Tensor  # [B, T], the next token of each row; NOT_COUNTED where none is asked for

    def to(self, device: torch.device) -> Batch:
        parts = (self.source, self.source_is_token, self.given, self.given_is_token, self.wanted)
        return Batch(*(None if part is None else part.to(device) for part in parts))  # type: ignore[arg-type]


@dataclass(frozen=True)
class TaskVocabulary:
    """The token ids of both sides of a task."""

    task: Task
    source: WordTable
    target: WordTable

    @classmethod
    def of(cls, task: Task) -> TaskVocabulary:
        source = WordTable(task.source.words)
        return cls(task, source, WordTable(task.target.words) if task.has_source else source)

    def batch(self, examples: Sequence[Example]) -> Batch:
        """The examples as one batch. A source ends with <end> where the task wants it; a target starts with <start>."""
        source = source_is_token = None
        if self.task.has_source:
            end = [END] if self.task.has_end else []
            read = [[*(self.source.ids[word] for word in example.source), *end] for example in examples]
            source, source_is_token = _padded(read)  # [B, Ts]
            whole = [[START, *(self.target.ids[word] for word in example.target), END] for example in examples]
        else:
            whole = [[START, *(self.source.ids[word] for word in example.source)] for example in examples]
        given, given_is_token = _padded([ids[:-1] for ids in whole])  # [B, T]
        wanted = torch.full_like(given, NOT_COUNTED)  # [B, T]
        for text, (ids, example) in enumerate(zip(whole, examples, strict=True)):
            rows = range(len(ids) - 1) if self.task.has_source else sorted({link.target for link in example.links})
            wanted[text, list(rows)] = torch.tensor([ids[row + 1] for row in rows])
        return Batch(source, source_is_token, given, given_is_token, wanted)


def _padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor | None]:
    """[B, T], and the mask where some text is shorter than the longest."""
    ids, is_token = padded(texts)
    return ids, None if bool(is_token.all()) else is_token
