"""A head's weights pooled to a small picture, a block of rows at a time, in memory linear in the text.

Rows are pooled before columns, so that only a sixteenth of the numbers of a long text is read twice.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviz.trace.weight_sources import Reader

BLOCK_ROWS = 128  # rows held at a time


def pooled(rows: Reader, n_queries: int, n_keys: int, size: int, like: Tensor) -> Tensor:
    """The largest weight of each cell: cell r, c pools queries ⌊r·T_q/size⌋ up to ⌈(r+1)·T_q/size⌉.

    Args:
        rows: gives a block of rows. size: the longest side, in cells. like: a tensor on the device of the answer.
    Returns:
        float32 [min(T_q, size), min(T_k, size)].
    """
    n_rows, n_columns = min(n_queries, size), min(n_keys, size)
    tall = like.new_zeros((n_rows, n_keys), dtype=torch.float32)  # [rows, T_k]
    step = max(1, BLOCK_ROWS * n_rows // n_queries)  # cells a block
    for first in range(0, n_rows, step):
        last = min(first + step, n_rows)
        start, stop = first * n_queries // n_rows, -(-last * n_queries // n_rows)
        block = rows(start, stop)  # [R, n]
        if n_queries % n_rows == 0:  # cells are alike
            tall[first:last, : block.shape[1]] = block.view(last - first, -1, block.shape[1]).amax(1)
            continue
        for row in range(first, last):
            a, b = row * n_queries // n_rows - start, -(-(row + 1) * n_queries // n_rows) - start
            tall[row, : block.shape[1]] = block[a:b].amax(0)
    if n_keys % n_columns == 0:  # the common case, and torch's adaptive pooling is slow
        return tall.view(n_rows, n_columns, n_keys // n_columns).amax(-1)  # [rows, columns]
    return F.adaptive_max_pool2d(tall[None], (n_rows, n_columns))[0]  # [rows, columns]
