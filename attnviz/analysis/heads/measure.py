"""All metrics of all heads of one attention, a block of rows at a time, so that memory does not grow with the text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.analysis.heads.groups import among
from attnviz.analysis.heads.map_metrics import WINDOW, ColumnSums
from attnviz.analysis.heads.metrics import BY_NAME, LEFT, METRICS, Reason, base_name, why_not
from attnviz.analysis.heads.row_metrics import first_by_norm, induction_keys, moved_norms, same_keys, value_norm
from attnviz.analysis.heads.rows import (
    BLOCK_BYTES,
    FIRST,
    RowMean,
    Rows,
    blocks,
    row_blocks,
    with_one_mask,
    without_first,
)  # fmt: skip
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

TOGETHER_BYTES = 2 << 20  # of weights of several attentions that are measured at once, about a core's cache


@dataclass(frozen=True, eq=False)
class SiteMetrics:
    """The metrics of the heads of one attention in one text."""

    site: Site
    values: dict[str, Tensor]  # metric, metric_left, metric_over -> [H]; NaN where it means nothing
    rows: dict[str, Tensor]  # metric, metric_left -> int64 [H], the rows that count
    reasons: dict[str, Reason]  # why, for those that are NaN in every head
    window: Tensor | None = field(repr=False)  # [H, 10, 10], the first rows and keys; None for a shorter text


def site_metrics(
    trace: Trace, sites: Sequence[str | Site], *, block_bytes: int = BLOCK_BYTES,
    between: tuple[str, str] | None = None,
) -> list[SiteMetrics]:  # fmt: skip
    """Measure the heads of some attentions of a run, with at most so many bytes of weights held at a time.

    `between` names two groups of tokens: queries of the first are measured on keys of the second.
    """
    asked = [trace[site].site for site in sites]
    groups = with_one_mask(trace, asked, min(block_bytes, TOGETHER_BYTES))
    return [one for records in groups for one in _measured(trace, records, block_bytes, between)]


def _measured(
    trace: Trace, records: Sequence[AttentionRecord], block_bytes: int, between: tuple[str, str] | None
) -> Iterator[SiteMetrics]:
    """Attentions with one mask; H counts the heads of all of them."""
    part = None if between is None else among(trace, records[0].site, between)
    moved = [moved_norms(record) for record in records]
    norms = (
        torch.cat([one for one in moved if one is not None]) if all(one is not None for one in moved) else None
    )  # [H, T_k]
    means = {name: RowMean() for name in [*(m.name for m in METRICS), *(f"{name}_left" for name in LEFT)]}
    sums: ColumnSums | None = None
    baseline = Baseline()
    for weights, rows in blocks(trace, records, block_bytes, part):
        _add_rows(means, weights, rows, norms)
        left, others, share = without_first(weights, rows)
        for name in LEFT:
            of_rows = BY_NAME[name].of_rows
            assert of_rows is not None
            means[f"{name}_left"].add(of_rows(left, others).expand(left.shape[:-1]), share)
        baseline.add(weights, others, share)
        block = ColumnSums.of(weights, rows)
        sums = block if sums is None else sums + block
    assert sums is not None, "an attention has at least one row"
    n_heads = [record.n_heads for record in records]
    values = {name: mean.value().expand(sum(n_heads)) for name, mean in means.items()}
    counted = {name: torch.as_tensor(mean.n_rows).expand(sum(n_heads)) for name, mean in means.items()}
    baselines = baseline.values(row_blocks(trace, records, block_bytes, part))
    values |= {f"{name}_over": values[f"{name}_left"] - base for name, base in baselines.items()}
    values["one_word"] = sums.largest.double()
    each_values, each_counted = ({name: all_.split(n_heads) for name, all_ in of.items()} for of in (values, counted))
    for i, record in enumerate(records):
        these = {name: parts[i] for name, parts in each_values.items()}
        reasons = {name: why_not(BY_NAME[base_name(name)], record) for name, x in these.items() if x.isnan().all()}
        fits = part is None and min(record.n_queries, record.n_keys) >= WINDOW
        window = record.weights(rows=slice(0, WINDOW))[..., :WINDOW].cpu().clone() if fits else None
        yield SiteMetrics(record.site, these, {name: n[i] for name, n in each_counted.items()}, reasons, window)


def _add_rows(means: dict[str, RowMean], weights: Tensor, rows: Rows, norms: Tensor | None) -> None:
    for metric in METRICS:
        if metric.of_rows is not None:
            means[metric.name].add(metric.of_rows(weights, rows).expand(weights.shape[:-1]))
    if norms is not None:
        means["value_norm"].add(value_norm(weights, rows, norms))
        means["first_by_norm"].add(first_by_norm(weights, rows, norms))


KEYS_OF = {"same_token": same_keys, "induction": induction_keys}


class Baseline:
    """Collects the mean weight on each key, without the first token, a block of rows at a time."""

    def __init__(self) -> None:
        self.weight: Tensor | float = 0.0  # [H, T_k]
        self.seen: Tensor | float = 0.0  # [H, T_k]
        self.shares: list[Tensor] = []  # [H, R] each: the rest of each row

    def add(self, weights: Tensor, rows: Rows, share: Tensor) -> None:
        """`weights`: [H, R, T_k] with the first token; `rows` and `share` [H, R] from `without_first`."""
        sums = weights.sum(-2, dtype=torch.float64)  # [H, T_k]
        sums[..., FIRST] = 0.0
        self.weight = self.weight + sums
        self.seen = self.seen + _weighted_count(share, rows.visible)  # [H, T_k]
        self.shares.append(share)

    def values(self, blocks: Iterable[tuple[int, Rows]]) -> dict[str, Tensor]:
        """The baseline of each metric, a mean over the rows that count, which come again: metric -> [H]."""
        mean = torch.as_tensor(self.weight) / torch.as_tensor(self.seen).clamp_min(1e-9)  # [H, T_k]
        share = torch.cat(self.shares, 1)  # [H, T_q]
        means = {name: RowMean() for name in (*KEYS_OF, "delimiter")}
        for start, rows in blocks:
            visible = rows.visible.clone()
            visible[..., FIRST] = False
            block = share[:, start : start + visible.shape[-2]]  # [H, R]
            for name, keys_of in KEYS_OF.items():
                if rows.queries is not None:
                    keys = keys_of(rows) & visible  # [1 | H, R, T_k]
                    given = _weighted_count(mean, keys.mT)  # [H, R]
                    means[name].add(_where_counted(given, keys, visible), block)
            keys = rows.keys.delimiter & visible  # [1 | H, R, T_k]
            even = (keys.sum(-1) / visible.sum(-1).clamp_min(1)).expand(block.shape)  # [H, R]
            means["delimiter"].add(_where_counted(even, keys, visible), block)
        return {name: each.value().expand(len(share)) for name, each in means.items()}


def _weighted_count(weights: Tensor, truths: Tensor) -> Tensor:
    """Σ_a w[h, a] · truth[h, a, b]: [H, A] x bool [1 | H, A, B] -> float64 [H, B]."""
    if truths.shape[0] == 1:
        return weights.double() @ truths[0].double()  # [H, B]
    return torch.stack([row.double() @ truth.double() for row, truth in zip(weights, truths, strict=True)])


def _where_counted(values: Tensor, keys: Tensor, visible: Tensor) -> Tensor:
    """NaN for rows that cannot attend to both such a key and another, as in `share_on`: [H, R]."""
    counts = keys.any(-1) & (visible & ~keys).any(-1)  # [1 | H, R]
    return torch.where(counts, values, float("nan"))
