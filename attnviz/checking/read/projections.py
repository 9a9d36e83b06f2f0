"""The weights of somebody's attention as four linear layers, whatever their names and shapes were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from attnviz.checking.find.variant import Variant
from attnviz.core import ops


@dataclass(frozen=True)
class Numbers:
    """The four linear layers of an attention layer by their letters q, k, v, o; a missing one changes nothing."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each
    n_heads: int

    @property
    def head_width(self) -> int:
        """Dh."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def value_width(self) -> int:
        """Dv, of one head."""
        return self.weight["v"].shape[0] * self.head_width // self.weight["k"].shape[0]

    @property
    def shares_keys(self) -> bool:
        """Whether several heads of queries share one of keys and values."""
        return self.weight["k"].shape[0] < self.weight["q"].shape[0]

    def linear(self, x: Tensor, letter: str, how: Variant, place: int = 0) -> Tensor:
        """One of the four layers, [B, T, in] -> [B, T, out]; `place` says whether x is query 0, key 1 or value 2."""
        if letter in how.skipped:
            return x
        weight = self.weight[letter]  # [out, in]
        bias = None if letter in how.unbiased else self.bias.get(letter)  # [out]
        return ops.project(x, weight.mT if letter in how.flipped else weight, bias)  # [B, T, out]

    def seen(self, x: Tensor) -> Tensor:
        """The output as it is compared: as it is."""
        return x
