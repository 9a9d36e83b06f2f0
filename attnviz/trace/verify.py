"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

Sites of one shape are replayed side by side, as heads of one attention: for short texts calls, not numbers, take the
time. The rows were taken while the kernel ran (`kernel_rows`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.masks import Mask
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.qk import of_heads
from attnviz.trace.records import AttentionRecord, Kept, Replay
from attnviz.trace.trace import Verified

TOGETHER_BYTES = 8 << 20  # the most keys, values and scores of sites that are replayed together
# Largest difference that rounding explains, by dtype of the run. float32: fused and explicit kernels differ by about
# 4e-7 at values near 1. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}

Sites = Sequence[tuple[AttentionRecord, KernelRows]]


def verify(
    records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor | KernelRows], *, seed: int = 0
) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, rows that were taken while the kernel ran, or all it returned, [H, Tq, Dv]; only these
            sites are compared.
        seed: which rows, where all are given.
    Returns:
        the largest difference, relative to the largest value of each site (or 1 if that is smaller).
    """
    sites = [
        (records[key], given if isinstance(given, KernelRows) else KernelRows.of(given.transpose(0, 1), seed + number))
        for number, (key, given) in enumerate(kernel.items())
    ]
    shares = [share for group in groups(sites) for share in relative_differences(group)]
    n_rows = sum(len(taken.rows) for _, taken in sites)
    tolerance = max((TOLERANCE[taken.context.dtype] for _, taken in sites), default=0.0)
    return Verified(max(shares, default=0.0), n_rows, tolerance)


def relative_differences(group: Sites) -> list[float]:
    """How far each site's replay is from its kernel, as a share of that site's own largest value (or of 1)."""
    taken = [rows for _, rows in group]
    ours = replayed([record for record, _ in group], [it.rows for it in taken])  # [S, H, R, Dv]
    theirs = torch.stack([it.context for it in taken]).transpose(1, 2)  # [S, H, R, Dv]
    if theirs.numel() == 0:
        return [0.0] * len(group)
    off = (ours.double() - theirs.double()).abs().amax((1, 2, 3))  # [S]
    ends = torch.stack([end for it in taken for end in (it.lowest, it.highest)]).view(-1, 2)  # [S, 2]
    shares = off / ends.double().abs().amax(1).clamp(min=1.0)  # [S]
    return [share if share == share else float("inf") for share in shares.tolist()]  # NaN agrees with nothing


def groups(sites: Sites) -> Iterator[Sites]:
    """Sites that can be replayed together, as many at a time as TOGETHER_BYTES holds."""
    alike: dict[Hashable, list[tuple[AttentionRecord, KernelRows]]] = {}
    for record, taken in sites:
        alike.setdefault(shape_of(record, taken), []).append((record, taken))
    for same in alike.values():
        most = max(1, TOGETHER_BYTES // max(1, bytes_of(*same[0])))
        yield from (same[first : first + most] for first in range(0, len(same), most))


def bytes_of(record: AttentionRecord, taken: KernelRows) -> int:
    """What one site takes where it is replayed beside others: its keys, values and scores, float32."""
    width = taken.context.shape[-1] + (record.source.q.shape[-1] if isinstance(record.source, Replay) else 0)
    return record.n_heads * record.n_keys * (width + len(taken.rows)) * 4


def shape_of(record: AttentionRecord, taken: KernelRows) -> Hashable:
    """What two sites must have in common to be replayed together; a changed one is replayed alone."""
    source, mask = record.source, record.source.mask
    rule = (mask.n_queries, mask.n_keys, mask.causal, mask.window, mask.offset)
    parts = tuple(id(part) for part in (mask.padding, mask.allowed, mask.rule, mask.bias))  # held by the records
    scaling = (source.scale, source.softcap, source.q.shape[-1]) if isinstance(source, Replay) else None
    alone = id(record) if record.edited else None
    return alone, record.n_heads, taken.context.shape, taken.context.dtype, scaling, source.sinks is None, rule, parts


def replayed(records: Sequence[AttentionRecord], rows: Sequence[Tensor]) -> Tensor:
    """Weights · V of some queries of sites that are alike in `shape_of`, rows [R] of each: [S, H, R, Dv]."""
    if len(records) == 1:
        return at_rows(records[0], rows[0]).context()[None]  # [1, H, R, Dv]
    n_heads, first, sources = records[0].n_heads, records[0].source, [record.source for record in records]
    scores = scores_at(sources, rows, n_heads)  # [S·H, R, Tk]
    sinks = [source.sinks for source in sources if source.sinks is not None]  # [H] each, of all sites or of none
    masked, blocked, mask = scores, None, first.mask
    if not mask.is_open:
        queries = torch.cat(list(rows))  # [S·R]
        bias = mask.bias_at(queries)  # [1 | H, S·R, Tk] or None
        added = None if bias is None else of_sites(bias, len(records), n_heads)  # [S·H, R, Tk]
        allowed = of_sites(mask.allowed_at(queries), len(records), n_heads)  # [S·H, R, Tk]
        masked = ops.add_mask(scores, allowed, added)  # [S·H, R, Tk]
        blocked = ops.blocked_rows(masked)  # [S·H, R, 1] or None
    weights = ops.softmax_rows(masked, sinks=torch.cat(sinks).float() if sinks else None, blocked=blocked)
    values = torch.cat([source.values(slice(0, n_heads)) for source in sources])  # [S·H, Tk, Dv]
    return ops.weigh_values(weights, values).unflatten(0, (len(records), n_heads))  # [S, H, R, Dv]


def scores_at(sources: Sequence[Replay | Kept], rows: Sequence[Tensor], n_heads: int) -> Tensor:
    """The scores of some queries, or those that were kept, rows [R] of each site in any order: [S·H, R, Tk]."""
    pairs = list(zip(sources, rows, strict=True))
    replays = [(source, own) for source, own in pairs if isinstance(source, Replay)]
    if not replays:
        kept = [source.kept.index_select(1, own) for source, own in pairs if isinstance(source, Kept)]  # [H, R, Tk]
        return torch.cat(kept).float()  # [S·H, R, Tk]
    q = torch.cat([source.q.index_select(1, own) for source, own in replays])  # [S·H, R, Dh]
    k = torch.cat([of_heads(source.k, n_heads, slice(0, n_heads)) for source, _ in replays])  # [S·H, Tk, Dh]
    return replays[0][0].scaled(ops.raw_scores(q.float(), k))  # [S·H, R, Tk]


def of_sites(dense: Tensor, n_sites: int, n_heads: int) -> Tensor:
    """What a shared mask has for the rows of several sites, as it lies beside their heads.

    [1 | H, S·R, Tk] -> [S·H, R, Tk]
    """
    own = dense.unflatten(1, (n_sites, -1)).transpose(0, 1)  # [S, 1 | H, R, Tk]
    return own.expand(-1, n_heads, -1, -1).flatten(0, 1)  # [S·H, R, Tk]


def at_rows(record: AttentionRecord, rows: Tensor) -> AttentionRecord:
    """The same attention for some of its queries alone: rows [R], in any order."""
    source = record.source
    mask = mask_at_rows(source.mask, rows)
    edited = {name: value[:, rows] for name, value in record.edited.items()}  # [H, R, Tk] each
    if isinstance(source, Replay):
        return replace(record, source=replace(source, q=source.q[:, rows], mask=mask), edited=edited)
    return replace(record, source=replace(source, kept=source.kept[:, rows], mask=mask, product=None), edited=edited)


def mask_at_rows(mask: Mask, rows: Tensor) -> Mask:
    """The mask of some queries alone, dense: it is only as many rows as are asked for."""
    if mask.is_open:
        return Mask(len(rows), mask.n_keys)
    allowed = mask.allowed_at(rows)  # [1 | H, R, Tk]
    return Mask(len(rows), mask.n_keys, allowed=allowed, bias=mask.bias_at(rows))
