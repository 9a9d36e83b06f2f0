"""The attentions of a trace that read its text: those whose queries and keys are both the source's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.compare.distances import counted_rows
from attnviz.analysis.compare.merged import BLOCK_BYTES, merged_blocks
from attnviz.analysis.compare.units import Units
from attnviz.core.errors import LimitError
from attnviz.core.site import Site
from attnviz.trace.trace import Trace

MOST_BYTES = 512 << 20  # of the weights of all heads of both sides by units


@dataclass(frozen=True, order=True)
class Head:
    """One head of a model, counted from 0."""

    site: str
    head: int

    def __str__(self) -> str:
        return f"{self.site} head {self.head}"


def reading_sites(trace: Trace) -> tuple[Site, ...]:
    """Where a trace's source attends to itself: an encoder's layers, or those of a decoder without a second text."""
    own = trace.tokens.source
    return tuple(site for site in trace.sites if trace.query_tokens(site) is own and trace.key_tokens(site) is own)


def heads_of(trace: Trace, sites: Sequence[Site] | None = None) -> tuple[Head, ...]:
    """All heads at some sites, those that read the text if none are given."""
    chosen = reading_sites(trace) if sites is None else sites
    return tuple(Head(site.key, head) for site in chosen for head in range(trace[site].n_heads))


def maps_of(trace: Trace, units: Units, side: str) -> tuple[Tensor, Tensor]:
    """All heads of a trace that read its text, by units.

    Args:
        side: "a" or "b", whose tokens the units are made of here.
    Returns:
        weights [H, U, U] with rows that sum to 1, and the share of each row that lay on tokens of no unit, [H, U].
    Raises:
        LimitError: the maps would take more than MOST_BYTES.
    """
    groups, sites = units.side(side), reading_sites(trace)
    n_heads = sum(trace[site].n_heads for site in sites)
    n_bytes = 4 * n_heads * len(units) ** 2
    if n_bytes > MOST_BYTES:
        raise LimitError(
            f"All heads of {trace.card.name} over {len(units)} words would take {n_bytes >> 20} MB. Expected at most "
            f"{MOST_BYTES >> 20} MB; compare a shorter text.",
            id="compare-too-large", model=trace.card.name, n=len(units), megabytes=n_bytes >> 20, most=MOST_BYTES >> 20,
        )  # fmt: skip
    maps = torch.empty(n_heads, len(units), len(units))  # [H, U, U]
    left_out = torch.empty(n_heads, len(units))  # [H, U]
    first = 0
    for site in sites:
        record, row = trace[site], 0
        for block in merged_blocks(record, groups, groups, block_bytes=BLOCK_BYTES):
            stop = row + block.weights.shape[1]
            maps[first : first + record.n_heads, row:stop] = block.weights
            left_out[first : first + record.n_heads, row:stop] = block.left_out
            row = stop
        first += record.n_heads
    return maps, left_out


def counted(*maps: Tensor) -> Tensor:
    """The rows that count for both sides: bool [U]. A row says nothing where no head of either side has a choice."""
    both = [counted_rows(each) for each in maps]
    filled = [(each.sum(-1) > 0).all(0) for each in maps]  # no head of a side is without weight on units there
    return torch.stack(both).any(0) & torch.stack(filled).all(0)
