"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from .recording import largest_difference
from .records import AttentionRecord
from .trace import Verified

ROWS_A_SITE = 8
# Largest difference that rounding explains, by dtype of the run. float32: fused and explicit kernels differ by about
# 4e-7 at values near 1. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


def verify(records: Mapping[str, AttentionRecord], kernel_context: Mapping[str, Tensor], *, seed: int = 0) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel_context: by site key, [H, Tq, Dv], as the kernel returned it.
        seed: which rows.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    generator = torch.Generator().manual_seed(seed)
    worst, rows, dtype = 0.0, 0, torch.float32
    for key, record in records.items():
        context = kernel_context[key]  # [H, Tq, Dv]
        dtype = context.dtype
        chosen = torch.randperm(record.n_queries, generator=generator)[:ROWS_A_SITE].tolist()
        scale = max(1.0, float(context.abs().max()))
        for row in chosen:
            replayed = record.context(rows=slice(row, row + 1))  # [H, 1, Dv]
            worst = max(worst, largest_difference(replayed, context[:, row : row + 1].float()) / scale)
        rows += len(chosen)
    return Verified(worst, rows, TOLERANCE.get(dtype, 1e-5))
