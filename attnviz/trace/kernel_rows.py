"""What a run's proof needs of the kernel's own output: a few rows of every site, copied while the kernel runs.

Nobody has to keep what the kernel returned for the whole text. `verify` compares the rows; nothing is compared here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

ROWS_A_SITE = 8


@dataclass(frozen=True, eq=False)
class KernelRows:
    """What the kernel itself returned for a few seeded queries of one site of one text."""

    rows: Tensor  # [R], which queries, in any order
    context: Tensor  # [R, H, d_v], a copy
    lowest: Tensor  # the lowest and the highest number of all rows, those that were not taken among them
    highest: Tensor

    @classmethod
    def of(cls, context: Tensor, seed: int) -> KernelRows:
        """Take 8 rows of what there is of all queries, [T_q, H, d_v]; `seed` says which."""
        rows = drawn(context.shape[0], seed, context.device)  # [R]
        return cls(rows, torch.index_select(context, 0, rows), *torch.aminmax(context))


@lru_cache(maxsize=4096)
def drawn(n: int, seed: int, device: torch.device) -> Tensor:
    """Which of n queries are taken, [R]; drawn once, for every text of a length has the same."""
    rows = Random(seed).sample(range(n), min(ROWS_A_SITE, n))
    with torch.inference_mode(mode=False):  # they outlive the run that asked first
        return torch.tensor(rows, device=device)
