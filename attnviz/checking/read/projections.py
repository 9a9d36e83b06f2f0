"""The weights of somebody's attention as four linear layers, whatever their names and shapes were."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True)
class Projections:
    """W_Q, W_K, W_V and W_O by their letters; without "o" the joined heads are the output."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each, where there is one
    n_heads: int

    @property
    def head_width(self) -> int:
        """Dh, the width of one head's queries and keys."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def value_width(self) -> int:
        """Dv, the width of one head's values."""
        return self.weight["v"].shape[0] // self.n_groups

    @property
    def n_groups(self) -> int:
        """G, the heads of keys and values; fewer than n_heads where several heads of queries share them."""
        return self.weight["k"].shape[0] // self.head_width

    def linear(
        self, x: Tensor, letter: str, *, transposed: bool = False, biased: bool = True, source: Hashable = None
    ) -> Tensor:
        """x through one of the four, [B, T, in] -> [B, T, out]; source: which input x is, for those that cache."""
        weight = self.weight[letter]  # [out, in]
        return F.linear(x, weight.mT if transposed else weight, self.bias.get(letter) if biased else None)

    def observe(self, out: Tensor) -> Tensor:
        """What is compared of an output: all of it here."""
        return out
