"""Two heads on one text: both maps by the same units, A less B, and where they differ most."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.compare.distances import correlations, cosines, js_rows
from attnviz.analysis.compare.merged import merged_blocks
from attnviz.analysis.compare.self_attention_heads import Head, counted
from attnviz.analysis.compare.units import Units, common_units
from attnviz.core.errors import InputError, LimitError
from attnviz.trace.trace import Trace

MOST_CELLS = 1 << 22  # of one map: 2,048 words a side


@dataclass(frozen=True, eq=False)
class Difference:
    """A head of A beside a head of B."""

    head_a: Head
    head_b: Head
    queries: Units
    keys: Units
    a: Tensor = field(repr=False)  # float32 [Q, K], rows sum to 1
    b: Tensor = field(repr=False)  # float32 [Q, K]
    left_out_a: Tensor = field(repr=False)  # float32 [Q], the share of each row on tokens that B does not have
    left_out_b: Tensor = field(repr=False)  # float32 [Q]
    js_of_rows: Tensor = field(repr=False)  # float64 [Q], bits; NaN for a row that does not count
    js: float  # the mean of those that count, bits; NaN if none does
    cosine: float  # of the two maps, over the rows that count and the cells that either head looks at
    correlation: float  # Pearson's, over the same cells; NaN where one map is the same everywhere

    @property
    def signed(self) -> Tensor:
        """A less B: float32 [Q, K], from -1 to 1."""
        return self.a - self.b

    @property
    def largest(self) -> float:
        """The largest difference of one cell, without its sign."""
        return float(self.signed.abs().max())

    def most(self, n: int = 5) -> pd.DataFrame:
        """The cells that differ most, the largest first: `query`, `key`, `a`, `b`, `difference` (A less B).

        Counted from 0; `query_text` and `key_text` name the units.
        """
        signed = self.signed
        flat = signed.abs().flatten()
        order = torch.sort(flat, descending=True, stable=True).indices[: min(n, len(flat))].tolist()
        width = signed.shape[1]
        rows = [(at // width, at % width) for at in order]
        return pd.DataFrame(
            {
                "query": [q for q, _ in rows], "key": [k for _, k in rows],
                "query_text": [self.queries.each[q].text for q, _ in rows],
                "key_text": [self.keys.each[k].text for _, k in rows],
                "a": [float(self.a[q, k]) for q, k in rows], "b": [float(self.b[q, k]) for q, k in rows],
                "difference": [float(signed[q, k]) for q, k in rows],
            }
        )  # fmt: skip


def difference(trace_a: Trace, head_a: Head, trace_b: Trace, head_b: Head) -> Difference:
    """Lay one head of A over one of B.

    Raises:
        InputError: the queries or the keys of the two are different texts; the message says which.
        TraceShapeError: there is no such head.
        LimitError: the maps have more than MOST_CELLS cells.
    """
    queries = _units(trace_a, head_a, trace_b, head_b, "queries")
    keys = _units(trace_a, head_a, trace_b, head_b, "keys")
    if len(queries) * len(keys) > MOST_CELLS:
        raise LimitError(
            f"A difference map of {len(queries)} x {len(keys)} words is too large. Expected at most {MOST_CELLS} "
            "cells; compare a shorter text.",
            id="difference-too-large", rows=len(queries), columns=len(keys), most=MOST_CELLS,
        )  # fmt: skip
    a, left_out_a = _map(trace_a, head_a, queries, keys, "a")
    b, left_out_b = _map(trace_b, head_b, queries, keys, "b")
    rows = counted(a[None], b[None])  # [Q]
    js_of_rows = js_rows(a, b).masked_fill(~rows, float("nan"))
    if not rows.any():
        nothing = float("nan")
        return Difference(
            head_a, head_b, queries, keys, a, b, left_out_a, left_out_b, js_of_rows, nothing, nothing, nothing
        )
    seen = ((a > 0) | (b > 0)) & rows[:, None]  # [Q, K]
    cells_a, cells_b = a[seen][None], b[seen][None]  # [1, cells]
    return Difference(
        head_a, head_b, queries, keys, a, b, left_out_a, left_out_b, js_of_rows, float(js_of_rows[rows].mean()),
        float(cosines(cells_a, cells_b)), float(correlations(cells_a, cells_b)),
    )  # fmt: skip


def _units(trace_a: Trace, head_a: Head, trace_b: Trace, head_b: Head, axis: str) -> Units:
    sites = trace_a[head_a.site].site, trace_b[head_b.site].site
    tokens = [
        trace.query_tokens(site) if axis == "queries" else trace.key_tokens(site)
        for trace, site in zip((trace_a, trace_b), sites, strict=True)
    ]
    try:
        return common_units(tokens[0], tokens[1])
    except InputError as error:
        if error.id != "texts-differ":
            raise
        raise InputError(
            f"{head_a} and {head_b} have different {axis}: “{_short(tokens[0].source)}” and "
            f"“{_short(tokens[1].source)}”. Compare heads that read the same text.",
            id=f"{axis}-differ", a=_short(tokens[0].source), b=_short(tokens[1].source),
        ) from None  # fmt: skip


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _map(trace: Trace, head: Head, queries: Units, keys: Units, side: str) -> tuple[Tensor, Tensor]:
    record = trace[head.site]
    record.weights(head.head, slice(0, 0))  # says so when there is no such head
    blocks = list(merged_blocks(record, queries.side(side), keys.side(side), head=head.head))
    return torch.cat([it.weights[0] for it in blocks]), torch.cat([it.left_out[0] for it in blocks])
