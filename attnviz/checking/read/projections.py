"""The weights of somebody's attention as four linear layers, whatever their names and shapes were."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from torch import Tensor
from torch.nn import functional as F

from attnviz.checking.call.inputs import draw


@dataclass(frozen=True)
class Projections:
    """W_Q, W_K, W_V and W_O by their letters; without "o" the joined heads are the output."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each, where there is one
    n_heads: int

    @property
    def head_width(self) -> int:
        """d_k, the width of one head's queries and keys."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def value_width(self) -> int:
        """d_v, the width of one head's values."""
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


@dataclass(frozen=True)
class RandomProjection(Projections):
    """For a quick look before a full comparison: q, k and v projected once, the output seen through one vector.

    A search makes thousands of variants of one layer from the same inputs. Of their outputs only the product with a
    vector r is compared first, for which W_Oᵀ r is enough; what agrees is then compared in full.
    """

    vector: Tensor  # [d_model, 1]
    computed: dict[Hashable, Tensor] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, projections: Projections, out_width: int) -> RandomProjection:
        """For outputs of this width."""
        vector = draw((out_width, 1), 77) / out_width**0.5  # [d_model, 1]
        return cls(projections.weight, projections.bias, projections.n_heads, vector)

    def linear(
        self, x: Tensor, letter: str, *, transposed: bool = False, biased: bool = True, source: Hashable = None
    ) -> Tensor:
        """As of Projections, and [B, T, H·d_v] -> [B, T, 1] for W_O."""
        key = (letter, transposed, biased, source)
        if letter != "o":
            full = super().linear
            return self._once(key, lambda: full(x, letter, transposed=transposed, biased=biased))  # [B, T, out]
        weight = self.weight["o"].mT if transposed else self.weight["o"]  # [d_model, H·d_v]
        out = x @ self._once(key, lambda: weight.mT @ self.vector)  # [B, T, 1]
        bias = self.bias.get("o") if biased else None  # [d_model]
        return out if bias is None else out + bias @ self.vector  # [B, T, 1]

    def observe(self, out: Tensor) -> Tensor:
        """[B, T, d_model] -> [B, T, 1]."""
        return out @ self.vector

    def _once(self, key: Hashable, compute: Callable[[], Tensor]) -> Tensor:
        if key not in self.computed:
            self.computed[key] = compute()
        return self.computed[key]
