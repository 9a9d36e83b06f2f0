"""How two heads of one attention differ, row by row: how much weight would have to move to make one the other."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.trace.records import AttentionRecord


@dataclass(frozen=True, eq=False)
class HeadDifference:
    first: int
    second: int
    difference: Tensor  # [T_q, T_k], weights of the first minus those of the second: −1 to 1
    moved: Tensor  # [T_q], the share of each row's weight that lies elsewhere: 0 alike, 1 nothing in common
    same_choice: Tensor  # bool [T_q], both have their largest weight on the same token

    @property
    def mean_moved(self) -> float:
        """The share of the weight that lies elsewhere, over all rows."""
        return float(self.moved.mean())

    @property
    def farthest(self) -> tuple[int, int]:
        """The cell in which they differ most."""
        row, column = divmod(int(self.difference.abs().argmax()), self.difference.shape[1])
        return row, column


def head_difference(record: AttentionRecord, first: int, second: int) -> HeadDifference:
    """How two heads of one attention differ.

    Source: total variation distance, half the sum of absolute differences.
    """
    a, b = record.weights(first), record.weights(second)  # [T_q, T_k]
    difference = a - b  # [T_q, T_k]
    moved = difference.abs().sum(-1) / 2  # [T_q]
    return HeadDifference(first, second, difference, moved, a.argmax(-1) == b.argmax(-1))


def head_differences(record: AttentionRecord) -> Tensor:
    """The share of weight that lies elsewhere, of every two heads: [H, H], 0 on the diagonal."""
    weights = record.weights()  # [H, T_q, T_k]
    return torch.stack([(weights - other).abs().sum(-1).mean(-1) / 2 for other in weights])  # [H, H]
