"""Why scores are divided by √dₖ: random queries and keys, with and without the division. No model is needed.

A sum of dₖ products of numbers with variance 1 has variance dₖ. Unscaled, softmax of such sums gives nearly
everything to one key; its gradient is then nearly 0, and nothing is learned through it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core import ops

WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
KEYS = 10  # as many as a short sentence has
DRAWS = 2000  # queries, each with its own keys


@dataclass(frozen=True)
class Softmaxed:
    """What softmax makes of the scores of one width, averaged over the draws."""

    spread: float  # standard deviation of the scores
    largest: float  # largest weight of a row
    gradient: float  # how far the weights of a row move for a small step of its scores; see `softmax_gradient`


@dataclass(frozen=True)
class WidthRow:
    width: int  # d_k
    raw: Softmaxed  # q·k as it is
    scaled: Softmaxed  # q·k / √dₖ


def scaling_rows(widths: tuple[int, ...] = WIDTHS, *, seed: int = 0) -> tuple[WidthRow, ...]:
    """Draw queries and keys of each width, with variance 1, and look at what softmax makes of them.

    Source: Vaswani et al. 2017, section 3.2.1, footnote 4.
    """
    generator = torch.Generator().manual_seed(seed)
    rows = []
    for width in widths:
        q = torch.randn(DRAWS, 1, width, generator=generator)  # [N, 1, d_k]
        k = torch.randn(DRAWS, KEYS, width, generator=generator)  # [N, T_k, d_k]
        raw = ops.raw_scores(q, k)[:, 0]  # [N, T_k]
        rows.append(WidthRow(width, _softmaxed(raw), _softmaxed(ops.scale_scores(raw, width**-0.5))))
    return tuple(rows)


def softmax_gradient(weights: Tensor) -> Tensor:
    """The root of the sum of squares of softmax's derivative at weights [..., T_k]: [...], ½ for two keys alike.

    d w_i / d x_j = w_i (δ_ij − w_j). Of a row that is all on one key it is 0: the weights no longer answer.
    """
    squared = weights.square()  # [..., T_k]
    total = squared.sum(-1)  # [...]
    # Σ_ij w_i² (δ_ij − w_j)² = Σ w_i² − 2 Σ w_i³ + (Σ w_i²)²
    return torch.sqrt((total - 2 * (squared * weights).sum(-1) + total.square()).clamp(min=0.0))


def _softmaxed(scores: Tensor) -> Softmaxed:
    weights = ops.softmax_rows(scores)  # [N, T_k]
    return Softmaxed(float(scores.std()), float(weights.amax(-1).mean()), float(softmax_gradient(weights).mean()))
