"""How much all rows look at one and the same word: a vertical stripe. Says which word, and nothing about why."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import FIRST, Rows


@dataclass(frozen=True, eq=False)
class Columns:
    """Sums down the columns of some rows; those of two blocks of rows add up."""

    weight: Tensor  # [..., Tk], Σ over the rows of w
    seen: Tensor  # [1 | H, Tk], how many rows may look at each key
    rows: Tensor  # [1 | H], how many rows may look at anything
    is_word: Tensor  # bool [Tk], neither the first token nor a delimiter

    def __add__(self, other: Columns) -> Columns:
        return Columns(
            self.weight + other.weight, self.seen + other.seen, self.rows + other.rows, self.is_word
        )  # fmt: skip

    @property
    def means(self) -> Tensor:
        """The mean weight on each key of the rows that see it: [..., Tk]; −1 where fewer than half of all rows do."""
        counts = self.is_word & (2 * self.seen >= self.rows[..., None]) & (self.seen > 0)  # [1 | H, Tk]
        return torch.where(counts, self.weight / self.seen.clamp_min(1), -1.0)

    @property
    def largest(self) -> tuple[Tensor, Tensor]:
        """The stripe's strength [...], NaN where no key counts, and its key [...], −1 there."""
        values, keys = self.means.max(-1)
        return torch.where(values >= 0, values, float("nan")), torch.where(values >= 0, keys, -1)


def columns(weights: Tensor, rows: Rows) -> Columns:
    """Sum some rows down their columns.

    Args:
        weights: [..., R, Tk].
    """
    is_word = ~rows.keys.delimiter & (rows.places != FIRST)  # [Tk]
    visible = rows.visible
    return Columns(weights.sum(-2), visible.sum(-2), visible.any(-1).sum(-1), is_word)


def one_word(weights: Tensor, rows: Rows) -> Tensor:
    """max over keys j of the mean over rows i of w[i, j].

    Args:
        weights: [..., Tq, Tk], all rows. rows: a key counts where at least half of the rows may look at it, so that
            the last tokens of a causal text, which few rows see, do not; the first token and delimiters have metrics
            of their own and do not count.
    Returns:
        [...] from 0 to 1: 1 is all rows looking at one word only; NaN where no key counts.
    Source: Kovaleva et al. 2019, section 4.1 (the vertical pattern).
    """
    return columns(weights, rows).largest[0]
