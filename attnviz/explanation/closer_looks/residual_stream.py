"""The residual stream between the blocks of a stack: which points of it a trace holds, how long its rows are, and how
alike those of two tokens: the cosine of the angle between them.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.core.site import Stack
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Lengths:
    """How long the vector of each token is before the first block, and after each."""

    points: tuple[str, ...]  # "encoder.embed", "encoder.0.out", …
    lengths: Tensor  # [points, T]

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of all tokens at each point."""
        return tuple(float(value) for value in self.lengths.mean(-1))


def between_blocks(trace: Trace, stack: Stack = "encoder") -> tuple[str, ...]:
    """The points before the first block and after each that this trace holds."""
    layers = sorted({site.layer for site in trace.sites if site.stack == stack})
    points = [point for point in (f"{stack}.embed", *(f"{stack}.{layer}.out" for layer in layers))
              if point in trace.stream]  # fmt: skip
    if not points:
        raise StepError(id="no-stream", stack=stack)
    return tuple(points)


def row_lengths(trace: Trace, stack: Stack = "encoder") -> Lengths:
    """The length of every token's vector before the first block, and after each: the root of its sum of squares."""
    points = between_blocks(trace, stack)
    return Lengths(points, torch.stack([trace.stream[point].double().norm(dim=-1).float() for point in points]))


@dataclass(frozen=True, eq=False)
class TokenSimilarity:
    """The residual stream of one stack at each point between its blocks."""

    points: tuple[str, ...]  # "encoder.embed", "encoder.0.out", …
    cosines: Tensor  # [points, T, T], −1 to 1; 1 on the diagonal

    def pair(self, first: int, second: int) -> tuple[float, ...]:
        return tuple(float(value) for value in self.cosines[:, first, second])

    @property
    def means(self) -> tuple[float, ...]:
        """The mean of all pairs of two tokens at each point; 1 where there is one token."""
        n = self.cosines.shape[-1]
        if n == 1:
            return (1.0,) * len(self.points)
        others = self.cosines.double().sum((-2, -1)) - self.cosines.double().diagonal(dim1=-2, dim2=-1).sum(-1)
        return tuple(float(value) for value in others / (n * (n - 1)))


def token_similarity(trace: Trace, stack: Stack = "encoder") -> TokenSimilarity:
    """How alike every two tokens are before the first block, and after each."""
    points = between_blocks(trace, stack)
    return TokenSimilarity(points, torch.stack([cosines(trace.stream[point]) for point in points]))


def cosines(x: Tensor) -> Tensor:
    """The cosine of the angle between every two rows: [T, d_model] -> [T, T]; 0 where a row is all 0."""
    unit = torch.nn.functional.normalize(x.double(), dim=-1)  # [T, d_model]
    return (unit @ unit.mT).clamp(-1.0, 1.0).float()  # [T, T]
