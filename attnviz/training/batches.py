"""Examples as tensors of token ids: what the model reads, what it should write, and which rows count."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.models.support.vocabulary import END, START, UNKNOWN, padded
from attnviz.training.tasks.task import Example, Task

NOT_COUNTED = -100  # cross_entropy leaves these rows out


@dataclass(frozen=True)
class Batch:
    """Several examples, padded to the length of the longest."""

    source: Tensor | None  # [B, Ts]; None for a task without a source
    source_is_token: Tensor | None  # [B, Ts] bool; None where nothing is padded
    given: Tensor  # [B, T], what the decoder reads
    given_is_token: Tensor | None  # [B, T] bool
    wanted: Tensor  # [B, T], the next token of each row; NOT_COUNTED where none is asked for

    def to(self, device: torch.device) -> "Batch":
        parts = (self.source, self.source_is_token, self.given, self.given_is_token, self.wanted)
        return Batch(*(None if part is None else part.to(device) for part in parts))  # type: ignore[arg-type]


def batch_of(task: Task, examples: Sequence[Example]) -> Batch:
    """The examples as one batch. A source ends with <end> where the task wants it; a target starts with <start>."""
    source = source_is_token = None
    if task.has_source:
        end = [END] if task.has_end else []
        read = [[*(task.source.ids[word] for word in example.source), *end] for example in examples]
        source, source_is_token = _padded(read)  # [B, Ts]
        whole = [[START, *(task.target.ids[word] for word in example.target), END] for example in examples]
    else:
        end = [END] if task.is_language else []
        number = task.source.ids
        whole = [[START, *(number.get(word, UNKNOWN) for word in example.source), *end] for example in examples]
    given, given_is_token = _padded([ids[:-1] for ids in whole])  # [B, T]
    wanted = torch.full_like(given, NOT_COUNTED)  # [B, T]
    for text, (ids, example) in enumerate(zip(whole, examples, strict=True)):
        if task.has_source or task.is_language:
            rows = [row for row, next_one in enumerate(ids[1:]) if next_one != UNKNOWN]
        else:
            rows = sorted({link.target for link in example.links})
        wanted[text, rows] = torch.tensor([ids[row + 1] for row in rows])
    return Batch(source, source_is_token, given, given_is_token, wanted)


def _padded(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor | None]:
    """[B, T], and the mask where some text is shorter than the longest."""
    ids, is_token = padded(texts)
    return ids, None if bool(is_token.all()) else is_token
