"""All metrics of all heads of one attention, a block of rows at a time, so that memory does not grow with the text."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.analysis.heads.map_metrics import WINDOW, ColumnSums
from attnviz.analysis.heads.metrics import BY_NAME, LEFT, METRICS, Reason, base_name, why_not
from attnviz.analysis.heads.row_metrics import first_by_norm, moved_norms, value_norm
from attnviz.analysis.heads.rows import BLOCK_BYTES, RowMean, Rows, blocks, row_blocks, without_first
from attnviz.analysis.heads.share_baselines import Baseline
from attnviz.core.site import Site
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class SiteMetrics:
    """The metrics of the heads of one attention in one text."""

    site: Site
    values: dict[str, Tensor]  # metric, metric_left, metric_over -> [H]; NaN where it means nothing
    rows: dict[str, Tensor]  # metric, metric_left -> int64 [H], the rows that count
    reasons: dict[str, Reason]  # why, for those that are NaN in every head
    stripe: Tensor  # int64 [H], the key of one_word; −1 where there is none
    window: Tensor | None = field(repr=False)  # [H, 10, 10], the first rows and keys; None for a shorter text


def site_metrics(trace: Trace, site: str | Site, *, block_bytes: int = BLOCK_BYTES) -> SiteMetrics:
    """Measure the heads of one attention of a run, with at most so many bytes of weights held at a time."""
    record = trace[site]
    norms = moved_norms(record)  # [H, T_k] or None
    means = {name: RowMean() for name in [*(m.name for m in METRICS), *(f"{name}_left" for name in LEFT)]}
    sums: ColumnSums | None = None
    baseline = Baseline()
    window: list[Tensor] = []
    for weights, rows in blocks(trace, record, block_bytes):
        _add_rows(means, weights, rows, norms)
        left, others, share = without_first(weights, rows)
        for name in LEFT:
            of_rows = BY_NAME[name].of_rows
            assert of_rows is not None
            means[f"{name}_left"].add(of_rows(left, others).expand(left.shape[:-1]), share)
        baseline.add(weights, others, share)
        block = ColumnSums.of(weights, rows)
        sums = block if sums is None else sums + block
        held = sum(len(part[0]) for part in window)
        if held < WINDOW:
            window.append(weights[:, : WINDOW - held, :WINDOW].clone())  # [H, r, 10]
    assert sums is not None, "an attention has at least one row"
    values = {name: mean.value().expand(record.n_heads) for name, mean in means.items() if name != "variability"}
    counted = {name: torch.as_tensor(mean.n_rows).expand(record.n_heads) for name, mean in means.items()}
    baselines = baseline.values(row_blocks(trace, record, block_bytes))
    values |= {f"{name}_over": values[f"{name}_left"] - base for name, base in baselines.items()}
    strength, key = sums.largest
    values["one_word"] = strength.double()
    values["variability"] = torch.full((record.n_heads,), float("nan"), dtype=torch.float64)
    reasons = {name: why_not(BY_NAME[base_name(name)], record) for name, own in values.items() if own.isnan().all()}
    fits = min(record.n_queries, record.n_keys) >= WINDOW
    return SiteMetrics(record.site, values, counted, reasons, key, torch.cat(window, 1) if fits else None)


def _add_rows(means: dict[str, RowMean], weights: Tensor, rows: Rows, norms: Tensor | None) -> None:
    for metric in METRICS:
        if metric.of_rows is not None:
            means[metric.name].add(metric.of_rows(weights, rows).expand(weights.shape[:-1]))
    if norms is not None:
        means["value_norm"].add(value_norm(weights, rows, norms))
        means["first_by_norm"].add(first_by_norm(weights, rows, norms))
