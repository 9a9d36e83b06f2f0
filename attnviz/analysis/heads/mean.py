"""A mean over rows that come a block at a time."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class RowMean:
    """A weighted mean over rows that come a block at a time, leaving out NaN."""

    total: Tensor | float = 0.0
    weight: Tensor | float = 0.0

    def add(self, values: Tensor, weights: Tensor | None = None) -> None:
        """`values` [H, R]; `weights` the same, 1 each if not given."""
        counts = ~values.isnan()
        share = counts.double() if weights is None else torch.where(counts, weights.double(), 0.0)
        self.total = self.total + (values.nan_to_num().double() * share).sum(-1)  # [H]
        self.weight = self.weight + share.sum(-1)  # [H]

    def value(self) -> Tensor:
        total, weight = torch.as_tensor(self.total), torch.as_tensor(self.weight)
        return torch.where(weight > 1e-9, total / weight.clamp_min(1e-9), float("nan"))  # [H]
