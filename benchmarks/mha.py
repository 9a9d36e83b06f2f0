"""MultiHeadAttention with all weights kept, and its fused kernel, beside torch.nn.MultiheadAttention doing the same.

Ours and theirs take turns on fresh inputs, in changing order; a figure is the median of the paired ratios, so that
whatever else the machine does slows both. Processor time is measured beside wall time for the same reason.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.models import MultiHeadAttention
from benchmarks.table import Row


@dataclass(frozen=True)
class Shape:
    """One size of input, and how much longer than torch ours may take."""

    batch: int
    n_tokens: int
    d_model: int
    n_heads: int
    target: float
    rounds: int

    def __str__(self) -> str:
        return f"B{self.batch} n{self.n_tokens} d{self.d_model} h{self.n_heads}"


SHAPES = (
    Shape(1, 64, 512, 8, 1.10, 200),
    Shape(8, 128, 512, 8, 1.10, 40),
    Shape(1, 512, 768, 12, 1.05, 40),
    Shape(1, 2048, 768, 12, 1.05, 9),
)
FUSED_TARGET = 1.05


def measure() -> list[Row]:
    rows = []
    for shape in SHAPES:
        torch.manual_seed(0)
        theirs = nn.MultiheadAttention(shape.d_model, shape.n_heads, batch_first=True).eval()
        ours = MultiHeadAttention.from_torch(theirs)

        def recorded(x: Tensor, ours: MultiHeadAttention = ours) -> object:
            with av.record() as run:
                out = ours(x)
            return out, run["weights"]

        def their_weights(x: Tensor, theirs: nn.MultiheadAttention = theirs) -> object:
            return theirs(x, x, x, need_weights=True, average_attn_weights=False)

        def fused(x: Tensor, ours: MultiHeadAttention = ours) -> object:
            return ours(x, kernel="fused")

        def their_fused(x: Tensor, theirs: nn.MultiheadAttention = theirs) -> object:
            return theirs(x, x, x, need_weights=False)

        rows.append(_row(f"attention, all weights kept, {shape}", recorded, their_weights, shape, shape.target))
        rows.append(_row(f"attention, fused kernel, {shape}", fused, their_fused, shape, FUSED_TARGET))
    return rows


def _row(
    claim: str, ours: Callable[[Tensor], object], theirs: Callable[[Tensor], object], shape: Shape, target: float
) -> Row:
    wall, processor, ours_ms = paired_ratios(ours, theirs, shape)
    note = f"of torch's time; {processor:.2f} in processor time; ours {ours_ms:.2f} ms"
    return Row(claim, wall, target, "x", note)


def paired_ratios(
    ours: Callable[[Tensor], object], theirs: Callable[[Tensor], object], shape: Shape
) -> tuple[float, float, float]:
    """Median ratio of wall time, of processor time, and our median time in ms."""
    wall, processor, times = [], [], []
    with torch.no_grad():
        for number in range(shape.rounds + 3):
            spent = {}
            for run in (ours, theirs) if number % 2 else (theirs, ours):
                x = torch.randn(shape.batch, shape.n_tokens, shape.d_model)  # [B, n, d]
                began, busy = time.perf_counter(), time.process_time()
                run(x)
                spent[run] = (time.perf_counter() - began, time.process_time() - busy)
            if number < 3:
                continue  # the first rounds warm caches and threads
            wall.append(spent[ours][0] / spent[theirs][0])
            processor.append(spent[ours][1] / max(spent[theirs][1], 1e-9))
            times.append(spent[ours][0] * 1e3)
    return statistics.median(wall), statistics.median(processor), statistics.median(times)
