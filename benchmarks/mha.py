"""MultiHeadAttention with all weights kept, and its fused kernel, beside torch.nn.MultiheadAttention doing the same.

Ours and theirs take turns on fresh inputs, in changing order, with several layers built one after the other, since a
layer's speed depends on where its weights came to lie. A figure is the median of the paired ratios, so that whatever
else the machine does slows both. Processor time is measured beside wall time for the same reason.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from attnviz.core.attend import Kernel
from attnviz.core.errors import InputError
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
    rounds: int  # of each built pair of layers

    def __str__(self) -> str:
        return f"B{self.batch} n{self.n_tokens} d{self.d_model} h{self.n_heads}"


SHAPES = (
    Shape(1, 64, 512, 8, 1.10, 100),
    Shape(8, 128, 512, 8, 1.10, 16),
    Shape(1, 512, 768, 12, 1.05, 16),
    Shape(1, 2048, 768, 12, 1.05, 3),
)
FUSED_TARGET = 1.05
FEW_TOKENS = 512  # up to here Python's own time, and where values come to lie, weigh as much as products
BUILT = 4  # pairs of layers
WARM_UP = 3  # rounds that only fill caches and start threads


def recorded(ours: MultiHeadAttention, x: Tensor) -> object:
    with av.record() as run:
        out = ours(x)
    return out, run["weights"]


def their_weights(theirs: nn.MultiheadAttention, x: Tensor) -> object:
    return theirs(x, x, x, need_weights=True, average_attn_weights=False)


class Least(nn.Module):
    """The least that Python can do for what is asked: torch's own calls in a module, and one look for NaN.

    No shape is asked about, no mask joined, nothing named or counted: no layer that is written in Python goes below.
    """

    def __init__(self, ours: MultiHeadAttention) -> None:
        super().__init__()
        layers = ours.w_q, ours.w_k, ours.w_v
        self.weight = torch.cat([layer.weight.detach() for layer in layers])  # [3·D, D]
        self.bias = torch.cat([layer.bias.detach() for layer in layers])  # [3·D]
        self.w_o, self.n_heads = ours.w_o, ours.n_heads
        self.kept: dict[str, Tensor] = {}

    def forward(self, x: Tensor, kernel: Kernel) -> Tensor:
        """x [B, T, D] -> [B, T, D]."""
        joint = F.linear(x, self.weight, self.bias)  # [B, T, 3·D]
        if not math.isfinite(joint.select(-1, 0).sum().item()):
            raise InputError("x holds NaN.")
        heads = joint.view(*x.shape[:-1], 3 * self.n_heads, -1).transpose(-3, -2)  # [B, 3·H, T, Dh]
        q, k, v = heads.chunk(3, -3)  # [B, H, T, Dh] each
        if kernel == "fused":
            return self._merged(F.scaled_dot_product_attention(q, k, v))  # [B, T, D]
        flat = q.flatten(0, 1), k.flatten(0, 1).mT  # [B·H, T, Dh], [B·H, Dh, T]
        scores = torch.baddbmm(q.new_empty(()), *flat, beta=0, alpha=q.shape[-1] ** -0.5)  # [B·H, T, T]
        weights = torch.softmax(scores, -1, out=scores).unflatten(0, q.shape[:2])  # [B, H, T, T]
        context = weights @ v  # [B, H, T, Dh]
        out = self._merged(context)  # [B, T, D]
        self.kept = {"q": q, "k": k, "v": v, "weights": weights, "context": context, "out": out}
        return out

    def _merged(self, context: Tensor) -> Tensor:
        out: Tensor = self.w_o(context.transpose(-3, -2).flatten(-2))  # [B, H, T, Dh] -> [B, T, D]
        return out


def least_recorded(layer: Least, x: Tensor) -> object:
    out = layer(x, "explicit")
    kept, layer.kept = layer.kept, {}
    return out, kept["weights"]


def least_fused(layer: Least, x: Tensor) -> object:
    return layer(x, "fused")


def fused(ours: MultiHeadAttention, x: Tensor) -> object:
    return ours(x, kernel="fused")


def their_fused(theirs: nn.MultiheadAttention, x: Tensor) -> object:
    return theirs(x, x, x, need_weights=False)


def measure() -> list[Row]:
    rows = []
    for shape in SHAPES:
        rows.append(_row("attention, all weights kept", recorded, their_weights, shape, shape.target))
        if shape.n_tokens <= FEW_TOKENS:
            rows.append(_row("  the least in Python", least_recorded, their_weights, shape, None))
        rows.append(_row("attention, fused kernel", fused, their_fused, shape, FUSED_TARGET))
        if shape.n_tokens <= FEW_TOKENS:
            rows.append(_row("  the least in Python", least_fused, their_fused, shape, None))
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
        runs = ((ours, Least(our_layer) if ours in (least_recorded, least_fused) else our_layer), (theirs, their_layer))
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
