"""Why a head gives a token its score: the score as a sum over pairs of writers.

score = scale · q·k, and q and k are each linear in what was written into the residual stream at their token. So the
score is a sum over pairs: one writer's part of the query times another's part of the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import pandas as pd
import torch
from torch import Tensor

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.circuits.decomposition import Parts, Through, check_precision, parts_of, run_frozen
from attnviz.analysis.circuits.frozen_run import not_exact
from attnviz.analysis.circuits.writers import Writer, places
from attnviz.core import ops
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_choice, check_token
from attnviz.trace import display_mixin
from attnviz.trace.display_mixin import Tabled
from attnviz.trace.rerun import rerun_of
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import QueryKey, Replay

TOLERANCE = 1e-5  # of the largest part, or of the score
Side = Literal["query", "key"]
By = Literal["pair", "query", "key"]


@dataclass(frozen=True, eq=False, repr=False)
class Why(Tabled):
    """One score as a sum over pairs of writers."""

    site: str
    head: int
    query: int
    key: int
    score: float  # scale · q·k, as the run had it, before a soft-cap
    final: float  # the input of the softmax: after the soft-cap, with the position bias
    softcap: float | None
    bias: float  # of the two positions, added after the soft-cap: T5, ALiBi
    queries: tuple[Writer, ...] = field(repr=False)  # who wrote the query
    keys: tuple[Writer, ...] = field(repr=False)  # who wrote the key
    parts: Tensor = field(repr=False)  # float64 [queries, keys], sums to `score`
    difference: float  # of that sum from the score, at most `bound`
    bound: float  # how much rounding may make of it: 1e-5 of the largest part, or of |query| · |key| · scale
    trace: Trace = field(repr=False)
    scaled: dict[Side, Tensor] = field(repr=False)  # what a part of that side is multiplied by: float64 [d_k]
    through: dict[Side, Mapping[str, Through]] = field(repr=False)

    def frame(self, by: By = "pair") -> pd.DataFrame:
        """The parts, the largest first.

        Args:
            by: "pair", or the sum over one side.
        Returns:
            `value` and `share` of the score, and who made it: of a side its `kind`, `site`, `layer`, `head`, label and
            `token`; of a pair both, as `query_kind` … and `key_kind` …. The values sum to `score`.
        """
        check_choice("by", by, get_args(By))
        sides = {
            "query": places(self.queries).assign(token=self.query), "key": places(self.keys).assign(token=self.key)
        }  # fmt: skip
        if by == "pair":
            pairs = sides["query"].add_prefix("query_").merge(sides["key"].add_prefix("key_"), how="cross")
            pairs["value"] = self.parts.flatten().numpy()
        else:
            pairs = sides[by].assign(value=self.parts.sum(1 if by == "query" else 0).numpy())
        pairs["share"] = pairs["value"] / self.score if self.score else 0.0
        return largest_first(pairs)

    def heading(self) -> str:
        n = len(self.queries) * len(self.keys)
        place = f"{self.site}, head {self.head}, token {self.query} on token {self.key}"
        return f"score of {place}: {self.score:.4g}, the sum of {n} parts within {self.bound:.2g}"

    def figure(self, n: int = 12, **options: Any) -> Any:
        """The n largest parts as bars, a plotly figure: `av.figures.ledger`."""
        return display_mixin.figures().ledger(self, n, **options)

    def sources(self, side: Side = "key") -> pd.DataFrame:
        """What the heads wrote here, by the token they attended to, the largest first.

        Returns:
            columns `kind` (head), `site`, `layer`, `head`, `token` (position, from 0), `weight` of the head there,
            `value`; the values of a head sum to its value in `frame(by=side)`.
        """
        check_choice("side", side, get_args(Side))
        at = self.query if side == "query" else self.key
        return by_source(self.trace, self.through[side], at, self.scaled[side])


def by_source(trace: Trace, through: Mapping[str, Through], position: int, factor: Tensor) -> pd.DataFrame:
    """What each head wrote at a token, by the token it attended to, the largest first; `through` by site.

    factor: float64 [n], the weights of the n numbers in the sum. Columns as of `Why.sources`.
    """
    rows = []
    for site, way in through.items():
        record = trace[site]
        for head in range(record.n_heads):
            weights = record.weights(head, slice(position, position + 1))[0]  # [T_k]
            moved = weights[:, None] * record.source.values(slice(head, head + 1))[0]  # [T_k, d_v]
            width = moved.shape[1]
            alone = moved.new_zeros(len(moved), record.n_heads * width)  # [T_k, H·d_v]
            alone[:, head * width : (head + 1) * width] = moved
            parts = (way(alone) @ factor).tolist()  # [T_k]
            itself = ("head", site, record.site.layer, head)
            rows += [(*itself, at, *numbers) for at, numbers in enumerate(zip(weights.tolist(), parts, strict=True))]
    return largest_first(pd.DataFrame(rows, columns=["kind", "site", "layer", "head", "token", "weight", "value"]))


def largest_first(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values("value", key=lambda value: -value.abs(), kind="stable", ignore_index=True)


def why(trace: Trace, site: str | Site, head: int, query: int, key: int) -> Why:
    """Decompose a score: which pairs of writers make a query match a key.

    Writers are the embedding, positions, token types, every earlier head and feed-forward, and every bias. Query and
    key are taken after rotation, as they were multiplied; norms keep the scale they had in the run. A position bias
    (T5, ALiBi) and the soft-cap apply to the whole sum and are given beside it.

    >>> import attnviz as av
    >>> trace = av.load("induction").trace("a b c a b")
    >>> why = av.why(trace, "decoder.1.self", head=0, query=4, key=2)
    >>> why.frame("key")["writer"].iloc[0]  # of the largest part
    'head decoder.0.self 0'

    Args:
        trace: an untouched run of a model that is loaded in float32.
        site: such as "decoder.1.self". head: from 0. query, key: from 0, or from the end: -1 is the last.
    Returns:
        parts that sum to the score within `bound`, 1e-5 of the largest part, or of |query| · |key| · scale where that
        is more: query and key were multiplied in float32, and a score may be the small rest of large terms.
    Raises:
        InputError: no such head or token, or a key that the mask hides. TraceShapeError: no such site.
        StepError: the model is not loaded, or in half precision, or its scores are no such sum.
    Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section "Attention heads".
    """
    check_trace(trace)
    record = trace[site]
    name = record.site.key
    head = record.check_head(head)
    query, key = check_token(query, record.n_queries, "query"), check_token(key, record.n_keys, "key")
    raw = float(record.masked(head, slice(query, query + 1))[0, key])
    if raw == -torch.inf:
        raise InputError(  # tokens count from 0 here, from 1 on a page
            id="hidden-by-mask", query=query + 1, key=key + 1, at=query, key_at=key,
        )  # fmt: skip
    product = product_of(trace, name)
    check_precision(rerun_of(trace))
    frozen, _ = run_frozen(trace, name)
    scale, softcap = product.scale_of(head), product.softcap if isinstance(product, Replay) else None
    if name not in frozen.queries:
        raise not_exact(f"a score of {name}")
    group = ops.kv_head(head, record.n_heads, frozen.keys[name].shape[1])
    sides: dict[Side, Parts] = {
        "query": parts_of(frozen, frozen.queries[name][0, head, query], query),
        "key": parts_of(frozen, frozen.keys[name][0, group, key], key),
    }
    q, k = sides["query"].parts, sides["key"].parts  # [W, d_k] each
    parts = ops.scale_scores(ops.raw_scores(q, k), scale)  # [queries, keys]
    score = run_score(trace, name, head, query, key)
    whole = abs(scale) * float(q.sum(0).norm() * k.sum(0).norm())  # of which the score may be a small rest
    bound = TOLERANCE * max(float(parts.abs().max()), abs(score), whole)
    difference = abs(float(parts.sum()) - score)
    if difference > bound:
        raise not_exact(f"a score of {name}")
    capped = score if softcap is None else softcap * float(torch.tanh(torch.tensor(score / softcap)))
    return Why(
        name, head, query, key, score, raw, softcap, raw - capped, sides["query"].writers, sides["key"].writers, parts,
        difference, bound, trace, {"query": k.sum(0) * scale, "key": q.sum(0) * scale},
        {side: parts.through for side, parts in sides.items()},
    )  # fmt: skip


def product_of(trace: Trace, site: str) -> Replay | QueryKey:
    """The q and k that a site multiplied, and their scale; refused where scores are not q·k."""
    source = trace[site].source
    product = source if isinstance(source, Replay) else source.product
    if product is None:
        raise not_exact(f"a score of {site}")
    return product


def run_score(trace: Trace, site: str, head: int, query: int, key: int) -> float:
    """scale · q·k of the run, before the soft-cap."""
    product = product_of(trace, site)
    k = product.k[ops.kv_head(head, trace[site].n_heads, len(product.k)), key]  # [d_k]
    return float(product.q[head, query].double() @ k.double()) * product.scale_of(head)
