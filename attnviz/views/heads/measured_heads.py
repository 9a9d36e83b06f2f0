"""What every head of a part does, for the overview: its kind and the metrics that are shown. Packs what was measured.

It travels apart from the picture, which does not wait for it; over many sentences it may come much later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from attnviz.analysis.heads.aggregate import MetricAggregate
from attnviz.analysis.heads.groups import Among, group_attention, groups_of
from attnviz.analysis.heads.kinds import TABLE, head_kinds, rows_of
from attnviz.analysis.heads.kinds import Kind as HeadKind
from attnviz.analysis.heads.measure import site_metrics
from attnviz.analysis.heads.metrics import REASONS, Metric, metric_of, reason_message, title_of
from attnviz.analysis.heads.sinks import sinks
from attnviz.text import Strings
from attnviz.views.headers import Kind, catalogue
from attnviz.views.heads.attention_parts import sites_of
from attnviz.views.heads.header import KindFacts, MetricFacts
from attnviz.views.pack import Arrays

if TYPE_CHECKING:
    import pandas as pd

    from attnviz.trace.trace import Trace

# Of the columns that are measured, those that are shown: the sink first.
SHOWN = (
    "aligned", "mark_before", "rhyme", "first_line", "last", "first", "previous", "next", "same_token_repeated",
    "induction_repeated", "delimiter_over", "copying", "negative_copying", "succession", "one_word", "evenness_left",
    "entropy", "distance", "self", "sparsity", "value_norm", "first_by_norm", "variability",
)  # fmt: skip
OF_A_TEXT = ("same_token", "induction")  # where its tokens repeat
ARROW = " → "  # from one group of tokens to another
FILE_CELLS = 1 << 26  # weights of all heads that are measured for a file; beyond, it would take minutes
ROLES = ("system", "user", "assistant", "tool")  # those that have a name in every language
BY_REASON = {said: reason for reason, said in REASONS.items()}


def cells_of(trace: Trace, part: str | None = None) -> int:
    """How many weights the heads of a part have: what measuring them costs grows with it."""
    records = [trace[site.key] for site in sites_of(trace, part)]
    return sum(record.n_heads * record.n_queries * record.n_keys for record in records)


def sentence_frame(trace: Trace, part: str | None = None) -> pd.DataFrame:
    """The table of `head_metrics` with `kind_of_head`, of the heads of one part."""
    gathering = MetricAggregate()
    gathering.add(site_metrics(trace, sites_of(trace, part)))
    frame = gathering.frame(has_spread=False)
    return with_groups(frame, trace).assign(kind_of_head=head_kinds(frame))


def without_sinks(trace: Trace, frame: pd.DataFrame, part: str | None = None) -> pd.DataFrame:
    """The table of a text with the metrics of what its sinks leave, each row divided by the rest. Kinds stay those of
    all the weight.
    """
    sites = sites_of(trace, part)
    record = trace[sites[0]]
    kept = torch.ones(record.n_keys, dtype=torch.bool)  # [T_k]
    kept[list(sinks(trace, sites).tokens)] = False
    gathering = MetricAggregate()
    gathering.add(site_metrics(trace, sites, between=Among(torch.ones(record.n_queries, dtype=torch.bool), kept)))
    left = gathering.frame(has_spread=False)
    kinds = frame.set_index(["site", "head"])["kind_of_head"]
    with_kinds = left.join(kinds, on=["site", "head"])
    with_kinds.attrs = left.attrs
    return with_kinds


def with_groups(frame: pd.DataFrame, trace: Trace) -> pd.DataFrame:
    """The table of `head_metrics` and, where there are groups of tokens, how much each gives each: columns "A → B"."""
    if not any(any(groups_of(trace.key_tokens(site))) for site in trace.sites):
        return frame
    by_group = group_attention(trace)
    by_group = by_group[(by_group["from"] != "") & (by_group["to"] != "")]
    by_group = by_group.assign(pair=by_group["from"] + ARROW + by_group["to"])
    shares = by_group.pivot(index=["site", "head"], columns="pair", values="weight")
    in_order = list(dict.fromkeys(by_group["pair"]))  # of the text
    with_shares = frame.join(shares[in_order], on=["site", "head"])
    with_shares.attrs = frame.attrs
    return with_shares


def kinds_of(
    trace: Trace, frame: pd.DataFrame, *, part: str | None = None, lang: str = "en", n: int | None = None,
    source: str = "many", has_sinks: bool = True,
) -> tuple[KindFacts, Arrays]:  # fmt: skip
    """What the overview shows of a table of metrics.

    Args:
        frame: as `head_metrics` gives it, with `kind_of_head`; rows of other parts are left out.
        n: over how many sentences; None for the text of the trace alone.
        source: whose these are: "many", this project's, or "own", the person's.
        has_sinks: whether metrics are of all the weight; else of what `without_sinks` leaves.
    Returns:
        The facts for a header, and `kinds` uint8 [L, H], each an index of `facts["kinds"]`, `values` float32 [M, L, H]
        in the order of `facts["metrics"]`, NaN where a metric means nothing; of many sentences `errors` the same, the
        standard errors of these means; of one text `rows` uint16 [L, H], on how many rows the kind rests.
    """
    say = catalogue(lang).of(trace.card.tokens)
    sites = [site.key for site in sites_of(trace, part)]
    n_heads = trace[sites[0]].n_heads
    measured = frame[frame["site"].isin(sites)]
    order = measured["site"].map({site: at for at, site in enumerate(sites)}) * n_heads + measured["head"]  # [heads]
    measured = measured.iloc[np.argsort(order.to_numpy(), kind="stable")]
    is_cross = trace[sites[0]].site.kind == "cross"
    known = {column for column in measured if measured[column].notna().any()} | {""}
    shown = set(measured["kind_of_head"])
    table = [kind for kind in TABLE if kind.metric in known or kind.name in shown]
    groups = [column for column in measured if ARROW in column and measured[column].notna().any()]
    columns = [
        column
        for column in SHOWN
        if column in measured and (is_everywhere(column, is_cross=is_cross) or measured[column].notna().any())
    ] + groups
    if n is None:
        columns += [column for column in OF_A_TEXT if column in measured and measured[column].notna().any()]
    shape = (len(sites), n_heads)
    places = {kind.name: at for at, kind in enumerate(table)}
    arrays: Arrays = {
        "kinds": measured["kind_of_head"].map(places).to_numpy().astype(np.uint8).reshape(shape),
        "values": np.stack([_grid(measured, column, shape) for column in columns]),
    }
    if n is None:
        arrays["rows"] = rows_of(measured).to_numpy().astype(np.uint16).reshape(shape)
    else:
        sizes = [np.sqrt(_grid(measured, f"{column}_n", shape)) for column in columns]
        spreads = [_grid(measured, f"{column}_sd", shape) for column in columns]
        arrays["errors"] = np.stack(spreads) / np.stack(sizes)
    reasons = frame.attrs["reasons"]
    facts: KindFacts = {
        "source": "sentence" if n is None else source,
        "n": n or 1,
        "kinds": kind_table(say, table),
        "metrics": [_metric_facts(column, reasons.get(f"{sites[0]} {column}"), say) for column in columns],
    }
    for metric in facts["metrics"]:
        even = measured.get(f"{metric['name']}_even")
        if even is not None and even.notna().any():
            metric["even"] = float(even.mean())
    if not has_sinks:
        facts["without_sinks"] = True
        for metric in facts["metrics"]:
            metric["title"] = say("heads-column-sinkless", metric=metric["title"])
    return facts, arrays


def _grid(frame: pd.DataFrame, column: str, shape: tuple[int, int]) -> np.ndarray[Any, np.dtype[np.float32]]:
    values = frame[column].to_numpy(np.float32) if column in frame else np.full(shape, np.nan, dtype=np.float32)
    return values.reshape(shape)  # [L, H]


def is_everywhere(column: str, *, is_cross: bool) -> bool:
    """Whether a metric is shown also where it has no value, with the reason."""
    metric = _metric(column)
    return not metric.only_verse and (is_cross or not metric.only_cross)


def kind_table(say: Strings, kinds: Sequence[HeadKind] = TABLE) -> list[Kind]:
    """Every kind of head, as a legend shows it."""
    return [
        {
            "name": kind.name, "title": say(kind.title), "says": say(kind.says, **kind.numbers), "metric": kind.metric,
            "least": kind.threshold, "glyph": kind.glyph, "light": kind.colour.light, "dark": kind.colour.dark,
        }
        for kind in kinds
    ]  # fmt: skip


def _metric(column: str) -> Metric:
    metric = metric_of(column)
    assert metric is not None, column
    return metric


def _metric_facts(column: str, reason: str | None, say: Strings) -> MetricFacts:
    if ARROW in column:
        sides = [say(f"view-kit-role-{name}") if name in ROLES else name for name in column.split(ARROW)]
        return {
            "name": column, "title": ARROW.join(sides), "says": say("head-metric-groups-says"), "unit": "share",
            "formula": "Σ w[i, j]", "source": "",
        }  # fmt: skip
    metric = _metric(column)
    facts: MetricFacts = {
        "name": column, "title": title_of(column, say) or column, "says": say(metric.says), "unit": metric.unit,
        "formula": metric.formula, "source": metric.source,
    }  # fmt: skip
    why = BY_REASON.get(reason or "")
    if why:
        facts["why"] = say(reason_message(why))
    return facts
