"""Some rows of one attention, and what a metric must know about them beside the weights. No metric here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

BLOCK_BYTES = 8 << 20  # of weights held at a time; what a metric makes on the way is a few times that
FIRST = 0  # the key that is taken for the sink


@dataclass(frozen=True, eq=False)
class Keys:
    """The tokens that are looked at."""

    ids: Tensor  # int64 [Tk]
    delimiter: Tensor  # bool [Tk]: added by the tokenizer, or punctuation; never the first token, which is the sink's

    @classmethod
    def of(cls, tokens: Tokens) -> Keys:
        """The keys that these tokens are."""
        delimiter = [special or is_punctuation(text) for special, text in zip(tokens.special, tokens.text, strict=True)]
        delimiter[:1] = [False]
        return cls(torch.tensor(tokens.ids, dtype=torch.int64), torch.tensor(delimiter, dtype=torch.bool))


@dataclass(frozen=True, eq=False)
class Rows:
    """R queries of one attention. A row counts in a metric only where its value is not forced by what it may see."""

    visible: Tensor  # bool [1 | H, R, Tk], True = may look
    own: Tensor | None  # int64 [R], where each query stands among the keys; None in cross-attention
    keys: Keys

    @cached_property
    def n_visible(self) -> Tensor:
        """How many keys each row may look at: [1 | H, R]."""
        return self.visible.sum(-1)

    @property
    def places(self) -> Tensor:
        """The place of each key: int64 [Tk]."""
        return torch.arange(self.visible.shape[-1], device=self.visible.device)

    @classmethod
    def plain(cls, n_queries: int, *, n_keys: int | None = None, is_causal: bool = False, ids: list[int] | None = None,
              delimiters: tuple[int, ...] = ()) -> Rows:  # fmt: skip
        """All rows of a matrix that belongs to no trace.

        Args:
            n_queries: rows of the matrix.
            n_keys: its columns, for cross-attention; as many as rows, which then stand among the keys, if not given.
            is_causal: whether a row sees only keys up to its own place.
            ids: which token each key is; all different if not given.
            delimiters: places of the keys that are delimiters.
        """
        width = n_queries if n_keys is None else n_keys
        visible = torch.ones(1, n_queries, width, dtype=torch.bool)  # [1, Tq, Tk]
        marked = torch.zeros(width, dtype=torch.bool)  # [Tk]
        marked[list(delimiters)] = True
        keys = Keys(torch.tensor(list(range(width)) if ids is None else ids), marked)
        own = torch.arange(n_queries) if n_keys is None else None
        return cls(visible.tril() if is_causal else visible, own, keys)


def is_punctuation(text: str) -> bool:
    """Whether a token holds punctuation alone: every character of a Unicode category P."""
    bare = text.strip()
    return bool(bare) and all(unicodedata.category(character).startswith("P") for character in bare)


def without_first(weights: Tensor, rows: Rows) -> tuple[Tensor, Rows, Tensor]:
    """The weights without the first token's column, each row divided by what is left of it.

    Args:
        weights: [..., R, Tk].
    Returns:
        weights [..., R, Tk], rows that do not see the first token, and the share that was left, [..., R].
    """
    kept = weights.clone()  # [..., R, Tk]
    kept[..., FIRST] = 0.0
    share = kept.sum(-1)  # [..., R]
    visible = rows.visible.clone()
    visible[..., FIRST] = False
    return kept.div_(share.clamp_min(1e-12)[..., None]), replace(rows, visible=visible), share


def blocks(trace: Trace, record: AttentionRecord, block_bytes: int = BLOCK_BYTES) -> Iterator[tuple[Tensor, Rows]]:
    """All heads of one attention, a few rows at a time, in memory that does not grow with the text's square.

    Args:
        record: an attention of `trace`.
        block_bytes: the largest weights handed over at once; at least one row.
    Returns:
        weights [H, R, Tk] and their rows, on the processor, in order.
    """
    for start, rows in row_blocks(trace, record, block_bytes):
        stop = start + rows.visible.shape[-2]
        yield record.weights(rows=slice(start, stop)).cpu(), rows  # [H, R, Tk]


def row_blocks(trace: Trace, record: AttentionRecord, block_bytes: int = BLOCK_BYTES) -> Iterator[tuple[int, Rows]]:
    """The same rows without their weights: where each block begins, and its rows."""
    site, mask = record.site, record.source.mask
    keys = Keys.of(trace.key_tokens(site))
    step = max(1, block_bytes // (4 * record.n_heads * record.n_keys))
    for start in range(0, record.n_queries, step):
        stop = min(start + step, record.n_queries)
        is_rule = mask.bias is None  # else the bias may block too
        visible = (mask.allowed_rows(start, stop) if is_rule else torch.isfinite(mask.rows(start, stop))).cpu()
        own = torch.arange(start, stop) + mask.offset if site.kind == "self" else None
        yield start, Rows(visible, own, keys)  # visible: [1 | H, R, Tk]
