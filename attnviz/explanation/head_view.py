"""One head of one attention of a run, and its q, k and v as matrices with names on their axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import StepError
from attnviz.core.site import Site
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
    # Q and K of all heads before what is done to them, by name and rows; views of other heads share it.
    _plain: dict[tuple[str, int, int], Tensor] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, trace: Trace, site: str | Site, head: int = 0, rows: slice | None = None) -> HeadView:
        """The head at a site.

        Args:
            rows: some of the queries; all if not given.
        """
        record = trace[site]
        head = record.check_head(head)
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
        if name not in ("k", "v"):
            return self.head
        group = ops.kv_head(self.head, self.record.n_heads, self.n_heads_of("v"))
        return int(self.parameters["key_order"][group]) if "key_order" in self.parameters else group

    def n_heads_of(self, name: Projection) -> int:
        """How many heads of Q, K or V the model has: G of keys and values, each for H / G heads of queries. A run
        with edits holds those of a group several times.
        """
        if name != "q" and "w_v" in self.parameters:
            return len(self.parameters["w_v"]) // self.record.source.v.shape[-1]
        return self.record.n_heads if name == "q" else len(self.record.source.v)

    def key(self, name: str) -> str:
        """The key of a matrix of this head: `encoder.0.self.h1.q`."""
        return f"{self.site.key}.h{self.head_of(name)}.{name}"

    def matrix(self, name: str, values: Tensor, columns: Axis, colour: Colour = "signed") -> Matrix:
        """A matrix of this head with a row for each query."""
        return Matrix(self.key(name), name, values, self.queries, columns, colour)

    @cached_property
    def parameters(self) -> Mapping[str, Tensor]:
        """The matrices of this attention, and what is done to its queries and keys after their products."""
        matrices = self.trace.matrices
        return {**matrices.get(self.site.key, {}), **matrices.get(f"{self.site.key}_heads", {})}

    def is_rotated(self, name: Projection) -> bool:
        """Whether what the scores are made of is known to be rotated."""
        return name != "v" and "frequencies" in self.parameters

    def is_normed(self, name: Projection) -> bool:
        """Whether each head's vectors are known to be normalised after the product."""
        return name != "v" and f"{name}_gain" in self.parameters

    def projected(self, name: Projection) -> Tensor:
        """q, k or v of all heads that there are, as the model used them: [H | Hkv, T, d_k]."""
        if name == "v":
            return self.record.source.v  # [Hkv, T_k, d_v]
        return self.record.replay.q if name == "q" else self.record.replay.k  # [H | Hkv, T, d_k]

    def tokens(self, name: Projection) -> Axis:
        return self.queries if name == "q" else self.keys

    def of_head(self, name: Projection) -> Matrix:
        """Q, K or V of this head as scores and context are made of them: [T, d_k] or [T, d_v]; Q_rot and K_rot where
        they are rotated.
        """
        rows = self.tokens(name)
        kept = self.projected(name)  # [H | Hkv, T, d_k]
        of_head = kept[ops.kv_head(self.head, self.record.n_heads, len(kept)), rows.start : rows.stop]  # [T, d_k]
        columns = features(of_head.shape[-1], "d_v" if name == "v" else "d_k")
        shown = name.upper() + ("_rot" if self.is_rotated(name) else "_norm" if self.is_normed(name) else "")
        return Matrix(self.key(name), shown, of_head, rows, columns, role=name)

    def product_of_head(self, name: Projection) -> Matrix:
        """Q, K or V of this head as the product made it, before a norm and a rotation: [T, d_k] or [T, d_v]."""
        used = self.of_head(name)
        if not (self.is_rotated(name) or self.is_normed(name)):
            return used
        of_head = self._product(name)[:, self.part(name)]  # [T, d_k]
        return Matrix(f"{used.key}.product", name.upper(), of_head, used.rows, used.columns, role=name)

    def _product(self, name: Projection) -> Tensor:
        """X · W of all heads side by side: [T, H·d_k]."""
        rows = self.tokens(name)
        place = (name, rows.start, rows.stop)
        if place not in self._plain:
            _, x = input_of(self.trace, self.site, is_key=name != "q")  # [T, d_model]
            weight, bias = self.parameters[f"w_{name}"], self.parameters.get(f"b_{name}")  # [H·d_k, d_model], [H·d_k]
            read = x[rows.start : rows.stop].float().cpu()  # [T, d_model]
            self._plain[place] = ops.project(read, weight.float().cpu(), None if bias is None else bias.float().cpu())
        return self._plain[place]

    def part(self, name: Projection) -> slice:
        """Where this head's columns stand among those of all heads side by side."""
        head, width = self.head_of(name), self.projected(name).shape[-1]
        return slice(head * width, (head + 1) * width)

    def of_all(self, name: Projection) -> Matrix:
        """Q, K or V of all heads side by side: [T, H·d_k]."""
        rows, key = self.tokens(name), f"{self.site.key}.{name}"
        if self.is_rotated(name) or self.is_normed(name):
            made = self._product(name)  # [T, H·d_k]
        else:
            kept = self.projected(name)  # [H | Hkv, T, d_k]
            each = kept[:: len(kept) // self.n_heads_of(name), rows.start : rows.stop]  # [H | G, T, d_k]
            if name != "q" and "key_order" in self.parameters:
                each = each[self.parameters["key_order"].argsort()]  # [G, T, d_k]
            made = ops.merge_heads(each)  # [T, H·d_k]
        return Matrix(key, name.upper(), made, rows, features(made.shape[-1], self._letter(name, made)), role=name)

    def _letter(self, name: Projection, made: Tensor) -> str:
        """How wide all heads are side by side: G heads of keys and values where those are fewer than of queries."""
        out = self.record.w_o  # [d_model, H·d_v]
        if self.n_heads_of(name) < self.record.n_heads:
            return "G·d_v" if name == "v" else "G·d_k"
        is_as_wide = out is None or made.shape[-1] == len(out)
        return "d_model" if is_as_wide else "H·d_v" if name == "v" else "H·d_k"


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
            x = trace.stream[candidate]  # [T, d_model]
            is_stream = candidate != point and point in trace.stream and torch.equal(x, trace.stream[point])
            return first_name(point if is_stream else candidate), x  # [T, d_model]
    raise StepError(id="no-input", site=site.key)


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
