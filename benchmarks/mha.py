"""MultiHeadAttention with all weights kept, and its fused kernel, beside torch.nn.MultiheadAttention doing the same.

Ours and theirs take turns on fresh inputs, in changing order, with several layers built one after the other, since a
layer's speed depends on where its weights are in memory. A figure is the median of the paired ratios, so that whatever
else the machine does slows both. Processor time is measured beside wall time for the same reason. At 64 tokens a layer
takes a millisecond, torch's is one C++ call, and the time is Python's: no target there.
"""

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
    target: float | None  # None: printed alone
    rounds: int  # of each built pair of layers

    def __str__(self) -> str:
        return f"B{self.batch} n{self.n_tokens} d{self.d_model} h{self.n_heads}"


SHAPES = (
    Shape(1, 64, 512, 8, None, 100),
    Shape(8, 128, 512, 8, 1.10, 16),
    Shape(1, 512, 768, 12, 1.05, 16),
    Shape(1, 2048, 768, 12, 1.05, 3),
)
FUSED_TARGET = 1.05
BUILT = 4  # pairs of layers
WARM_UP = 3  # rounds that only fill caches and start threads


def recorded(ours: MultiHeadAttention, x: Tensor) -> object:
    with av.record() as run:
        out = ours(x)
    return out, run["weights"]


def their_weights(theirs: nn.MultiheadAttention, x: Tensor) -> object:
    return theirs(x, x, x, need_weights=True, average_attn_weights=False)


def fused(ours: MultiHeadAttention, x: Tensor) -> object:
    return ours(x, kernel="fused")


def their_fused(theirs: nn.MultiheadAttention, x: Tensor) -> object:
    return theirs(x, x, x, need_weights=False)


def measure() -> list[Row]:
    rows = []
    for shape in SHAPES:
        rows.append(_row("attention, all weights kept", recorded, their_weights, shape, shape.target))
        fused_target = None if shape.target is None else FUSED_TARGET
        rows.append(_row("attention, fused kernel", fused, their_fused, shape, fused_target))
    return rows


def _row(
    claim: str, ours: Callable[..., object], theirs: Callable[..., object], shape: Shape, target: float | None
) -> Row:
    wall, processor, ours_ms = paired_ratios(ours, theirs, shape)
    note = f"of torch's time; {processor:.2f} in processor time; ours {ours_ms:.2f} ms"
    return Row(f"{claim}, {shape}", wall, target, "x", note)


def paired_ratios(
    ours: Callable[..., object], theirs: Callable[..., object], shape: Shape
) -> tuple[float, float, float]:
    """Median ratio of wall time, of processor time, and our median time in ms."""
    wall, processor, times = [], [], []
    for seed in range(BUILT):
        torch.manual_seed(seed)
        their_layer = nn.MultiheadAttention(shape.d_model, shape.n_heads, batch_first=True).eval()
        our_layer = MultiHeadAttention.from_torch(their_layer).eval()
        runs = ((ours, our_layer), (theirs, their_layer))
        for number in range(shape.rounds + WARM_UP):
            spent = {}
            for run, layer in runs if number % 2 else runs[::-1]:
                spent[run] = _spent(run, layer, torch.randn(shape.batch, shape.n_tokens, shape.d_model))
            if number < WARM_UP:
                continue
            wall.append(spent[ours][0] / spent[theirs][0])
            processor.append(spent[ours][1] / max(spent[theirs][1], 1e-9))
            times.append(spent[ours][0] * 1e3)
    return statistics.median(wall), statistics.median(processor), statistics.median(times)


def _spent(run: Callable[..., object], layer: nn.Module, x: Tensor) -> tuple[float, float]:
    """Seconds of wall and of processor time for one call, x [B, n, d]."""
    with torch.no_grad():
        began, busy = time.perf_counter(), time.process_time()
        run(layer, x)
        return time.perf_counter() - began, time.process_time() - busy
