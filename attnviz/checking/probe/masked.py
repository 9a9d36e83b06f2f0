"""An explained candidate with one of its masks: what it answers under it, and what ours does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.mask_format import Convention
from attnviz.checking.find.examination import Understood
from attnviz.checking.find.mistaken import Values


@dataclass(frozen=True)
class Masked:
    """An explained candidate, one of its masks, and how that is written."""

    understood: Understood
    name: str  # of the argument
    convention: Convention

    @property
    def sizes(self) -> tuple[int, int]:
        """Texts and tokens of the probe."""
        return self.understood.examination.sizes.batch, self.understood.examination.sizes.tokens

    def some(self) -> Tensor:
        """A mask that leaves each query a key: [T, T] or [B, T]."""
        return self.convention.some(*self.sizes)

    def written(self, allowed: Tensor) -> Tensor:
        """The mask as the candidate takes it."""
        return self.convention.write(allowed, self.sizes[0])

    def ask(self, allowed: Tensor, **options: bool) -> Answer:
        """The candidate's answer under this mask."""
        inputs, written = self.understood.inputs, self.written(allowed)
        return self.understood.examination.ask(inputs, written, mask_name=self.name, **options)

    def ours(self, allowed: Tensor) -> Tensor:
        """The mask as ours takes it: it broadcasts to the scores."""
        return self.convention.ours(allowed, self.understood.examination.has_heads)

    def values(self, allowed: Tensor) -> Values:
        """What ours computes under this mask."""
        return self.understood.explanation.values(self.understood.inputs, self.ours(allowed))

    def elsewhere(self, understood: Understood) -> Masked:
        """The same mask of the same layer, asked otherwise: in training mode, in a longer text."""
        return replace(self, understood=replace(understood, explanation=self.understood.explanation))
