"""A run's own proof: what the record replays against what the model's kernel returned, on seeded rows.

Sites of one shape are replayed side by side, as heads of one attention: for short texts the number of calls takes the
time, not the arithmetic. The rows were taken while the kernel ran (`kernel_rows`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.ops import Call
from attnviz.trace.kernel_rows import KernelRows
from attnviz.trace.records import AttentionRecord
from attnviz.trace.sources import Kept, Replay, of_heads
from attnviz.trace.trace import Verified

TOGETHER_BYTES = 8 << 20  # the most keys, values and scores of sites that are replayed together
# The largest relative difference that rounding explains, by dtype of the run. The replay is in float32 whatever the run
# is in: fused and explicit kernels then differ by about 4e-7. bf16 and fp16: their own rounding of the kernel's output.
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}

Sites = Sequence[tuple[AttentionRecord, KernelRows]]


def verify(
    records: Mapping[str, AttentionRecord], kernel: Mapping[str, Tensor | KernelRows], *, seed: int = 0
) -> Verified:
    """Compare replayed weights · V with the kernel's own output, on 8 seeded rows of every site.

    Args:
        records: by site key.
        kernel: by site key, rows that were taken while the kernel ran, or all it returned, [H, T_q, d_v]; only these
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
    ours = replayed([record for record, _ in group], [it.rows for it in taken])  # [S, H, R, d_v]
    theirs = torch.stack([it.context for it in taken]).transpose(1, 2)  # [S, H, R, d_v]
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
    """Weights · V of some queries of sites that are alike in `shape_of`, rows [R] of each: [S, H, R, d_v]."""
    first = records[0]
    if "context" in first.edited:  # such a site is replayed alone
        return first.edited["context"][None, :, rows[0]].float()  # [1, H, R, d_v]
    values = torch.cat([record.source.values(slice(None)) for record in records])  # [S·H, T_k, d_v]
    return ops.weigh_values(weights_at(records, rows), values).unflatten(0, (len(records), first.n_heads))


def weights_at(records: Sequence[AttentionRecord], rows: Sequence[Tensor]) -> Tensor:
    """The weights of some queries, rows [R] of each site in any order: [S·H, R, T_k]."""
    first, n_heads = records[0], records[0].n_heads
    if "weights" in first.edited:
        return first.edited["weights"][:, rows[0]].float()  # [H, R, T_k]
    call = call_at(records, torch.cat(list(rows)))
    pairs = [(record.source, own) for record, own in zip(records, rows, strict=True)]
    kept = [source.kept.index_select(1, own) for source, own in pairs if isinstance(source, Kept)]  # [H, R, T_k] each
    if kept:
        return ops.value_of_scores("weights", torch.cat(kept).float(), call)  # [S·H, R, T_k]
    replays = [(source, own) for source, own in pairs if isinstance(source, Replay)]
    q = torch.cat([source.q.index_select(1, own) for source, own in replays])  # [S·H, R, d_k]
    k = torch.cat([of_heads(source.k, n_heads, slice(None)) for source, _ in replays])  # [S·H, T_k, d_k]
    return ops.weights(q.float(), k, call)  # [S·H, R, T_k]


def call_at(records: Sequence[AttentionRecord], queries: Tensor) -> Call:
    """What these sites were given, queries [S·R] of all of them one after the other; they share scale and mask."""
    source, mask = records[0].source, records[0].source.mask
    scale, softcap = (source.scale, source.softcap) if isinstance(source, Replay) else (1.0, None)
    own = [record.source.sinks for record in records if record.source.sinks is not None]  # [H] each, of all or of none
    sinks = torch.cat(own).float() if own else None  # [S·H]
    if mask.is_open:
        return Call(scale, softcap=softcap, sinks=sinks)
    allowed, bias = (
        None if dense is None else of_sites(dense, len(records), records[0].n_heads)
        for dense in (mask.allowed_at(queries), mask.bias_at(queries))
    )  # [S·H, R, T_k] each
    return Call(scale, allowed, bias, softcap, sinks)


def of_sites(dense: Tensor, n_sites: int, n_heads: int) -> Tensor:
    """What a shared mask has for the rows of several sites, as it lies beside their heads.

    [1 | H, S·R, T_k] -> [S·H, R, T_k]
    """
    own = dense.unflatten(1, (n_sites, -1)).transpose(0, 1)  # [S, 1 | H, R, T_k]
    return own.expand(-1, n_heads, -1, -1).flatten(0, 1)  # [S·H, R, T_k]
