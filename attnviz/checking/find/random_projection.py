"""The quick look before a full comparison: the output seen through one random vector, q, k and v projected once.

A search makes hundreds of variants of one layer from the same inputs. Most of the work of each would be the four
matrices, and most variants are far off: so q, k and v are projected once for each way to read them, and of the output
only its product with a vector r is compared, for which W_Oᵀ r is enough. What agrees here is then compared in full.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from torch import Tensor

from attnviz.checking.call.inputs import draw
from attnviz.checking.read.projections import Projections


@dataclass(frozen=True)
class RandomProjection(Projections):
    """Projections whose output is observed through a random vector. Good for one set of inputs."""

    vector: Tensor  # [D, 1]
    computed: dict[Hashable, Tensor] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, projections: Projections, out_width: int) -> RandomProjection:
        """For outputs of this width."""
        vector = draw((out_width, 1), 77) / out_width**0.5  # [D, 1]
        return cls(projections.weight, projections.bias, projections.n_heads, vector)

    def linear(
        self, x: Tensor, letter: str, *, transposed: bool = False, biased: bool = True, source: Hashable = None
    ) -> Tensor:
        """As of Projections, and [B, T, H·Dv] -> [B, T, 1] for W_O."""
        key = (letter, transposed, biased, source)
        if letter != "o":
            full = super().linear
            return self._once(key, lambda: full(x, letter, transposed=transposed, biased=biased))  # [B, T, out]
        weight = self.weight["o"].mT if transposed else self.weight["o"]  # [D, H·Dv]
        out = x @ self._once(key, lambda: weight.mT @ self.vector)  # [B, T, 1]
        bias = self.bias.get("o") if biased else None  # [D]
        return out if bias is None else out + bias @ self.vector  # [B, T, 1]

    def observe(self, out: Tensor) -> Tensor:
        """[B, T, D] -> [B, T, 1]."""
        return out @ self.vector

    def _once(self, key: Hashable, compute: Callable[[], Tensor]) -> Tensor:
        if key not in self.computed:
            self.computed[key] = compute()
        return self.computed[key]
