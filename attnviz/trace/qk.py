"""The q·k inside scores that a run kept: what they were made from, as far as the model's operators showed it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core import ops


@dataclass(frozen=True, eq=False)
class QueryKey:
    """scores = QKᵀ · scale, and in some models a term of their own added to it, such as positions."""

    q: Tensor  # [H, Tq, Dh], as the model multiplied them
    k: Tensor  # [Hkv, Tk, Dh]
    scale: float
    is_all: bool  # whether nothing is added

    def makes(self, scores: Tensor) -> bool:
        """Whether the shapes of these vectors are those of what makes scores [H, Tq, Tk]."""
        n_heads, n_queries, n_keys = scores.shape
        if tuple(self.q.shape[:2]) != (n_heads, n_queries) or tuple(self.k.shape[1:]) != (n_keys, self.q.shape[2]):
            return False
        return self.k.shape[0] > 0 and n_heads % self.k.shape[0] == 0

    def raw(self, head: int, rows: slice) -> Tensor:
        """QKᵀ of one head and some rows: [R, Tk]."""
        heads = slice(head, head + 1)
        return ops.raw_scores(self.q[heads, rows].float(), of_heads(self.k, self.q.shape[0], heads))[0]  # [R, Tk]


def of_heads(grouped: Tensor, n_heads: int, heads: slice) -> Tensor:
    """The keys or values that some query heads use: [Hkv, Tk, D] -> float32 [h, Tk, D]."""
    group = n_heads // grouped.shape[0]  # query heads that share one key head
    if group == 1:
        return grouped[heads].float()  # [h, Tk, D]
    chosen = torch.arange(n_heads, device=grouped.device)[heads] // group  # [h]
    return grouped[chosen].float()  # [h, Tk, D]
