"""Attention sinks: tokens to which many heads give a large part of every row, found by measurement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.heads.rows import BLOCK_BYTES, FIRST, Rows, all_row_blocks
from attnviz.core.site import Site
from attnviz.trace.trace import Trace

LARGE = 0.3  # of a row's weight, as a mean over rows: ε of Gu et al. 2025
LEAST_SHARE = 0.1  # of all heads, that give a token so much
LEAST_HEADS = 4  # that do at least
LEAST_ROWS = 4  # other tokens that can see it: fewer say little
MOST_ROWS = 256  # of a long text the last ones


@dataclass(frozen=True)
class Sinks:
    tokens: tuple[int, ...]  # keys, in the order of the text
    share: float  # of the weight of all heads, as a mean over the rows that can see another token


def sinks(trace: Trace, sites: Sequence[Site], *, only_first: bool = False) -> Sinks:
    """The sinks of a text in some attentions over the same keys, and how much of the weight they take.

    A key is a sink where its mean weight over the rows that can see it, its own left out, is above 0.3 in a tenth of
    the heads, and in four at least.

    Args:
        only_first: whether no other token than the first is asked about.
    Source: Gu et al. 2025, "When Attention Sink Emerges in Language Models", section 3.1; how many heads and rows are
    ours.
    """
    given = []  # of each attention [H, T_k]: the mean weight that each key is given
    for site in sites:
        sums, n_rows = torch.zeros(1), torch.zeros(1)
        for weights, rows in _last_rows(trace, site):
            counts = rows.visible.expand_as(weights)  # [H, R, T_k]
            if rows.queries is not None:
                counts = counts & (rows.queries[:, None] != rows.positions)
            sums, n_rows = sums + (weights * counts).sum(-2), n_rows + counts.sum(-2)  # [H, T_k] each
        given.append(torch.where(n_rows >= LEAST_ROWS, sums / n_rows.clamp_min(1), 0.0))
    every = torch.cat(given)  # [all heads, T_k]
    taken = (every > LARGE).sum(0) >= max(LEAST_HEADS, LEAST_SHARE * len(every))  # [T_k]
    if only_first:
        taken[FIRST + 1 :] = False
    return Sinks(tuple(taken.nonzero().flatten().tolist()), _share(trace, sites, taken) if taken.any() else 0.0)


def _share(trace: Trace, sites: Sequence[Site], taken: Tensor) -> float:
    """What keys [T_k] take of the rows that can see another."""
    total, n_rows = 0.0, 0
    for site in sites:
        for weights, rows in _last_rows(trace, site):
            has_other = (rows.visible & ~taken).any(-1).expand(weights.shape[:-1])  # [H, R]
            total += float(weights[..., taken].sum(-1)[has_other].double().sum())
            n_rows += int(has_other.sum())
    return total / max(n_rows, 1)


def _last_rows(trace: Trace, site: Site) -> Iterator[tuple[Tensor, Rows]]:
    """The weights [H, R, T_k] of an attention with their rows, a few at a time."""
    record = trace[site]
    for start, rows in all_row_blocks(trace, [record], BLOCK_BYTES):
        stop = start + rows.visible.shape[-2]
        if stop > record.n_queries - MOST_ROWS:
            yield record.weights(rows=slice(start, stop)).cpu(), rows
