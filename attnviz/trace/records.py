"""One attention of one text, replayed: only q, k, v and the mask's rule are held; everything quadratic is computed
for the head and rows that are asked for, in float32, with the arithmetic of `ops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.checks import shape
from attnviz.core.errors import LimitError, TraceShapeError
from attnviz.core.masks import Mask
from attnviz.core.site import Site
from attnviz.trace.preview import Rows, plain_rows, pooled
from attnviz.trace.qk import QueryKey, of_heads

BLOCK_ROWS = 256  # rows held at a time while a preview streams
MATRIX_BYTES = 1 << 30  # the largest answer given at once; ask for rows, or for a preview, above it


@dataclass(frozen=True, eq=False)
class Replay:
    """The linear source: what scores are made from."""

    q: Tensor  # [H, Tq, Dh]
    k: Tensor  # [Hkv, Tk, Dh], grouped heads kept grouped
    v: Tensor  # [Hkv, Tk, Dv]
    scale: float
    mask: Mask
    softcap: float | None = None
    sinks: Tensor | None = None  # [H]

    def scores(self, heads: slice, start: int, stop: int) -> Tensor:
        """Scaled (and capped) scores of some heads and rows: [h, R, Tk]."""
        return self.scaled(self.raw(heads, start, stop))  # [h, R, Tk]

    def scaled(self, raw: Tensor) -> Tensor:
        """What this attention makes of QKᵀ before the mask: any shape, the same comes back."""
        scores = ops.scale_scores(raw, self.scale)
        return scores if self.softcap is None else ops.cap_scores(scores, self.softcap)

    def raw(self, heads: slice, start: int, stop: int) -> Tensor:
        """QKᵀ of some heads and rows: [h, R, Tk]."""
        keys = of_heads(self.k, self.q.shape[0], heads)  # [h, Tk, Dh]
        return ops.raw_scores(self.q[heads, start:stop].float(), keys)  # [h, R, Tk]

    def values(self, heads: slice) -> Tensor:
        """The values of some heads: [h, Tk, Dv]."""
        return of_heads(self.v, self.q.shape[0], heads)  # [h, Tk, Dv]


@dataclass(frozen=True, eq=False)
class Kept:
    """The quadratic source, for models whose score is not q·k alone (DeBERTa, ALiBi by hand): the scores themselves."""

    kept: Tensor  # [H, Tq, Tk], scaled, before the mask
    v: Tensor  # [H, Tk, Dv]
    mask: Mask
    sinks: Tensor | None = None  # [H]
    product: QueryKey | None = None  # the q·k in them; None where they are no such product, or it was not seen

    def scores(self, heads: slice, start: int, stop: int) -> Tensor:
        """The scores of some heads and rows: [h, R, Tk]."""
        return self.kept[heads, start:stop].float()  # [h, R, Tk]

    def values(self, heads: slice) -> Tensor:
        """The values of some heads: [h, Tk, Dv]."""
        return self.v[heads].float()  # [h, Tk, Dv]


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """One attention of one text. `head=None` means all heads; `rows` is a slice of the queries."""

    site: Site
    source: Replay | Kept
    w_o: Tensor | None = field(default=None, repr=False)  # [D, H·Dv], as torch stores it; None where it is not known
    b_o: Tensor | None = field(default=None, repr=False)  # [D]
    edited: Mapping[str, Tensor] = field(default_factory=dict, repr=False)  # values that an edit changed, all heads

    def __post_init__(self) -> None:
        mask = self.source.mask
        if (mask.n_queries, mask.n_keys) != (self.n_queries, self.n_keys):
            raise TraceShapeError(
                f"{self.site}: the mask is for {mask.n_queries} x {mask.n_keys} tokens and the attention has "
                f"{self.n_queries} x {self.n_keys}."
            )
        if isinstance(self.source, Replay) and self.source.q.shape[0] % self.source.k.shape[0]:
            raise TraceShapeError(
                f"{self.site}: {self.source.q.shape[0]} query heads cannot share "
                f"{self.source.k.shape[0]} key heads evenly (q {shape(self.source.q)}, k {shape(self.source.k)})."
            )

    @property
    def n_heads(self) -> int:
        return self.q_or_scores.shape[0]

    @property
    def n_queries(self) -> int:
        return self.q_or_scores.shape[1]

    @property
    def n_keys(self) -> int:
        return self.source.v.shape[1]

    @property
    def q_or_scores(self) -> Tensor:
        return self.source.q if isinstance(self.source, Replay) else self.source.kept

    @property
    def replay(self) -> Replay:
        """The q·k source of this attention.

        Raises:
            TraceShapeError: the scores were read as the model made them, so there is none.
        """
        if not isinstance(self.source, Replay):
            raise TraceShapeError(
                f"The scores of {self.site} were read as this model made them, not made again from queries and keys; "
                "the scores and what follows them can be shown.",
                id="no-replay", site=self.site.key,
            )  # fmt: skip
        return self.source

    def raw(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """QKᵀ: [R, Tk] of one head, [H, R, Tk] of all."""
        heads, start, stop = self._range(head, rows)
        if "raw" in self.edited:
            return self._squeeze(self.edited["raw"][heads, start:stop].float(), head)
        return self._squeeze(self.replay.raw(heads, start, stop), head)

    def scores(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """QKᵀ · scale, after the soft-cap where the model has one: [R, Tk] of one head, [H, R, Tk] of all."""
        heads, start, stop = self._range(head, rows)
        return self._squeeze(self._scores(heads, start, stop), head)

    def masked(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """Scores + position bias + mask, −∞ where a query may not look: [R, Tk] of one head, [H, R, Tk] of all."""
        heads, start, stop = self._range(head, rows)
        return self._squeeze(self._masked(heads, start, stop, head), head)

    def weights(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """What the model used, after softmax.

        Args:
            head: which head, from 0; None for all of them.
            rows: a slice of the queries; None for all of them.
        Returns:
            float32 [R, Tk] of one head, [H, R, Tk] of all; each row sums to 1, less what a sink logit takes, and is
            all 0 for a query that may look at nothing (`is_blocked`).
        Raises:
            TraceShapeError: no such head.
            LimitError: the answer would be larger than 1 GiB; ask for rows or for a preview.
        """
        heads, start, stop = self._range(head, rows)
        return self._squeeze(self._weights(heads, start, stop, head), head)

    def is_blocked(self, head: int = 0) -> Tensor:
        """The queries with no allowed key: bool [Tq]. Their weights are 0 and the screen marks them."""
        blocks = [
            ~torch.isfinite(self.source.mask.rows(a, b, head)[0]).any(-1) for a, b in _blocks(self.n_queries)
        ]  # [R] each
        return torch.cat(blocks)  # [Tq]

    def context(self, head: int | None = None, rows: slice | None = None) -> Tensor:
        """weights · V: [R, Dv] of one head, [H, R, Dv] of all."""
        heads, start, stop = self._range(head, rows, quadratic=False)
        if "context" in self.edited:
            return self._squeeze(self.edited["context"][heads, start:stop].float(), head)
        values = self.source.values(heads)  # [h, Tk, Dv]
        parts = [
            ops.weigh_values(self._weights(heads, a, b, head), values) for a, b in _blocks(stop, start)
        ]  # [h, R, Dv] each
        return self._squeeze(torch.cat(parts, dim=1), head)

    def out(self, rows: slice | None = None) -> Tensor:
        """concat(context) W_O + b: [R, D].

        Raises:
            TraceShapeError: this trace does not hold W_O.
        """
        if self.w_o is None:
            raise TraceShapeError(f"This trace does not hold W_O of {self.site}.", id="no-w-o", site=self.site.key)
        b_o = None if self.b_o is None else self.b_o.float()
        return ops.project(ops.merge_heads(self.context(rows=rows)), self.w_o.float(), b_o)  # [R, D]

    def preview(self, head: int, size: int = 256, reduce: Literal["max", "mean"] = "max") -> Tensor:
        """A head's weights pooled to at most size x size, in memory that does not grow with the text.

        Args:
            head: which head, from 0.
            size: the longest side, in cells.
            reduce: "max" keeps single bright cells; "mean" shows mass.
        Returns:
            float32 [min(Tq, size), min(Tk, size)]; cell r, c pools queries ⌊r·Tq/size⌋ up to ⌈(r+1)·Tq/size⌉.
        """
        return pooled(self.reader(head), self.n_queries, self.n_keys, size, reduce, self.source.v)

    def reader(self, head: int) -> Rows:
        """What gives a head's weights a block of rows at a time: faster than `weights`, for who reads all of them.

        Returns:
            a function of the first query and one past the last: float32 [R, n ≤ Tk], 0 for the keys behind; good until
            it is called again.
        """
        heads, _, _ = self._range(head, None, quadratic=False)
        plain = plain_rows(self.source, head) if isinstance(self.source, Replay) and not self.edited else None
        return plain or (lambda start, stop: self._weights(heads, start, stop, head)[0])  # [R, Tk]

    def _scores(self, heads: slice, start: int, stop: int) -> Tensor:
        if "scores" in self.edited:
            return self.edited["scores"][heads, start:stop].float()  # [h, R, Tk]
        return self.source.scores(heads, start, stop)  # [h, R, Tk]

    def _masked(self, heads: slice, start: int, stop: int, head: int | None) -> Tensor:
        if "masked" in self.edited:
            return self.edited["masked"][heads, start:stop].float()  # [h, R, Tk]
        scores = self._scores(heads, start, stop)  # [h, R, Tk]
        mask = self.source.mask
        if mask.is_open:
            return scores
        bias = mask.bias_rows(start, stop, head)  # [1 | H, R, Tk] or None
        return ops.add_mask(scores, mask.allowed_rows(start, stop, head, scores.device), bias)  # [h, R, Tk]

    def _weights(self, heads: slice, start: int, stop: int, head: int | None) -> Tensor:
        if "weights" in self.edited:
            return self.edited["weights"][heads, start:stop].float()  # [h, R, Tk]
        masked = self._masked(heads, start, stop, head)  # [h, R, Tk]
        sinks = None if self.source.sinks is None else self.source.sinks[heads].float()  # [h]
        blocked = None if self.source.mask.is_open else ops.blocked_rows(masked)  # [h, R, 1], None where there is none
        return ops.softmax_rows(masked, sinks=sinks, blocked=blocked)  # [h, R, Tk]

    def _range(self, head: int | None, rows: slice | None, quadratic: bool = True) -> tuple[slice, int, int]:
        if head is not None and not isinstance(head, int):
            raise TraceShapeError(
                f"head={head!r} is no number of a head. Expected an int from 0 to {self.n_heads - 1}, or None for all.",
                id="head-type", head=str(head)[:40], last=self.n_heads - 1,
            )  # fmt: skip
        if rows is not None and not isinstance(rows, slice):
            raise TraceShapeError(
                f"rows={rows!r} is no slice. Expected one such as slice(4, 5), or None for all rows.",
                id="rows-type", rows=str(rows)[:40],
            )  # fmt: skip
        if head is not None and not 0 <= head < self.n_heads:
            raise TraceShapeError(
                f"There is no head {head} at {self.site}. It has {self.n_heads}, counted from 0.",
                id="no-such-head", head=head, heads=self.n_heads, site=self.site.key,
            )  # fmt: skip
        start, stop, step = (rows or slice(None)).indices(self.n_queries)
        if step != 1:
            raise TraceShapeError(f"rows={rows} skips tokens. Expected a slice without a step.", id="rows-step")
        heads = slice(0, self.n_heads) if head is None else slice(head, head + 1)
        n_bytes = (heads.stop - heads.start) * max(0, stop - start) * self.n_keys * 4
        if quadratic and n_bytes > MATRIX_BYTES:
            raise LimitError(
                f"That would be {n_bytes / 2**30:.1f} GiB. Expected at most {MATRIX_BYTES / 2**30:.0f} GiB at once; "
                "ask for one head, for fewer rows, or for preview().",
                id="matrix-too-large", bytes=n_bytes, limit=MATRIX_BYTES,
            )  # fmt: skip
        return heads, start, max(start, stop)

    @staticmethod
    def _squeeze(rows: Tensor, head: int | None) -> Tensor:
        return rows if head is None else rows[0]


def _blocks(stop: int, start: int = 0) -> Iterator[tuple[int, int]]:
    for first in range(start, max(stop, start + 1), BLOCK_ROWS):
        yield first, min(first + BLOCK_ROWS, stop)
