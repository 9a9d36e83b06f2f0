"""One attention of one text, replayed: everything quadratic is computed for the head and rows that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.errors import LimitError, TraceShapeError
from attnviz.core.ops import Line
from attnviz.core.site import Site
from attnviz.core.tensor_checks import check_head
from attnviz.trace.mask import Mask, Rows, heads_of
from attnviz.trace.preview import pooled
from attnviz.trace.weight_sources import Given, QueryKey, Reader, Replay, Source, of_heads, source_of_parts

BLOCK_ROWS = 256  # whose weights are held at a time, where something is made of all of them
MATRIX_BYTES = 1 << 30  # the largest answer given at once; ask for rows, or for a preview, above it


@dataclass(frozen=True, eq=False, repr=False)
class AttentionRecord:
    """One attention of one text. `head=None` means all heads; `rows` is a slice of the queries.

    Matrices are as the formulas print them: a row is a query or a token, a column a key or a feature, so that
    softmax(q kᵀ · scale + mask) v is `context`.
    """

    site: Site
    source: Source  # Replay: q, k, v, scale, mask. Kept: the scores. Given: the weights
    # [d_model, H·d_v], as torch stores it; None where it is not known
    w_o: Tensor | None = field(default=None, repr=False)
    b_o: Tensor | None = field(default=None, repr=False)  # [d_model]
    edited: Mapping[str, Tensor] = field(default_factory=dict, repr=False)  # values that an edit changed, all heads

    def __post_init__(self) -> None:
        mask = self.source.mask
        if (mask.n_queries, mask.n_keys) != (self.n_queries, self.n_keys):
            raise TraceShapeError(
                id="mask-of-others",
                site=str(self.site),
                mask=f"{mask.n_queries} x {mask.n_keys}",
                attention=f"{self.n_queries} x {self.n_keys}",
            )

    def __repr__(self) -> str:
        width = self.source.v.shape[2]
        return f"{self.site}: {self.n_heads} heads, {self.n_queries} queries x {self.n_keys} keys, values {width} wide"

    @property
    def n_heads(self) -> int:
        return self.source.size[0]

    @property
    def n_queries(self) -> int:
        return self.source.size[1]

    @property
    def n_keys(self) -> int:
        return self.source.size[2]

    @property
    def replay(self) -> Replay:
        """The q·k source of this attention."""
        if isinstance(self.source, Given):
            raise self.source.refusal("raw")
        if not isinstance(self.source, Replay):
            raise TraceShapeError(id="no-replay", site=self.site.key)
        return self.source

    def check_head(self, head: object) -> int:
        """The number of a head of this attention, as `check_head` of the core."""
        return check_head(head, self.n_heads, self.site.key)

    def q(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """The queries as they were multiplied, after rotary positions: [R, d_k] of one head, [H, R, d_k] of all."""
        start, stop = self._rows(head, rows)
        return _of_head(self._factors.q[heads_of(head), start:stop].float(), head)

    def k(self, head: int | None = None) -> Tensor:
        """The keys that each head uses, one a row: [T_k, d_k] of one head, [H, T_k, d_k] of all."""
        self._rows(head, None)
        return _of_head(of_heads(self._factors.k, self.n_heads, heads_of(head)), head)

    def v(self, head: int | None = None) -> Tensor:
        """The values that each head uses, one a row: [T_k, d_v] of one head, [H, T_k, d_v] of all."""
        self._rows(head, None)
        return _of_head(self.source.values(heads_of(head)), head)

    @property
    def _factors(self) -> Replay | QueryKey:
        """What holds q and k; refused where the scores were read as the model made them."""
        product = None if isinstance(self.source, Replay) else self.source.product
        return self.replay if product is None else product

    def raw(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """QKᵀ: [R, T_k] of one head, [H, R, T_k] of all."""
        return self._value("raw", head, rows)

    def scores(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """QKᵀ · scale, after the soft-cap where the model has one: [R, T_k] of one head, [H, R, T_k] of all."""
        return self._value("scores", head, rows)

    def masked(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """Scores + position bias + mask, −∞ where a query cannot attend: [R, T_k] of one head, [H, R, T_k] of all."""
        return self._value("masked", head, rows)

    def weights(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """What the model used, after softmax.

        Args:
            head: which head, from 0, or from the end: -1 is the last; None for all of them.
            rows: a slice of the queries; None for all of them.
        Returns:
            float32 [R, T_k] of one head, [H, R, T_k] of all; each row sums to 1, less what a sink logit takes, and is
            all 0 for a query that can attend to nothing (`is_blocked`).
        Raises:
            InputError: no such head.
            LimitError: the answer would be larger than 1 GiB; ask for rows or for a preview.
        """
        return self._value("weights", head, rows)

    def is_blocked(self, head: int = 0) -> Tensor:
        """The queries that can attend to no key: bool [T_q]. Their weights are 0, and the screen marks them.

        Raises:
            InputError: no such head.
        """
        head = self.check_head(head)
        blocks = [
            ~torch.isfinite(self.source.mask.rows(a, b, head)[0]).any(-1) for a, b in _blocks(self.n_queries)
        ]  # [R] each
        return torch.cat(blocks)  # [T_q]

    def context(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """weights · V: [R, d_v] of one head, [H, R, d_v] of all."""
        start, stop = self._rows(head, rows)
        parts = [self.context_at(slice(a, b), head) for a, b in _blocks(stop, start)]  # [h, R, d_v] each
        return _of_head(torch.cat(parts, dim=1), head)

    def context_at(self, rows: Rows, head: int | None = None) -> Tensor:
        """weights · V of some queries, in any order, of one head (h = 1) or all: [h, R, d_v].

        Raises:
            InputError: no such head.
        """
        head = None if head is None else self.check_head(head)
        if "context" in self.edited:
            return self.edited["context"][heads_of(head), rows].float()  # [h, R, d_v]
        return ops.weigh_values(self._rows_of("weights", rows, head), self.source.values(heads_of(head)))

    def out(self, rows: slice | None = None) -> Tensor:
        """concat(context) W_O + b: [R, d_model].

        Raises:
            TraceShapeError: this trace does not hold W_O.
        """
        if "out" in self.edited:
            start, stop = self._rows(None, rows)
            return self.edited["out"][0, start:stop].float()
        b_o = None if self.b_o is None else self.b_o.float()
        return ops.project(ops.merge_heads(self.context(rows=rows)), self.known_w_o.float(), b_o)  # [R, d_model]

    @property
    def known_w_o(self) -> Tensor:
        """W_O as torch stores it, [d_model, H·d_v]; refused where this trace does not hold it."""
        if self.w_o is None:
            raise TraceShapeError(id="no-w-o", site=self.site.key)
        return self.w_o

    def preview(self, head: int, size: int = 256) -> Tensor:
        """A head's weights pooled to at most size x size cells, see `preview.pooled`; single bright cells stay."""
        return pooled(self.reader(head), self.n_queries, self.n_keys, size, self.source.v)

    def reader(self, head: int) -> Reader:
        """A function that returns a head's weights in blocks of rows; faster than `weights` where every row is read.

        Returns:
            a function of the first query and one past the last: float32 [R, n ≤ T_k], 0 for the keys behind.
        """
        self._rows(head, None)
        if isinstance(self.source, Replay) and self.source.sinks is None and not self.edited:
            return self.source.reader(head)
        return lambda start, stop: self._rows_of("weights", slice(start, stop), head)[0]  # [R, T_k]

    def parts(self) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """The record as plain values and tensors, for a file."""
        header, tensors = self.source.parts()
        mask, mask_tensors = self.source.mask.parts()
        edited = {f"edited/{name}": value for name, value in self.edited.items()}
        return header | {"mask": mask}, tensors | mask_tensors | edited

    @classmethod
    def from_parts(
        cls, site: Site, header: Mapping[str, Any], tensors: Mapping[str, Tensor], matrices: Mapping[str, Tensor]
    ) -> AttentionRecord:
        """Rebuild a record from what `parts` returned; its output matrices are among the parameters of its site."""
        source = source_of_parts(header, tensors, Mask.from_parts(header["mask"], tensors))
        edited = {name.removeprefix("edited/"): tensors[name] for name in tensors if name.startswith("edited/")}
        return cls(site, source, matrices.get("w_o"), matrices.get("b_o"), edited)

    def tensors(self) -> Iterator[Tensor]:
        """Every tensor that this record holds, without the parameters of the model."""
        yield from (*self.source.tensors.values(), *self.source.mask.tensors.values(), *self.edited.values())

    def _value(self, name: Line, head: int | None, rows: slice | None) -> Tensor:
        start, stop = self._rows(head, rows)
        n_bytes = (self.n_heads if head is None else 1) * (stop - start) * self.n_keys * 4
        if n_bytes > MATRIX_BYTES:
            raise LimitError(id="matrix-too-large", size=round(n_bytes / 2**30, 1), limit=MATRIX_BYTES // 2**30)
        return _of_head(self._rows_of(name, slice(start, stop), head), head)

    def _rows_of(self, name: Line, rows: Rows, head: int | None) -> Tensor:
        """raw, scores, masked or weights of some queries: [h, R, T_k]. An edited run holds all from its edit on."""
        if name in self.edited:
            return self.edited[name][heads_of(head), rows].float()  # [h, R, T_k]
        return (self.replay if name == "raw" else self.source).value(name, rows, head)  # [h, R, T_k]

    def _rows(self, head: int | None, rows: slice | None) -> tuple[int, int]:
        """The first query and one past the last; refuses anything else than a head and a slice."""
        if head is not None:
            self.check_head(head)
        if rows is not None and not isinstance(rows, slice):
            raise TraceShapeError(id="no-slice", rows=repr(rows))
        start, stop, step = (rows or slice(None)).indices(self.n_queries)
        if step != 1:
            raise TraceShapeError(id="slice-with-step", rows=repr(rows))
        return start, max(start, stop)


def _of_head(rows: Tensor, head: int | None) -> Tensor:
    return rows if head is None else rows[0]


def _blocks(stop: int, start: int = 0) -> Iterator[tuple[int, int]]:
    for first in range(start, max(stop, start + 1), BLOCK_ROWS):
        yield first, min(first + BLOCK_ROWS, stop)
