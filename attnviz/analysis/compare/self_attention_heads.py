"""The self-attention of a trace's source text: its sites, heads and maps."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.analysis.compare.distances import rows_with_choice
from attnviz.analysis.compare.unit_weights import unit_weights
from attnviz.analysis.compare.units import Units, aligned_units, common_units
from attnviz.core.errors import LimitError
from attnviz.core.site import Site
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

MOST_BYTES = 512 << 20  # of the weights of all heads of one side over units


@dataclass(frozen=True, order=True)
class Head:
    site: str
    head: int

    def __str__(self) -> str:
        return f"{self.site} head {self.head}"


def self_attention_sites(trace: Trace) -> tuple[Site, ...]:
    """The sites where the source attends to itself: an encoder's, or those of a decoder without a source."""
    read = trace.tokens.source
    return tuple(site for site in trace.sites if trace.query_tokens(site) is read and trace.key_tokens(site) is read)


def heads_of(trace: Trace) -> tuple[Head, ...]:
    return tuple(Head(site.key, head) for site in self_attention_sites(trace) for head in range(trace[site].n_heads))


def units_of(trace_a: Trace, trace_b: Trace, tokens_a: Tokens, tokens_b: Tokens) -> Units:
    """The units of tokens of two runs: aligned where one model read two texts, else common to both tokenizations."""
    is_aligned = is_one_model(trace_a, trace_b) and not tokens_a.is_of_text(tokens_b)
    return aligned_units(tokens_a, tokens_b) if is_aligned else common_units(tokens_a, tokens_b)


def is_one_model(trace_a: Trace, trace_b: Trace) -> bool:
    return (trace_a.card.id, trace_a.card.revision) == (trace_b.card.id, trace_b.card.revision)


def maps_of(trace: Trace, units: Units, side: str) -> tuple[Tensor, Tensor]:
    """The maps of all heads of `self_attention_sites` over units, on side "a" or "b" of them.

    Returns:
        weights [H, U, U] with rows that sum to 1, and the share of each row on tokens without a unit, [H, U].
    Raises:
        LimitError: the maps would take more than MOST_BYTES.
    """
    groups, sites = units.side(side), self_attention_sites(trace)
    n_heads = sum(trace[site].n_heads for site in sites)
    n_bytes = 4 * n_heads * len(units) ** 2
    if n_bytes > MOST_BYTES:
        raise LimitError(
            id="compare-too-large", model=trace.card.name, n=len(units), megabytes=n_bytes >> 20, most=MOST_BYTES >> 20
        )
    maps = torch.empty(n_heads, len(units), len(units))  # [H, U, U]
    left_out = torch.empty(n_heads, len(units))  # [H, U]
    first = 0
    for site in sites:
        last = first + trace[site].n_heads
        maps[first:last], left_out[first:last] = unit_weights(trace[site], groups, groups)
        first = last
    return maps, left_out


def comparable_rows(*maps: Tensor) -> Tensor:
    """The rows that count, bool [U]: some head has a choice of keys, and every head has weight on some unit."""
    have_choice = [rows_with_choice(each) for each in maps]
    have_weight = [(each.sum(-1) > 0).all(0) for each in maps]
    return torch.stack(have_choice).any(0) & torch.stack(have_weight).all(0)
