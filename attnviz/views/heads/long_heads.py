"""What travels of a head over a long text: its largest weights, a pooled picture, and any part of it when asked for.

A browser never holds all weights of more than 256 tokens; here they are made a block of rows at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from attnviz.trace.preview import pooled
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.trace.records import AttentionRecord
    from attnviz.trace.trace import Trace

Span = tuple[int, int]  # from, up to

POOLED = 512  # cells a side of the picture of a whole head
EXACT_CELLS = 65_536  # of one part that travels as float32: as many as a head of 256 tokens has
BLOCK = 64  # rows at a time; more of them leave the processor's caches
GROUPED = 16  # keys a group, where the largest are looked for
LARGEST, FEWER, MANY = 32, 20, 1024  # keys kept of a query; fewer of them above so many tokens


def long_head(record: AttentionRecord, head: int, special: torch.Tensor) -> Arrays:
    """Return what the view knows of a head over more than 256 tokens.

    Args:
        special: which keys the model added, the first one apart: bool [T_k].
    Returns:
        `top_keys` uint16 and `top_weights` float32 [T_q, 32], largest first, 20 above 1,024 tokens; `received` float32
        [T_k], what a key gets from all queries on average; `aside` float32 [T_q, 2], what a query gives the first token
        and the other special ones; `pooled` uint8 [≤512, ≤512], round(255·√) of the largest weight of each block.
    """
    longest = max(record.n_queries, record.n_keys)
    count = min(LARGEST if longest <= MANY else FEWER, record.n_keys)
    keys, values, aside = [], [], []
    received = torch.zeros(record.n_keys, dtype=torch.float64)  # [T_k]
    read, n_read = record.reader(head), 0

    def noted(start: int, stop: int) -> torch.Tensor:
        """Rows for the picture; what the other arrays need of them is noted on the way, of each row once."""
        nonlocal n_read
        block = read(start, stop)  # [R, n]
        rows = _columns(block[n_read - start :].cpu(), 0, max(count, block.shape[1]))  # [rows not yet read, n]
        n_read, seen = stop, rows.shape[1]
        weights, indices = _largest(rows, count)  # [R, count] each
        keys.append(indices)
        values.append(weights)
        aside.append(torch.stack([rows[:, 0], rows[:, special[:seen]].sum(-1)], dim=-1))  # [R, 2]
        received[:seen] += rows.sum(0)
        return block

    picture = pooled(noted, record.n_queries, record.n_keys, POOLED, record.source.v)  # [≤512, ≤512]
    return {
        "top_keys": torch.cat(keys).numpy().astype(np.uint16),
        "top_weights": torch.cat(values).numpy(),
        "received": (received / record.n_queries).float().numpy(),
        "aside": torch.cat(aside).numpy(),
        "pooled": quantise(picture),
    }


def part_of_head(record: AttentionRecord, head: int, rows: Span, columns: Span) -> tuple[Arrays, Span, Span]:
    """Return the weights of some queries on some keys, exactly where they are few, else pooled.

    Args:
        rows, columns: from, up to; put inside the head and never empty.
    Returns:
        `part` float32 [R, C] where that is at most 65,536 cells, else `pooled` uint8 [≤512, ≤512], round(255·√) of the
        largest weight of each block; and the rows and columns that it is of.
    """
    columns = _inside(columns, record.n_keys)
    rows = _inside(rows, record.n_queries)
    n_rows, n_columns = rows[1] - rows[0], columns[1] - columns[0]
    is_exact = n_rows * n_columns <= EXACT_CELLS
    high, wide = (1, 1) if is_exact else (-(-n_rows // POOLED), -(-n_columns // POOLED))  # cells of one block
    at_once = max(high, BLOCK // high * high)
    blocks, read = [], record.reader(head)
    for start in range(rows[0], rows[1], at_once):
        weights = _columns(read(start, min(start + at_once, rows[1])).cpu(), *columns)  # [R, C]
        blocks.append(torch.nn.functional.max_pool2d(weights[None], (high, wide), ceil_mode=True)[0])
    made = torch.cat(blocks)  # [R, C], or of blocks
    return ({"part": made.numpy()} if is_exact else {"pooled": quantise(made)}), rows, columns


def seen_keys(trace: Trace, sites: tuple[Site, ...]) -> tuple[NDArray[np.uint16] | None, list[int]]:
    """Return which keys each query can attend to, where a mask forbids some and those it allows lie side by side.

    Returns:
        uint16 [masks, T_q, 2], the first key and one past the last, and which of the masks each layer has; −1 has none.
    """
    masks, of_layer = each_once(_spans(trace[site.key]) for site in sites)
    return (torch.stack(masks).numpy().astype(np.uint16) if masks else None), of_layer


def each_once(given: Iterable[torch.Tensor | None]) -> tuple[list[torch.Tensor], list[int]]:
    """Equal tensors once, and of each given one which of them it is; −1 for None."""
    kept: list[torch.Tensor] = []
    places = []
    for one in given:
        if one is None:
            places.append(-1)
            continue
        at = next((at for at, other in enumerate(kept) if torch.equal(other, one)), len(kept))
        places.append(at)
        if at == len(kept):
            kept.append(one)
    return kept, places


def quantise(weights: torch.Tensor) -> NDArray[np.uint8]:
    """Return round(255·√weight): colour = ramp(√weight), so small weights keep steps of their own."""
    return weights.clamp(0, 1).sqrt().mul(255).round().to(torch.uint8).cpu().numpy()  # same shape


def _spans(record: AttentionRecord) -> torch.Tensor | None:
    """First key and one past the last that each query can attend to, [T_q, 2]; None where no rule of keys is kept."""
    mask = record.source.mask
    if mask.is_open:
        return None
    spans, is_open = [], True
    for start in range(0, record.n_queries, BLOCK):
        allowed = mask.allowed_rows(start, min(start + BLOCK, record.n_queries)).cpu()  # [1 | H, R, T_k]
        if allowed.shape[0] > 1 and not torch.equal(allowed.all(0), allowed.any(0)):
            return None  # each head has a mask of its own
        rows = allowed[0]  # [R, T_k]
        first = rows.int().argmax(-1)  # [R]
        end = torch.where(rows.any(-1), rows.shape[-1] - rows.flip(-1).int().argmax(-1), first)  # [R]
        if not torch.equal(end - first, rows.sum(-1)):
            return None  # the allowed keys lie apart
        is_open = is_open and bool(rows.all())
        spans.append(torch.stack([first, end], dim=-1))
    return None if is_open else torch.cat(spans)  # [T_q, 2]


def _columns(rows: torch.Tensor, start: int, stop: int) -> torch.Tensor:
    """Some keys of a block of rows, [R, n] -> [R, stop - start]; those behind its end have weight 0."""
    cut = rows[:, start:stop]  # [R, C or fewer]
    return torch.nn.functional.pad(cut, (0, stop - start - cut.shape[1]))


def _largest(rows: torch.Tensor, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The largest weights of each row and their keys, largest first: [R, n] -> [R, count] each.

    The largest `count` lie in the `count` groups with the largest maxima, which takes less time than looking at all.
    """
    n_rows, n = rows.shape
    if n % GROUPED or n < 2 * GROUPED * count:
        whole = rows.topk(count, dim=-1)
        return whole.values, whole.indices
    n_groups = n // GROUPED
    grouped = rows.reshape(n_rows, GROUPED, n_groups)  # group g has the keys g, g + n_groups, …
    groups = grouped.amax(1).topk(count, dim=-1).indices  # [R, count]
    candidates = grouped.gather(2, groups[:, None].expand(-1, GROUPED, -1)).flatten(1)  # [R, GROUPED · count]
    weights, at = candidates.topk(count, dim=-1)  # [R, count] each
    return weights, at // count * n_groups + groups.gather(1, at % count)


def _inside(span: Span, n: int) -> Span:
    start = min(max(span[0], 0), n - 1)
    return start, min(max(span[1], start + 1), n)
