"""One head's scores taken apart: the query, the keys, and every number between their product and the weight.

What is sent is bounded: up to 64 tokens all rows of the head, above them one row with its 64 largest keys and the rest
as one number, so never more than 4·(128·d_k + 5·64²) bytes, 148 kB with d_k = 128.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import QueryKey, Replay
from attnviz.views.heads.header import NeuronFacts
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    from attnviz.core.site import Site
    from attnviz.trace.trace import Trace

MOST = 64  # rows, and keys of a row
CHANGED = ("raw", "scores", "masked", "weights")  # an edit of one of them breaks the chain from q·k to the weight


def features(trace: Trace, site: Site, head: int, token: int | None) -> tuple[NeuronFacts, Arrays]:
    """Return what the neuron view draws of one head.

    Args:
        token: the query whose row is wanted, where not all rows are sent; None takes the first.
    Returns:
        facts: `layer`, `head`, `first` (the first row that is sent), `keys`, `more` (keys left out), `scale`,
            `softcap`, `sink`, `key_head`, `shares` (heads that use the same keys) and `adds` (whether `bias` is known
            only as what q·k leaves of the scores); or only `why` it cannot be shown: "scores" where no q and k make
            this model's scores, "edited" where the run was changed between q·k and the weights.
        arrays: float32 q [R, d_k], k [K, d_k], and raw, scores, masked, weights [R, K] as the record has them, `bias`
            [R, K] where something is added to the scores, such as positions, and `rest` [R], the weight of the keys
            left out.
    """
    record = trace[site.key]
    source = record.source
    vectors = source if isinstance(source, Replay) else source.product
    if vectors is None:
        return {"layer": site.layer, "head": head, "why": "scores"}, {}
    if any(name in record.edited for name in CHANGED):
        return {"layer": site.layer, "head": head, "why": "edited"}, {}
    rows, keys = _window(record, head, token)
    group = record.n_heads // vectors.k.shape[0]  # query heads that share one key head
    weights = record.weights(head, rows)  # [R, T_k]
    chain = _scores(record, vectors, head, rows) | {"masked": record.masked(head, rows), "weights": weights}
    cells = {name: values[:, keys] for name, values in chain.items()}  # [R, K] each
    cells |= {"q": vectors.q[head, rows], "k": vectors.k[head // group][keys]}  # [R, d_k], [K, d_k]
    rest = {"rest": weights.sum(-1) - cells["weights"].sum(-1)} if len(keys) < record.n_keys else {}  # [R]
    facts: NeuronFacts = {
        "layer": site.layer,
        "head": head,
        "first": rows.start,
        "keys": keys.tolist(),
        "more": record.n_keys - len(keys),
        "scale": vectors.scale_of(head),
        "softcap": source.softcap if isinstance(source, Replay) else None,
        "sink": None if source.sinks is None else float(source.sinks[head]),
        "key_head": head // group,
        "shares": group,
        "adds": isinstance(vectors, QueryKey) and not vectors.is_all,
    }
    return facts, {name: values.float().cpu().numpy() for name, values in (cells | rest).items()}


def _scores(record: AttentionRecord, vectors: Replay | QueryKey, head: int, rows: slice) -> dict[str, Tensor]:
    """raw and scores of some rows, and what is added to them where something is: [R, T_k] each."""
    if isinstance(vectors, Replay):
        bias = vectors.mask.bias_rows(rows.start, rows.stop, head)  # [1, R, T_k] or None
        made = {"raw": record.raw(head, rows), "scores": record.scores(head, rows)}
        return made if bias is None else made | {"bias": bias[0]}
    raw = vectors.raw(head, rows)  # [R, T_k]
    scores = ops.scale_scores(raw, vectors.scale)  # [R, T_k]
    made = {"raw": raw, "scores": scores}
    return made if vectors.is_all else made | {"bias": record.scores(head, rows) - scores}


def _window(record: AttentionRecord, head: int, token: int | None) -> tuple[slice, Tensor]:
    """Which part of a head is sent: some rows, and keys [K] in the order of the text."""
    every = torch.arange(record.n_keys)  # [T_k]
    if max(record.n_queries, record.n_keys) <= MOST:
        return slice(0, record.n_queries), every
    row = min(max(token or 0, 0), record.n_queries - 1)
    weights = record.weights(head, slice(row, row + 1))[0].cpu()  # [T_k]
    largest = weights.topk(min(MOST, record.n_keys)).indices  # [K]
    return slice(row, row + 1), largest.sort().values
