"""What a run's proof needs of the kernel's own output: a few rows of every site, copied while the kernel runs.

Nobody has to keep what the kernel returned for the whole text. `verify` compares the rows; nothing is compared here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

ROWS_A_SITE = 8
SITES_AT_ONCE = 16  # whose rows lie in one piece of memory


@dataclass(frozen=True, eq=False)
class KernelRows:
    """What the kernel itself returned for a few seeded queries of one site of one text."""

    rows: Tensor  # [R], which queries, in any order
    context: Tensor  # [R, H, Dv], a copy
    lowest: Tensor  # the lowest and the highest number of all rows, those that were not taken among them
    highest: Tensor

    @classmethod
    def of(cls, context: Tensor, seed: int, room: Tensor | None = None) -> KernelRows:
        """Take 8 rows.

        Args:
            context: [Tq, H, Dv], of all queries. seed: which rows. room: [R, H, Dv], where they are put, if anywhere.
        """
        rows = seeded_rows(context.shape[0], seed, context.device)  # [R]
        return cls(rows, torch.index_select(context, 0, rows, out=room), *torch.aminmax(context))


@lru_cache(maxsize=1024)
def seeded_rows(n: int, seed: int, device: torch.device) -> Tensor:
    """Which of n queries are taken, [R]; drawn once, for every text of a length has the same."""
    with torch.inference_mode(mode=False):  # it outlives the run that asked first
        return torch.tensor(Random(seed).sample(range(n), min(ROWS_A_SITE, n)), device=device)  # [R]


@dataclass
class Room:
    """Memory for the rows of one pass, many sites in one piece.

    A small copy a site would be carved out of what the layer before had let go, and the next layer's values would no
    longer fit there: at 8,192 tokens of a model of GPT-2's size that is 0.3 GB of holes.
    """

    pieces: dict[object, Iterator[Tensor]] = field(default_factory=dict)  # what is still free, by shape and kind

    def take(self, context: Tensor, seed: int) -> KernelRows:
        """`KernelRows.of`, put behind those of the sites before."""
        shape = (min(ROWS_A_SITE, context.shape[0]), *context.shape[1:])  # R, H, Dv
        kind = (shape, context.dtype, context.device)
        room = next(self.pieces.get(kind, iter(())), None)
        if room is None:
            self.pieces[kind] = iter(context.new_empty(SITES_AT_ONCE, *shape).unbind())
            room = next(self.pieces[kind])
        return KernelRows.of(context, seed, room)
