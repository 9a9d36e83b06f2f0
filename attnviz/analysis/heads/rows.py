"""Some rows of one attention with what a metric must know about them: visible keys, positions, tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import torch
from torch import Tensor

from attnviz.analysis.heads.groups import Among
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace

BLOCK_BYTES = 8 << 20  # of weights held at a time; metrics need a few times that
FIRST = 0  # the key that is called the sink


@dataclass(frozen=True, eq=False)
class Keys:
    ids: Tensor  # int64 [T_k]
    delimiter: Tensor  # bool [T_k]: added by the tokenizer, or punctuation; never the first token

    @classmethod
    def of(cls, tokens: Tokens) -> Keys:
        delimiter = [special or is_punctuation(text) for special, text in zip(tokens.special, tokens.text, strict=True)]
        delimiter[:1] = [False]
        return cls(torch.tensor(tokens.ids, dtype=torch.int64), torch.tensor(delimiter, dtype=torch.bool))


@dataclass(frozen=True, eq=False)
class Rows:
    """R queries of one attention."""

    visible: Tensor  # bool [1 | H, R, T_k], True = can attend
    queries: Tensor | None  # int64 [R], the position of each query among the keys; None in cross-attention
    keys: Keys
    links: Tensor | None = None  # bool [R, T_k], the keys that each row is known to come from
    answers: Mapping[str, Tensor] = field(default_factory=dict)  # the same for other answers, by their names

    @cached_property
    def n_visible(self) -> Tensor:
        """The number of keys that each row can attend to: [1 | H, R]."""
        return self.visible.sum(-1)

    @property
    def positions(self) -> Tensor:
        """The position of each key: int64 [T_k]."""
        return torch.arange(self.visible.shape[-1], device=self.visible.device)


def is_punctuation(text: str) -> bool:
    """Whether every character of a token is in a Unicode category P."""
    bare = text.strip()
    return bool(bare) and all(unicodedata.category(character).startswith("P") for character in bare)


def without_first(weights: Tensor, rows: Rows) -> tuple[Tensor, Rows, Tensor]:
    """The weights [..., R, T_k] without the first token, each row divided by the rest of its weight; the rows, none of
    which can attend to it; and the rest of each, [..., R].
    """
    kept = weights.clone()  # [..., R, T_k]
    kept[..., FIRST] = 0.0
    share = kept.sum(-1)  # [..., R]
    visible = rows.visible.clone()
    visible[..., FIRST] = False
    return kept.div_(share.clamp_min(1e-12)[..., None]), replace(rows, visible=visible), share


def blocks(
    trace: Trace, records: Sequence[AttentionRecord], block_bytes: int = BLOCK_BYTES, among: Among | None = None
) -> Iterator[tuple[Tensor, Rows]]:
    """All heads of attentions with one mask, a few rows at a time: weights [H, R, T_k] and their rows, on the CPU.

    H counts the heads of all of them. `among` leaves the queries of one group, and of each row what goes to the keys
    of another, divided by its sum.
    """
    start = 0
    for _, rows in row_blocks(trace, records, block_bytes):
        stop = start + rows.visible.shape[-2]
        weights = torch.cat([record.weights(rows=slice(start, stop)).cpu() for record in records])  # [H, R, T_k]
        if among is not None:
            rows = chosen(rows, among, start)
            weights = weights[:, among.queries[start:stop]] * among.keys  # [H, R', T_k]
            weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-12)
        start = stop
        if rows.visible.shape[-2]:
            yield weights, rows


def with_one_mask(trace: Trace, sites: Sequence[Site], block_bytes: int) -> Iterator[list[AttentionRecord]]:
    """The attentions of these sites, in order, side by side where one mask holds for all and a block has room for all
    rows of all heads: many small operators take longer than one large one.
    """
    group: list[AttentionRecord] = []
    for record in map(trace.__getitem__, sites):
        size = 4 * record.n_queries * record.n_keys * sum(each.n_heads for each in (*group, record))
        if group and (size > block_bytes or not is_alike(group[0], record)):
            yield group
            group = []
        group.append(record)
    if group:
        yield group


def is_alike(one: AttentionRecord, other: AttentionRecord) -> bool:
    """Whether the rows of two attentions see the same keys, by the rules of their masks."""
    (rule, rule_tensors), (other_rule, tensors) = one.source.mask.parts(), other.source.mask.parts()
    return (one.site.stack, one.site.kind, rule) == (other.site.stack, other.site.kind, other_rule) and not {
        **rule_tensors, **tensors
    }  # fmt: skip


def chosen(rows: Rows, among: Among, start: int) -> Rows:
    """Those of some rows, the first of them row `start`, that are measured, and the keys that count."""
    kept = among.queries[start : start + rows.visible.shape[-2]]  # [R]
    queries, links = (None if part is None else part[kept] for part in (rows.queries, rows.links))
    answers = {name: keys[kept] for name, keys in rows.answers.items()}
    return replace(
        rows, visible=rows.visible[:, kept] & among.keys, queries=queries, links=links, answers=answers
    )  # fmt: skip


def row_blocks(
    trace: Trace, records: Sequence[AttentionRecord], block_bytes: int = BLOCK_BYTES, among: Among | None = None
) -> Iterator[tuple[int, Rows]]:
    """The same rows without their weights: how many came before each block, and its rows."""
    n = 0
    for start, rows in all_row_blocks(trace, records, block_bytes):
        kept = rows if among is None else chosen(rows, among, start)
        if kept.visible.shape[-2]:
            yield n, kept
        n += kept.visible.shape[-2]


def all_row_blocks(trace: Trace, records: Sequence[AttentionRecord], block_bytes: int) -> Iterator[tuple[int, Rows]]:
    record, n_heads = records[0], sum(each.n_heads for each in records)
    site, mask = record.site, record.source.mask
    keys = Keys.of(trace.key_tokens(site))
    step = max(1, block_bytes // (4 * n_heads * record.n_keys))
    has_links = site.kind == "cross" or trace.tokens.target is None
    known = {"": trace.links, **trace.answers} if has_links else {}
    maps = {name: _map_of(keys, record) for name, keys in known.items() if keys}  # [T_q, T_k] each
    for start in range(0, record.n_queries, step):
        stop = min(start + step, record.n_queries)
        is_rule = mask.bias is None  # a bias can block keys too
        visible = (mask.allowed_rows(start, stop) if is_rule else torch.isfinite(mask.rows(start, stop))).cpu()
        queries = torch.arange(start, stop) + mask.offset if site.kind == "self" else None
        of_rows = {name: whole[start:stop] for name, whole in maps.items()}
        yield start, Rows(visible, queries, keys, of_rows.pop("", None), of_rows)  # visible: [1 | H, R, T_k]


def _map_of(keys: Mapping[int, frozenset[int]], record: AttentionRecord) -> Tensor:
    """The keys of each row as a map: bool [T_q, T_k]."""
    whole = torch.zeros(record.n_queries, record.n_keys, dtype=torch.bool)
    for row, linked in keys.items():
        whole[row, list(linked)] = True
    return whole


@dataclass
class RowMean:
    """A weighted mean over rows that come a block at a time; NaN is left out."""

    total: Tensor | float = 0.0
    weight: Tensor | float = 0.0
    n_rows: Tensor | int = 0  # [H], those that count

    def add(self, values: Tensor, weights: Tensor | None = None) -> None:
        """`values` [H, R]; `weights` of the same shape, 1 each if not given."""
        counts = ~values.isnan()
        share = counts.double() if weights is None else torch.where(counts, weights.double(), 0.0)
        self.total = self.total + (values.nan_to_num().double() * share).sum(-1)  # [H]
        self.weight = self.weight + share.sum(-1)  # [H]
        self.n_rows = self.n_rows + counts.sum(-1)  # [H]

    def value(self) -> Tensor:
        total, weight = (torch.as_tensor(part, dtype=torch.float64) for part in (self.total, self.weight))
        return torch.where(weight > 1e-9, total / weight.clamp_min(1e-9), float("nan"))  # [H]
