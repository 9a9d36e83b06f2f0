"""What a run's proof needs of the kernel's own output: a few rows of every site, copied while the kernel runs.

Nobody has to keep what the kernel returned for the whole text. `verify` compares the rows; nothing is compared here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

ROWS_A_SITE = 8
SITES_AT_ONCE = 16  # whose rows lie in one piece of memory

RowBuffer = tuple[Tensor, tuple[Tensor, Tensor]]  # [R, H, d_v], and two numbers


@dataclass(frozen=True, eq=False)
class KernelRows:
    """What the kernel itself returned for a few seeded queries of one site of one text."""

    rows: Tensor  # [R], which queries, in any order
    context: Tensor  # [R, H, d_v], a copy
    lowest: Tensor  # the lowest and the highest number of all rows, those that were not taken among them
    highest: Tensor

    @classmethod
    def of(cls, context: Tensor, seed: int, buffer: RowBuffer | None = None) -> KernelRows:
        """Take 8 rows of [T_q, H, d_v], all queries; `seed` says which, `buffer` where they are copied to, if given."""
        rows = drawn(context.shape[0], seed // SITES_AT_ONCE, context.device)[seed % SITES_AT_ONCE]  # [R]
        copied, ends = (None, None) if buffer is None else buffer
        lowest, highest = torch.aminmax(context, out=ends)
        return cls(rows, torch.index_select(context, 0, rows, out=copied), lowest, highest)


@lru_cache(maxsize=256)
def drawn(n: int, piece: int, device: torch.device) -> tuple[Tensor, ...]:
    """Which of n queries are taken, [R] a seed; drawn once, for every text of a length has the same."""
    seeds = range(piece * SITES_AT_ONCE, (piece + 1) * SITES_AT_ONCE)
    rows = [Random(seed).sample(range(n), min(ROWS_A_SITE, n)) for seed in seeds]
    with torch.inference_mode(mode=False):  # they outlive the run that asked first
        return torch.tensor(rows, device=device).unbind()


@dataclass
class RowBuffers:
    """Memory for what is taken in one pass, many sites in one piece.

    A small copy a site would be carved out of what the layer before had let go, and the next layer's values would no
    longer fit there: at 2,048 tokens of a model of GPT-2's size that is 0.13 GB of holes in about half of the runs (in
    none where freed memory is kept, as by the dashboard).
    """

    free: dict[object, list[RowBuffer]] = field(default_factory=dict)  # by shape and kind

    def take(self, context: Tensor, seed: int) -> KernelRows:
        """`KernelRows.of`, copied behind those of the sites before."""
        shape = (min(ROWS_A_SITE, context.shape[0]), *context.shape[1:])  # R, H, d_v
        kind = (shape, context.dtype, context.device)
        if not self.free.get(kind):
            rows = context.new_empty(SITES_AT_ONCE, *shape).unbind()  # [R, H, d_v] each
            lowest, highest = (context.new_empty(SITES_AT_ONCE).unbind() for _ in range(2))
            self.free[kind] = list(zip(rows, zip(lowest, highest, strict=True), strict=True))
        return KernelRows.of(context, seed, self.free[kind].pop())
