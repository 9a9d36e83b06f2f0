"""A head's weights pooled to a small picture, a block of rows at a time: memory does not grow with the text's square.

Rows are pooled before columns, so that only a sixteenth of the numbers of a long text is touched twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviz.core.ops import NEVER

if TYPE_CHECKING:
    from attnviz.trace.records import Replay

BLOCK_ROWS = 256  # rows held at a time

# (first query, one past the last) -> weights [R, n <= Tk]; the keys that are left out have weight 0
Rows = Callable[[int, int], Tensor]


def pooled(rows: Rows, n_queries: int, n_keys: int, size: int, reduce: Literal["max", "mean"], like: Tensor) -> Tensor:
    """Weights pooled to at most size x size; cell r, c pools queries ⌊r·Tq/size⌋ up to ⌈(r+1)·Tq/size⌉.

    Args:
        rows: gives a block of rows. like: a tensor on the device of the answer.
    Returns:
        float32 [min(Tq, size), min(Tk, size)].
    """
    n_rows, n_columns = min(n_queries, size), min(n_keys, size)
    tall = like.new_zeros((n_rows, n_keys), dtype=torch.float32)  # [rows, Tk]
    step = max(1, BLOCK_ROWS * n_rows // n_queries)  # cells a block
    for first in range(0, n_rows, step):
        last = min(first + step, n_rows)
        start, stop = first * n_queries // n_rows, -(-last * n_queries // n_rows)
        block = rows(start, stop)  # [R, n]
        width = block.shape[1]
        for row in range(first, last):
            a, b = row * n_queries // n_rows - start, -(-(row + 1) * n_queries // n_rows) - start
            tall[row, :width] = block[a:b].amax(0) if reduce == "max" else block[a:b].mean(0)
    pool = F.adaptive_max_pool2d if reduce == "max" else F.adaptive_avg_pool2d
    if n_keys == n_columns:
        return tall
    if n_keys % n_columns == 0:  # the common case, and torch's adaptive pooling is slow
        cells = tall.view(n_rows, n_columns, n_keys // n_columns)  # [rows, columns, keys a cell]
        return cells.amax(-1) if reduce == "max" else cells.mean(-1)
    return pool(tall[None], (n_rows, n_columns))[0]  # [rows, columns]


def plain_rows(source: Replay, head: int) -> Rows | None:
    """Rows of a head that looks everywhere or back, computed in one buffer and up to the diagonal; None for others.

    The numbers are those of `AttentionRecord.weights`: the keys that are left out add nothing to a row's sum.

    Args:
        source: q, k and the mask. head: from 0.
    """
    mask = source.mask
    is_plain = mask.window is None and mask.padding is None and mask.allowed is None and mask.rule is None
    if (
        not is_plain
        or mask.bias is not None
        or mask.offset < 0
        or source.softcap is not None
        or source.sinks is not None
    ):
        return None
    group = source.q.shape[0] // source.k.shape[0]  # query heads that share one key head
    q = source.q[head].float()  # [Tq, Dh]
    k = source.k[head // group].float()  # [Tk, Dh]
    buffer = q.new_empty(0)  # grows to the largest block

    def rows(start: int, stop: int) -> Tensor:
        nonlocal buffer
        n, width = stop - start, mask.last_key(stop)
        if buffer.numel() < n * width:
            buffer = q.new_empty(n * mask.n_keys)
        block = buffer[: n * width].view(n, width)  # [R, n]
        torch.mm(q[start:stop], k[:width].mT, out=block).mul_(source.scale)
        unseen = start + mask.offset + 1  # the first key that not all of these queries see
        if mask.causal and unseen < width:
            later = torch.ones(n, width - unseen, dtype=torch.bool, device=block.device).triu()  # [R, n - unseen]
            block[:, unseen:].masked_fill_(later, NEVER)
        return torch.softmax(block, -1, out=block)

    return rows
