"""MultiHeadAttention with all weights kept, and its fused kernel, beside torch.nn.MultiheadAttention doing the same.

Ours and theirs take turns on fresh inputs, with several layers built one after the other, since a layer's speed depends
on where its weights are in memory. At 64 tokens a layer takes a millisecond, torch's is one C++ call, and the time is
Python's: no target there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import torch
from torch import Tensor, nn

import attnviz as av
from attnviz.models import MultiHeadAttention
from benchmarks.table import Row, Spent, in_turns, median_ratio


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
    spent: dict[str, list[Spent]] = {"ours": [], "theirs": []}
    for seed in range(BUILT):
        torch.manual_seed(seed)
        their_layer = nn.MultiheadAttention(shape.d_model, shape.n_heads, batch_first=True).eval()
        our_layer = MultiHeadAttention.from_torch(their_layer).eval()
        n_inputs = 2 * (shape.rounds + WARM_UP)
        fresh = iter([torch.randn(shape.batch, shape.n_tokens, shape.d_model) for _ in range(n_inputs)])
        runs = {
            "ours": partial(lambda fresh, layer: ours(layer, next(fresh)), fresh, our_layer),
            "theirs": partial(lambda fresh, layer: theirs(layer, next(fresh)), fresh, their_layer),
        }
        with torch.no_grad():
            found = in_turns(runs, shape.rounds, WARM_UP)
        spent = {name: own + found[name] for name, own in spent.items()}
    ratio, ours_ms = median_ratio(spent["ours"], spent["theirs"]), 1e3 * median(it.wall for it in spent["ours"])
    note = f"of torch's time; {ratio.processor:.2f} in processor time; ours {ours_ms:.2f} ms"
    return Row(f"{claim}, {shape}", ratio.wall, target, "x", note)
