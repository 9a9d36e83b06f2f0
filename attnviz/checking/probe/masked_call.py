"""An explained candidate called with one of its masks, and ours with the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.mask_format import MaskFormat
from attnviz.checking.find.examination import Examination, Explained
from attnviz.checking.find.mistaken import Values


@dataclass(frozen=True)
class MaskedCall:
    """An explained candidate, the argument for one of its masks, and the format of that mask."""

    explained: Explained
    name: str
    format: MaskFormat

    @property
    def batch_and_tokens(self) -> tuple[int, int]:
        return self.explained.examination.sizes.batch, self.explained.examination.sizes.tokens

    def example(self) -> Tensor:
        """A mask that leaves each query a key: bool, True = can attend, [T, T] or [B, T]."""
        return self.format.example(*self.batch_and_tokens)

    def written(self, allowed: Tensor) -> Tensor:
        """Such a mask as the candidate takes it."""
        return self.format.written(allowed, self.batch_and_tokens[0])

    def broadcast(self, allowed: Tensor) -> Tensor:
        """Such a mask as ours takes it."""
        return self.format.broadcast(allowed, self.explained.examination.has_heads)

    def call(self, allowed: Tensor, **options: Any) -> Answer:
        """The candidate's answer under this mask."""
        return self.explained.call(self.written(allowed), mask_name=self.name, **options)

    def ours(self, allowed: Tensor, **changes: Any) -> Values:
        """What ours computes under this mask."""
        return self.explained.ours(self.broadcast(allowed), **changes)

    def fed(self, examination: Examination, inputs: Inputs) -> MaskedCall:
        """The same mask in another call: in training mode, with a longer text."""
        return replace(self, explained=self.explained.fed(examination, inputs))
