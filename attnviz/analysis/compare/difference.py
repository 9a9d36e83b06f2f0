"""Two heads: both maps over the same units, A minus B, and where they differ most."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.compare.distances import correlations, cosines, js_rows
from attnviz.analysis.compare.self_attention_heads import Head, comparable_rows, units_of
from attnviz.analysis.compare.unit_weights import unit_weights
from attnviz.analysis.compare.units import Units
from attnviz.core.errors import InputError, LimitError
from attnviz.trace import display_mixin
from attnviz.trace.display_mixin import shortened
from attnviz.trace.run_facts import About
from attnviz.trace.trace import Trace

MOST_CELLS = 1 << 22  # of one map: 2,048 words a side


@dataclass(frozen=True, eq=False)
class Difference:
    head_a: Head
    head_b: Head
    queries: Units
    keys: Units
    a: Tensor = field(repr=False)  # float32 [Q, K], rows sum to 1
    b: Tensor = field(repr=False)  # float32 [Q, K]
    left_out_a: Tensor = field(repr=False)  # float32 [Q], the share of each row on tokens without a unit
    left_out_b: Tensor = field(repr=False)  # float32 [Q]
    js: float  # mean over the rows that count, bits; NaN if there is none
    cosine: float  # of the maps, over the rows that count and the cells with weight in either
    correlation: float  # Pearson's, over the same cells; NaN if one map is constant
    about: tuple[About, ...] = field(default=(), repr=False)  # of A and of B, as `Trace.about`

    @property
    def signed(self) -> Tensor:
        """A minus B: float32 [Q, K], from -1 to 1."""
        return self.a - self.b

    @property
    def largest(self) -> float:
        return float(self.signed.abs().max())

    def figure(self, **options: Any) -> Any:
        """A − B as a plotly figure: `av.figures.difference`."""
        return display_mixin.figures().difference(self, **options)

    def most(self, n: int = 5) -> pd.DataFrame:
        """The n cells that differ most: `query`, `key` (from 0), their texts, `a`, `b`, `difference` (A minus B)."""
        order = torch.sort(self.signed.abs().flatten(), descending=True, stable=True).indices[:n]
        query, key = (places.tolist() for places in (order // len(self.keys), order % len(self.keys)))
        values = {name: matrix.flatten()[order].tolist() for name, matrix in
                  (("a", self.a), ("b", self.b), ("difference", self.signed))}  # fmt: skip
        texts = {"query_text": [self.queries.each[at].text for at in query],
                 "key_text": [self.keys.each[at].text for at in key]}  # fmt: skip
        return pd.DataFrame({"query": query, "key": key, **texts, **values})


def difference(trace_a: Trace, head_a: Head, trace_b: Trace, head_b: Head) -> Difference:
    """Compare one head of A with one of B, which read the same text in at most MOST_CELLS cells."""
    queries = _units(trace_a, head_a, trace_b, head_b, "queries")
    keys = _units(trace_a, head_a, trace_b, head_b, "keys")
    if len(queries) * len(keys) > MOST_CELLS:
        raise LimitError(id="difference-too-large", rows=len(queries), columns=len(keys), most=MOST_CELLS)
    a, left_out_a = _map(trace_a, head_a, queries, keys, "a")
    b, left_out_b = _map(trace_b, head_b, queries, keys, "b")
    rows = comparable_rows(a[None], b[None])  # [Q]
    means = (float("nan"),) * 3
    if rows.any():
        seen = ((a > 0) | (b > 0)) & rows[:, None]  # [Q, K]
        cells = a[seen][None], b[seen][None]  # [1, cells]
        means = float(js_rows(a, b)[rows].mean()), float(cosines(*cells)), float(correlations(*cells))
    about = trace_a.about, trace_b.about
    return Difference(head_a, head_b, queries, keys, a, b, left_out_a, left_out_b, *means, about)


def _units(trace_a: Trace, head_a: Head, trace_b: Trace, head_b: Head, axis: str) -> Units:
    sites = trace_a[head_a.site].site, trace_b[head_b.site].site
    tokens = [
        trace.query_tokens(site) if axis == "queries" else trace.key_tokens(site)
        for trace, site in zip((trace_a, trace_b), sites, strict=True)
    ]
    try:
        return units_of(trace_a, trace_b, *tokens)
    except InputError as error:
        if error.id != "texts-differ":
            raise
        a, b = (shortened(text.source) for text in tokens)
        raise InputError(id="queries-differ" if axis == "queries" else "keys-differ", a=a, b=b) from None


def _map(trace: Trace, head: Head, queries: Units, keys: Units, side: str) -> tuple[Tensor, Tensor]:
    record = trace[head.site]
    weights, left_out = unit_weights(record, queries.side(side), keys.side(side), record.check_head(head.head))
    return weights[0], left_out[0]
