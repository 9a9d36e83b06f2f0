"""Two sides that read no text in common: why there are no maps, and what can be compared all the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd
import streamlit as st
from attnviz_app.compare.sections import tables
from attnviz_app.compare.sides import is_surveyed, over_sentences, side_label
from attnviz_app.compare.state import COMPARE
from attnviz_app.jobs.surveys import surveys
from attnviz_app.serving import measured_heads
from attnviz_app.shell import lines, visitor
from attnviz_app.shell.panels import coming

from attnviz.analysis.compare.metric_quartiles import metric_quartiles, self_attention_rows
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import METRICS
from attnviz.text import Strings
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Basis:
    """Tables of the heads of both sides, and on what these were measured."""

    frames: tuple[pd.DataFrame | None, pd.DataFrame | None]
    is_of_many: bool


def show(why: str, traces: tuple[Trace, Trace] | None, say: Strings) -> None:
    """Why the maps cannot be laid over each other; then kinds, metrics, and how like the heads are over sentences.

    Args:
        traces: of each side on its own text, where both could read one.
    """
    now = COMPARE.asked
    st.html(f'<p class="av-line" role="status"><span>{escape(why)}</span></p>')
    names = (now.a, now.b)
    _tables(_basis(names, traces, say), (side_label(now.a, say), side_label(now.b, say)), say)
    for name in names:
        if is_surveyed(name) and surveys().of(name, say.language).is_coming:
            coming(lambda name=name: surveys().of(name, visitor.say().language), say)  # type: ignore[misc]
            break
    measured = over_sentences(now.a, now.b)
    if measured.found is None:
        coming(lambda: over_sentences(now.a, now.b), say)
    else:
        tables.matches(measured.found, say)


def _basis(names: Sequence[str], traces: tuple[Trace, Trace] | None, say: Strings) -> Basis:
    """Over many sentences where both models were measured so, else each on its own text, else whatever there is."""
    many = [surveys().of(name, say.language).frame if is_surveyed(name) else None for name in names]
    if traces is not None and any(frame is None for frame in many):
        own = [
            measured_heads.of_sentence(trace, ("compare", name, trace.tokens.source.source))
            for name, trace in zip(names, traces, strict=True)
        ]
        return Basis((own[0], own[1]), is_of_many=False)
    return Basis((many[0], many[1]), is_of_many=True)


def _tables(basis: Basis, names: tuple[str, str], say: Strings) -> None:
    shown = [(f"{mark} {name}", frame) for mark, name, frame in zip("AB", names, basis.frames, strict=True)]
    known = {title: self_attention_rows(frame) for title, frame in shown if frame is not None}
    if not known:
        return
    lines.section(say("compare-kinds"))
    lines.note(say("compare-of-many" if basis.is_of_many else "compare-of-own"))
    counts = {
        title: [int((frame["kind_of_head"] == kind.name).sum()) for kind in KINDS] for title, frame in known.items()
    }
    st.dataframe(pd.DataFrame({say("compare-kind"): [say(kind.title) for kind in KINDS], **counts}), hide_index=True)
    if len(known) < len(shown):
        return
    lines.section(say("compare-metrics"))
    lines.note(say("compare-metrics-about"))
    frame_a, frame_b = known.values()
    st.dataframe(metric_table(frame_a, frame_b, (shown[0][0], shown[1][0]), say), hide_index=True)


def metric_table(frame_a: pd.DataFrame, frame_b: pd.DataFrame, titles: tuple[str, str], say: Strings) -> pd.DataFrame:
    """One row per metric: the median over the heads and the interquartile range, of both sides."""
    table = metric_quartiles(frame_a, frame_b)
    called = {metric.name: say(metric.title) for metric in METRICS}
    units = {unit: say(f"heads-unit-{unit}") for unit in set(table["unit"]) - {"share"}}
    first = [
        say("compare-metric-unit", metric=called[name], unit=units[unit]) if unit in units else called[name]
        for name, unit in zip(table["metric"], table["unit"], strict=True)
    ]
    sides = {
        title: [_range(row, side) for row in table.to_dict("records")] for side, title in zip("ab", titles, strict=True)
    }
    return pd.DataFrame({say("compare-metric"): first, **sides})


def _range(row: dict[str, float], side: str) -> str:
    median, low, high = (row[f"{name}_{side}"] for name in ("median", "low", "high"))
    return f"{median:.2f}  ({low:.2f}–{high:.2f})"
