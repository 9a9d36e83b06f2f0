"""The residual stream between the blocks of a stack: which points of it a trace holds, and how long its rows are."""

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
        raise StepError(
            f"This trace holds no residual stream of the {stack}. Trace the text again with the model loaded; of more "
            "than 4,096 tokens the stream is kept only on request: model.trace(text, stream=True).",
            id="no-stream", stack=stack,
        )  # fmt: skip
    return tuple(points)


def row_lengths(trace: Trace, stack: Stack = "encoder") -> Lengths:
    """The length of every token's vector before the first block, and after each: the root of its sum of squares."""
    points = between_blocks(trace, stack)
    return Lengths(points, torch.stack([trace.stream[point].double().norm(dim=-1).float() for point in points]))
