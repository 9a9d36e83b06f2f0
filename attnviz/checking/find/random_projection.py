"""The quick look before the full comparison: one number a token for the output's D, and projections made once.

A search makes hundreds of variants of one layer from the same inputs. Most of the work of each would be the four
matrices, and most variants are far off: so q, k and v are projected once for each way of reading them, and the output
is seen through one vector r of D numbers, for which rᵀ W_O is enough. What agrees here is then compared in full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from torch import Tensor

from attnviz.checking.call.inputs import draw
from attnviz.checking.find.variant import Variant
from attnviz.checking.read.projections import Numbers


@dataclass(frozen=True)
class Sketch(Numbers):
    """Numbers whose output is seen through a vector. Good for one set of inputs."""

    through: Tensor  # [D, 1]
    kept: dict[object, Tensor] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, numbers: Numbers, out_width: int) -> Sketch:
        """A sketch of these numbers for outputs of this width."""
        through = draw((out_width, 1), 77) / out_width**0.5  # [D, 1]
        return cls(numbers.weight, numbers.bias, numbers.n_heads, through)

    def linear(self, x: Tensor, letter: str, how: Variant, place: int = 0) -> Tensor:
        """As in `Numbers`; [B, T, 1] for W_O."""
        read = (letter, letter in how.flipped, letter in how.unbiased, letter in how.skipped)
        if letter != "o":
            return self._once((place, how.sequence, *read), lambda: Numbers.linear(self, x, letter, how))  # [B, T, out]
        weight = self.weight["o"].mT if letter in how.flipped else self.weight["o"]  # [D, H·Dv]
        narrow = self._once(read, lambda: weight.mT @ self.through)  # [H·Dv, 1]
        out = x @ narrow  # [B, T, 1]
        bias = None if letter in how.unbiased else self.bias.get("o")  # [D]
        return out if bias is None else out + bias @ self.through  # [B, T, 1]

    def seen(self, x: Tensor) -> Tensor:
        """[B, T, D] -> [B, T, 1]."""
        return x @ self.through

    def _once(self, key: object, make: Callable[[], Tensor]) -> Tensor:
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]
