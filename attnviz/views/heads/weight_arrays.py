"""The arrays of the heads view: 8 bits for colours, float32 for every number that is printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviz.views.heads.long_heads import long_head, quantise
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.trace.trace import Trace


WHOLE = 64  # up to here every head travels token by token; above, thumbnails are pooled to this many cells a side
MAP_BYTES = 3_000_000  # of all thumbnails together; thousands of heads are pooled to fewer cells
FULL_HEAD = 256  # up to here one head's weights travel whole; above, its largest
PAGE_TOP = 20  # keys kept of a query in a file of its own above WHOLE: what the view draws
PAGE_BYTES = 6_000_000  # a file carries the numbers of every head while they take no more than this; else of one


def head_maps(trace: Trace, sites: Sequence[Site], cells: int = WHOLE) -> NDArray[np.uint8]:
    """Return round(255·√weight) of every head.

    Returns:
        [L, H, T_q, T_k] up to so many tokens, else max-pooled to at most [L, H, cells, cells]: a mean would hide heads
        that pick single tokens. Of more than some 700 heads fewer cells travel.
    """
    n_heads = trace[sites[0].key].n_heads
    side = min(cells, math.isqrt(MAP_BYTES // (len(sites) * n_heads)))
    is_whole = _longest(trace, sites) <= side
    records = [trace[site.key] for site in sites]
    if is_whole:
        return quantise(torch.stack([record.weights().float() for record in records]))  # [L, H, T_q, T_k]
    previews = ([record.preview(head, side).float() for head in range(n_heads)] for record in records)
    return quantise(torch.stack([torch.stack(layer) for layer in previews]))  # [L, H, ≤side, ≤side]


def head_arrays(trace: Trace, site: Site, head: int) -> Arrays:
    """Return the exact numbers of one head.

    Returns:
        `head` float32 [T_q, T_k] up to 256 tokens; above, what `long_head` says.
    """
    record = trace[site.key]
    if max(record.n_queries, record.n_keys) > FULL_HEAD:
        return long_head(record, head, _special(trace, site))
    return {"head": record.weights(head).float().cpu().numpy()}  # [T_q, T_k]


def all_heads(trace: Trace, sites: Sequence[Site]) -> Arrays:
    """Return what a file needs so that no head waits for a server; nothing where that would be too large.

    Returns:
        `all` float32 [L, H, T_q, T_k] up to 64 tokens; else `all_keys`, `all_weights` [L, H, T_q, 20], `all_received`,
        `all_aside`.
    """
    first, is_whole = trace[sites[0].key], _longest(trace, sites) <= WHOLE
    n_heads = first.n_heads
    per_query = 4 * first.n_keys if is_whole else 6 * PAGE_TOP
    if len(sites) * n_heads * first.n_queries * per_query > PAGE_BYTES:
        return {}
    records = [trace[site.key] for site in sites]
    if is_whole:
        return {"all": torch.stack([record.weights().float() for record in records]).cpu().numpy()}  # [L, H, T_q, T_k]
    special = _special(trace, sites[0])  # [T_k]
    kept = [[long_head(record, head, special) for head in range(n_heads)] for record in records]
    names = {"all_keys": "top_keys", "all_weights": "top_weights", "all_received": "received", "all_aside": "aside"}
    arrays = {name: np.stack([[head[part] for head in layer] for layer in kept]) for name, part in names.items()}
    return arrays | {name: arrays[name][..., :PAGE_TOP] for name in ("all_keys", "all_weights")}


def _longest(trace: Trace, sites: Sequence[Site]) -> int:
    """The tokens of the longer side: what a view decides by."""
    record = trace[sites[0].key]
    return max(record.n_queries, record.n_keys)


def _special(trace: Trace, site: Site) -> Tensor:
    """Which keys the model added, the first one apart: bool [T_k]."""
    special = torch.tensor(trace.key_tokens(site).special)  # [T_k]
    special[0] = False
    return special
