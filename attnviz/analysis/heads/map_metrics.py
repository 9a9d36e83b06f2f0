"""Metrics of whole maps: how much all rows attend to one and the same word, and how much maps change between texts."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import FIRST, Rows

WINDOW = 10  # first tokens of each text, compared by `variability`


@dataclass(frozen=True, eq=False)
class ColumnSums:
    """Column sums of some rows, for `one_word`; those of two blocks of rows add up.

    Source: Kovaleva et al. 2019, section 4.1 (the vertical pattern).
    """

    weight: Tensor  # [..., T_k], Σ over the rows of w
    n_visible: Tensor  # [1 | H, T_k], how many rows can attend to each key
    n_rows: Tensor  # [1 | H], how many rows can attend to anything
    is_word: Tensor  # bool [T_k], neither the first token nor a delimiter

    @classmethod
    def of(cls, weights: Tensor, rows: Rows) -> ColumnSums:
        """The sums of one block, [..., R, T_k]."""
        is_word = ~rows.keys.delimiter & (rows.positions != FIRST)  # [T_k]
        visible = rows.visible
        return cls(weights.sum(-2), visible.sum(-2), visible.any(-1).sum(-1), is_word)

    def __add__(self, other: ColumnSums) -> ColumnSums:
        weight, n_visible = self.weight + other.weight, self.n_visible + other.n_visible
        return ColumnSums(weight, n_visible, self.n_rows + other.n_rows, self.is_word)

    @property
    def largest(self) -> Tensor:
        """max over keys of the mean over rows, [...] from 0 to 1; NaN where no key counts.

        A key counts if at least half of the rows can attend to it, which leaves out the last tokens of a causal text.
        The first token and delimiters have metrics of their own.
        """
        counts = self.is_word & (2 * self.n_visible >= self.n_rows[..., None]) & (self.n_visible > 0)  # [1 | H, T_k]
        largest = torch.where(counts, self.weight / self.n_visible.clamp_min(1), -1.0).amax(-1)
        return torch.where(largest >= 0, largest, float("nan"))


def variability(maps: Tensor) -> Tensor:
    """Σ |w − mean over texts of w| / (2 Σ w), over the first 10 rows and keys of each text.

    Args:
        maps: [S, ..., N, N], a map of the same positions for each of S texts.
    Returns:
        [...] from 0, the same in every text, as in a head that goes by positions alone, to 1 − 1/S, nothing in common;
        NaN for fewer than two texts.
    Source: Vig and Belinkov 2019, section 3.3, with N = 10 as there.
    """
    if maps.shape[0] < 2:
        return torch.full(maps.shape[1:-2], float("nan"))
    change = (maps - maps.mean(0)).abs().sum((0, -2, -1))  # [...]
    return change / (2 * maps.sum((0, -2, -1))).clamp_min(1e-12)
