"""Why the score of two rotated vectors depends on the distance of their tokens alone: both moved, or one of them.

From the query and the key that a run made before their rotation, and the model's own frequencies. Angles are float32
as models compute them, everything else is float64, so a score at two far positions is off by what the angles' rounding
makes of it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import attention_step
from attnviz.explanation.cell_rules import rotation_pairs
from attnviz.explanation.head_view import HeadView
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class RotatedPair:
    """A query and a key of one head, which can be rotated for any two positions: P pairs of numbers each."""

    query: int  # their positions in the text, from 0
    key: int
    columns: tuple[tuple[int, int], ...]  # P pairs of columns of the head
    frequencies: Tensor  # [P], float32, radians a token
    q: Tensor  # [P, 2], before the rotation, with the magnitude of the model's angles
    k: Tensor  # [P, 2]
    rest: float  # what the columns that are not rotated add to q·k
    scale: float  # of this run: 1/√d_k, and what was switched

    def turned(self, vector: Tensor, position: int) -> Tensor:
        """q or k [P, 2], rotated for a position."""
        angle = (torch.tensor(position, dtype=torch.float32) * self.frequencies).double()  # [P]
        (a, b), cos, sin = vector.unbind(-1), angle.cos(), angle.sin()  # [P] each
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)  # [P, 2]

    def of_pairs(self, query: int, key: int) -> Tensor:
        """What each pair adds to the score with the two tokens at other positions: [P]."""
        products = self.turned(self.q, query) * self.turned(self.k, key)  # [P, 2]
        return products.sum(-1) * self.scale  # [P]

    def score(self, query: int, key: int) -> float:
        """q·k with the two tokens at other positions, scaled as in this run; a soft cap and the mask come after it."""
        return float(self.of_pairs(query, key).sum()) + self.rest * self.scale

    def spread(self, furthest: int) -> float:
        """How much the score changes at most when both tokens move by 0 up to `furthest` positions."""
        scores = [self.score(self.query + by, self.key + by) for by in range(furthest + 1)]
        return max(scores) - min(scores)


def rotated_pair(trace: Trace, site: str | Site, head: int, *, query: int, key: int) -> RotatedPair:
    """A query and a key of one head before their rotation.

    Args:
        query, key: two tokens, from 0.
    Raises:
        StepError: this attention rotates nothing, or the run does not hold what was rotated.
    """
    view = HeadView.of(trace, site, head)
    steps = [attention_step(view, name) for name in ("q-rotated", "k-rotated")]
    if not bool(steps[0].extras["frequency"].values.any()):  # switched off in this run
        raise StepError(id="turned-by-nothing")
    q, k = (step.operands[0].values[at].double() for step, at in zip(steps, (query, key), strict=True))  # [d_k]
    columns = rotation_pairs(steps[0])
    index = torch.tensor(columns)  # [P, 2]
    frequencies = steps[0].extras["frequency"].values[0, index[:, 0]]  # [P]
    size, width = float(steps[0].facts["magnitude"]), 2 * len(columns)
    rest = float(q[width:] @ k[width:])
    return RotatedPair(
        query, key, columns, frequencies, q[index] * size, k[index] * size, rest, view.record.replay.scale_of(view.head)
    )
