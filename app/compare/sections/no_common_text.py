"""Two sides that read no text in common: why there are no maps, and what can be compared all the same."""

from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st
from attnviz_app.compare.sections import tables
from attnviz_app.compare.sides import is_surveyed, over_sentences, side_label
from attnviz_app.compare.state import COMPARE, choose
from attnviz_app.host import lines, visitor
from attnviz_app.host.events import later
from attnviz_app.serving import measured_heads
from attnviz_app.serving.surveys import surveys
from attnviz_app.serving.trace_files import is_file
from attnviz_app.shell.panels import coming

from attnviz.analysis.compare.metric_quartiles import metric_quartiles, self_attention_rows
from attnviz.analysis.heads.kinds import KINDS
from attnviz.analysis.heads.metrics import METRICS
from attnviz.export.csv_text import csv_text
from attnviz.text import Strings
from attnviz.trace.trace import Trace

Frames = Sequence[pd.DataFrame | None]  # tables of the heads of both sides


def show(why: str, traces: tuple[Trace, Trace] | None, say: Strings) -> None:
    """Why the maps cannot be laid over each other; then kinds, metrics, and how like the heads are over sentences.

    Args:
        traces: of each side on its own text, where both could read one.
    """
    now = COMPARE.asked
    st.html(f'<p class="av-line" role="status"><span>{escape(why)}</span></p>')
    if now.other and not is_file(now.a):  # which one model reads beside the first
        st.button(say("compare-to-same"), key="compare-same", on_click=later(choose), args=("b", now.a))
    names = (now.a, now.b)
    _tables(*_basis(names, traces, say), (side_label(now.a, say), side_label(now.b, say)), say)
    for name in names:
        if is_surveyed(name) and surveys().of(name, say.language).is_coming:
            coming(lambda name=name: surveys().of(name, visitor.say().language), say)  # type: ignore[misc]
            break
    measured = over_sentences(now.a, now.b)
    if measured.result is None:
        coming(lambda: over_sentences(now.a, now.b), say)
    else:
        tables.matches(measured.result, say)


def _basis(names: Sequence[str], traces: tuple[Trace, Trace] | None, say: Strings) -> tuple[Frames, bool]:
    """Over many sentences where both models were measured so, else each on its own text, else whatever there is.

    Returns: the tables, and whether they are of many sentences.
    """
    many = [surveys().frame(name, say.language) if is_surveyed(name) else None for name in names]
    if traces is not None and any(frame is None for frame in many):
        return [measured_heads.of_sentence(trace, name) for name, trace in zip(names, traces, strict=True)], False
    return many, True


def _tables(frames: Frames, is_of_many: bool, names: tuple[str, str], say: Strings) -> None:
    shown = [(f"{mark} {name}", frame) for mark, name, frame in zip("AB", names, frames, strict=True)]
    known = {title: self_attention_rows(frame) for title, frame in shown if frame is not None}
    if not known:
        return
    counts = pd.DataFrame({title: frame["kind_of_head"].value_counts() for title, frame in known.items()})
    there = [kind for kind in KINDS if kind.name in counts.index]
    counts = counts.reindex([kind.name for kind in there]).fillna(0).astype(int)
    counts.insert(0, say("compare-kind"), [say(kind.title) for kind in there])
    _table(counts, "kinds", say("compare-of-many" if is_of_many else "compare-of-own"), say)
    if len(known) < len(shown):
        return
    frame_a, frame_b = known.values()
    metrics = metric_table(frame_a, frame_b, (shown[0][0], shown[1][0]), say)
    _table(metrics, "metrics", say("compare-metrics-about"), say)


def _table(frame: pd.DataFrame, name: str, about: str, say: Strings) -> None:
    title, file = say(f"compare-{name}"), f"attnviz-compare-{name}.csv"
    lines.section_with_file(title, say("heads-csv"), lambda: csv_text(frame).encode(), file, f"{name}-csv")
    lines.note(about)
    st.dataframe(frame, hide_index=True)


def metric_table(frame_a: pd.DataFrame, frame_b: pd.DataFrame, titles: tuple[str, str], say: Strings) -> pd.DataFrame:
    """One row per metric: the median over the heads and the interquartile range, of both sides."""
    table = metric_quartiles(frame_a, frame_b)
    called = {metric.name: say(metric.title) for metric in METRICS}
    units = {unit: say(f"heads-unit-{unit}") for unit in set(table["unit"]) - {"share"}}
    first = [
        say("compare-metric-unit", metric=called[name], unit=units[unit]) if unit in units else called[name]
        for name, unit in zip(table["metric"], table["unit"], strict=True)
    ]
    shown = pd.DataFrame({say("compare-metric"): first})
    for side, title in zip("ab", titles, strict=True):
        quartiles = zip(*(table[f"{name}_{side}"] for name in ("median", "low", "high")), strict=True)
        shown[title] = [f"{median:.2f}  ({low:.2f}–{high:.2f})" for median, low, high in quartiles]
    return shown
