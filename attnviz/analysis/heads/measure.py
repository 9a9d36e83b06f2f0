"""All metrics of all heads of one attention, a block of rows at a time, so that memory does not grow with the text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attnviz.analysis.heads.groups import Among, among
from attnviz.analysis.heads.map_metrics import WINDOW, ColumnSums
from attnviz.analysis.heads.metrics import BY_NAME, KNOWN, LEFT, METRICS, Reason, base_name, why_not
from attnviz.analysis.heads.row_metrics import delimiter_over, even, first_by_norm, moved_norms, value_norm
from attnviz.analysis.heads.rows import BLOCK_BYTES, RowMean, Rows, blocks, with_one_mask, without_first
from attnviz.core.site import Site
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

TOGETHER_BYTES = 2 << 20  # of weights of several attentions that are measured at once, about a core's cache


@dataclass(frozen=True, eq=False)
class SiteMetrics:
    """The metrics of the heads of one attention in one text."""

    site: Site
    values: dict[str, Tensor]  # metric, metric_left, delimiter_over -> [H]; NaN where it means nothing
    rows: dict[str, Tensor]  # the same -> int64 [H], the rows that count
    reasons: dict[str, Reason]  # why, for those that are NaN in every head
    window: Tensor | None = field(repr=False)  # [H, 10, 10], the first rows and keys; None for a shorter text


def site_metrics(
    trace: Trace, sites: Sequence[str | Site], *, block_bytes: int = BLOCK_BYTES,
    between: tuple[str, str] | Among | None = None,
) -> list[SiteMetrics]:  # fmt: skip
    """Measure the heads of some attentions of a run, with at most so many bytes of weights held at a time.

    `between` names two groups of tokens: queries of the first are measured on keys of the second; or
    it says which these are.
    """
    asked = [trace[site].site for site in sites]
    groups = with_one_mask(trace, asked, min(block_bytes, TOGETHER_BYTES))
    return [one for records in groups for one in _measured(trace, records, block_bytes, between)]


def _measured(
    trace: Trace, records: Sequence[AttentionRecord], block_bytes: int, between: tuple[str, str] | Among | None
) -> Iterator[SiteMetrics]:
    """Attentions with one mask; H counts the heads of all of them."""
    part = between if between is None or isinstance(between, Among) else among(trace, records[0].site, between)
    moved = [moved_norms(record) for record in records]
    norms = (
        torch.cat([one for one in moved if one is not None]) if all(one is not None for one in moved) else None
    )  # [H, T_k]
    names = [*(metric.name for metric in METRICS), *(f"{name}_left" for name in LEFT), "delimiter_over"]
    names += [f"{name}_even" for name in KNOWN]
    means = {name: RowMean() for name in names}
    sums: ColumnSums | None = None
    for weights, rows in blocks(trace, records, block_bytes, part):
        _add_rows(means, weights, rows, norms)
        left, others, share = without_first(weights, rows)
        for name in LEFT:
            of_rows = BY_NAME[name].of_rows
            assert of_rows is not None
            means[f"{name}_left"].add(of_rows(left, others).expand(left.shape[:-1]), share)
        block = ColumnSums.of(weights, rows)
        sums = block if sums is None else sums + block
    assert sums is not None, "an attention has at least one row"
    n_heads = [record.n_heads for record in records]
    values = {name: mean.value().expand(sum(n_heads)) for name, mean in means.items()}
    counted = {name: torch.as_tensor(mean.n_rows).expand(sum(n_heads)) for name, mean in means.items()}
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
    means["delimiter_over"].add(delimiter_over(weights, rows).expand(weights.shape[:-1]))
    for name in KNOWN:
        means[f"{name}_even"].add(even(weights, rows, name).expand(weights.shape[:-1]))
    if norms is not None:
        means["value_norm"].add(value_norm(weights, rows, norms))
        means["first_by_norm"].add(first_by_norm(weights, rows, norms))
