"""A run's own proof: what the record replays against what the model's kernel returned, on a few rows of every site.

The rows are copied while the kernel runs, so nobody has to keep what it returned for the whole text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import torch
from torch import Tensor

from attnviz.core.recording import largest_difference
from attnviz.trace.records import AttentionRecord
from attnviz.trace.run_facts import Verified

# The largest relative difference that rounding explains, by dtype of the run. The replay is in float32 whatever the run
# is in: fused and explicit kernels then differ by about 4e-7. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}

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


def verify(records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor | KernelRows]) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, rows that were taken while the kernel ran, or all it returned, [H, T_q, d_v]; only these
            sites are compared.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    sites: dict[str, float] = {}
    n_rows, tolerance = 0, 0.0
    for number, (key, given) in enumerate(kernel.items()):
        taken = given if isinstance(given, KernelRows) else KernelRows.of(given.transpose(0, 1), number)
        theirs = taken.context.transpose(0, 1)  # [H, R, d_v]
        largest = max(1.0, abs(float(taken.lowest)), abs(float(taken.highest)))  # of all rows of the site
        difference = largest_difference(records[key].context_at(taken.rows), theirs)
        share = difference / largest
        sites[key] = share if share == share else float("inf")  # NaN agrees with nothing
        n_rows += len(taken.rows)
        tolerance = max(tolerance, TOLERANCE[theirs.dtype])
    return Verified(max(sites.values(), default=0.0), n_rows, tolerance, sites)
