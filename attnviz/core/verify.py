"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

The kernel's rows are copied while it runs, so that nobody has to keep what it returned for the whole text. All rows of
a site are replayed in one call: for short texts calls, not numbers, take the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import torch
from torch import Tensor

from .masks import Mask
from .recording import largest_difference
from .records import AttentionRecord, Replay
from .trace import Verified

ROWS_A_SITE = 8
# Largest difference that rounding explains, by dtype of the run. float32: fused and explicit kernels differ by about
# 4e-7 at values near 1. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


@dataclass(frozen=True, eq=False)
class KernelRows:
    """What the kernel itself returned for a few seeded queries of one site of one text."""

    rows: Tensor  # [R], which queries, in any order
    context: Tensor  # [R, H, Dv], a copy
    lowest: Tensor  # the lowest and the highest number of all rows, those that were not taken among them
    highest: Tensor

    @classmethod
    def of(cls, context: Tensor, seed: int) -> KernelRows:
        """Take 8 rows.

        Args:
            context: [Tq, H, Dv], of all queries. seed: which rows.
        """
        n = context.shape[0]
        rows = torch.tensor(Random(seed).sample(range(n), min(ROWS_A_SITE, n)), device=context.device)  # [R]
        return cls(rows, context.index_select(0, rows), *torch.aminmax(context))

    @property
    def largest(self) -> float:
        """The largest size of a number in all rows."""
        return max(abs(float(self.lowest)), abs(float(self.highest)))


def verify(
    records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor | KernelRows], *, seed: int = 0
) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, rows that were taken while the kernel ran, or all it returned, [H, Tq, Dv]; only these
            sites are compared.
        seed: which rows, where all are given.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    worst, n_rows, tolerance = 0.0, 0, 0.0
    for number, (key, given) in enumerate(kernel.items()):
        taken = given if isinstance(given, KernelRows) else KernelRows.of(given.transpose(0, 1), seed + number)
        replayed = at_rows(records[key], taken.rows).context().transpose(0, 1)  # [R, H, Dv]
        share = largest_difference(replayed, taken.context.float()) / max(1.0, taken.largest)
        worst = max(worst, share if share == share else float("inf"))  # infinite by infinite is no number
        n_rows += len(taken.rows)
        tolerance = max(tolerance, TOLERANCE[taken.context.dtype])
    return Verified(worst, n_rows, tolerance)


def at_rows(record: AttentionRecord, rows: Tensor) -> AttentionRecord:
    """The same attention for some of its queries alone: rows [R], in any order."""
    source = record.source
    mask = mask_at_rows(source.mask, rows)
    edited = {name: value[:, rows] for name, value in record.edited.items()}  # [H, R, Tk] each
    if isinstance(source, Replay):
        return replace(record, source=replace(source, q=source.q[:, rows], mask=mask), edited=edited)
    return replace(record, source=replace(source, kept=source.kept[:, rows], mask=mask), edited=edited)


def mask_at_rows(mask: Mask, rows: Tensor) -> Mask:
    """The mask of some queries alone, dense: it is only as many rows as are asked for."""
    if mask.is_open:
        return Mask(len(rows), mask.n_keys)
    allowed = mask.allowed_at(rows)  # [1 | H, R, Tk]
    return Mask(len(rows), mask.n_keys, allowed=allowed, bias=mask.bias_at(rows))
