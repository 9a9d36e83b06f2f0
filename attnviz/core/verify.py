"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

All rows of a site are replayed in one call: for short texts calls, not numbers, take the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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


def verify(records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor], *, seed: int = 0) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, [H, Tq, Dv], as the kernel returned it; only these sites are compared.
        seed: which rows.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    generator = torch.Generator().manual_seed(seed)
    worst, n_rows, tolerance = 0.0, 0, 0.0
    for key, context in kernel.items():
        record = records[key]
        rows = torch.randperm(record.n_queries, generator=generator)[:ROWS_A_SITE]  # [R]
        difference = largest_difference(at_rows(record, rows).context(), context[:, rows].float())
        share = difference / max(1.0, float(context.abs().max()))
        worst = max(worst, share if share == share else float("inf"))  # infinite by infinite is no number
        n_rows += len(rows)
        tolerance = max(tolerance, TOLERANCE[context.dtype])
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
    chosen = rows.tolist()
    allowed = torch.cat([mask.allowed_rows(row, row + 1) for row in chosen], dim=1)  # [1 | H, R, Tk]
    if mask.bias is None:
        return Mask(len(rows), mask.n_keys, allowed=allowed)
    parts = [part for row in chosen if (part := mask.bias_rows(row, row + 1)) is not None]  # [1 | H, 1, Tk] each
    return Mask(len(rows), mask.n_keys, allowed=allowed, bias=torch.cat(parts, dim=1))
