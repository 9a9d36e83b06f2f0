"""One head of one attention of a run, and its q, k and v as matrices with names on their axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_index
from attnviz.explanation.matrices import Axis, Colour, Matrix
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

Projection = Literal["q", "k", "v"]


@dataclass(frozen=True, eq=False)
class HeadView:
    """One head of one attention of one run, for some or all of its queries."""

    trace: Trace
    record: AttentionRecord
    head: int
    rows: slice  # start and stop of the queries

    @classmethod
    def of(cls, trace: Trace, site: str | Site, head: int = 0, rows: slice | None = None) -> HeadView:
        """The head at a site.

        Args:
            rows: some of the queries; all if not given.
        """
        record = trace[site]
        head = check_index("head", head)
        record.weights(head, slice(0, 0))  # refuses a head that is not there, in the record's own words
        start, stop, _ = (rows or slice(None)).indices(record.n_queries)
        return cls(trace, record, head, slice(start, max(start, stop)))

    @property
    def site(self) -> Site:
        return self.record.site

    @cached_property
    def queries(self) -> Axis:
        axis = token_axis(self.trace, self.trace.query_tokens(self.site), "T_q")
        return axis.sliced(self.rows.start, self.rows.stop - self.rows.start)

    @cached_property
    def keys(self) -> Axis:
        return token_axis(self.trace, self.trace.key_tokens(self.site), "T_k")

    def head_of(self, name: str) -> int:
        """Which head a matrix belongs to: K and V to the one whose keys this query head uses."""
        return self.head * len(self.record.source.v) // self.record.n_heads if name in ("k", "v") else self.head

    def key(self, name: str) -> str:
        """The key of a matrix of this head: `encoder.0.self.h1.q`."""
        return f"{self.site.key}.h{self.head_of(name)}.{name}"

    def matrix(self, name: str, values: Tensor, columns: Axis, colour: Colour = "signed") -> Matrix:
        """A matrix of this head with a row for each query."""
        return Matrix(self.key(name), name, values, self.queries, columns, colour)

    def projected(self, name: Projection) -> Tensor:
        """q, k or v of all heads that there are, as the model used them: [H | Hkv, T, d_k]."""
        if name == "v":
            return self.record.source.v  # [Hkv, T_k, d_v]
        return self.record.replay.q if name == "q" else self.record.replay.k  # [H | Hkv, T, d_k]

    def tokens(self, name: Projection) -> Axis:
        return self.queries if name == "q" else self.keys

    def of_head(self, name: Projection) -> Matrix:
        """Q, K or V of this head: [T, d_k] or [T, d_v]."""
        rows = self.tokens(name)
        own = self.projected(name)[self.head_of(name), rows.start : rows.stop]  # [T, d_k]
        columns = features(own.shape[-1], "d_v" if name == "v" else "d_k")
        return Matrix(self.key(name), name.upper(), own, rows, columns, role=name)

    def part(self, name: Projection) -> slice:
        """Where this head's columns stand among those of all heads side by side."""
        head, width = self.head_of(name), self.projected(name).shape[-1]
        return slice(head * width, (head + 1) * width)

    def of_all(self, name: Projection) -> Matrix:
        """Q, K or V of all heads side by side: [T, H·d_k]."""
        rows = self.tokens(name)
        own = ops.merge_heads(self.projected(name)[:, rows.start : rows.stop])  # [T, H·d_k]
        return Matrix(f"{self.site.key}.{name}", name.upper(), own, rows, features(own.shape[-1]), role=name)


def token_axis(trace: Trace, tokens: Tokens, letter: str = "T") -> Axis:
    """The tokens of a run's source or target."""
    names = tuple(tokens.name(index) for index in range(len(tokens)))
    return Axis("token", letter, len(tokens), names, "target" if tokens is trace.tokens.target else "source")


def features(n: int, letter: str = "d_model") -> Axis:
    return Axis("feature", letter, n)


def input_of(trace: Trace, site: Site, *, is_key: bool) -> tuple[str, Tensor]:
    """What the queries or keys of an attention are projected from: the point by name, and its values, [T, d_model]."""
    point = f"{site.stack}.{site.layer}.{'in' if site.kind == 'self' else 'mid'}"
    points = ("encoder.out",) if is_key and site.kind == "cross" else (f"{site.key}.x", point)
    for candidate in points:
        if candidate in trace.stream:
            own = trace.stream[candidate]  # [T, d_model]
            is_stream = candidate != point and point in trace.stream and torch.equal(own, trace.stream[point])
            return first_name(point if is_stream else candidate), own  # [T, d_model]
    raise StepError(
        f"This trace does not hold the input of {site} ({' or '.join(points)}), so Q, K and V cannot be written out.",
        id="no-input", site=site.key,
    )  # fmt: skip


def first_name(point: str) -> str:
    """The first name of a point of the stream: the input of a block is the output of the one before."""
    stack, _, rest = point.partition(".")
    layer, _, name = rest.partition(".")
    if name != "in":
        return point
    return f"{stack}.embed" if layer == "0" else f"{stack}.{int(layer) - 1}.out"


def input_name(point: str) -> str:
    """What the steps of an attention call the point it reads: X, its norm, or another text's vectors."""
    if point == "encoder.out":
        return "X_source"
    return {"x": "norm", "mid": "X_mid"}.get(point.rpartition(".")[2], "X")
