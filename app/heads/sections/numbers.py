"""All heads in numbers, under the picture: a table and a scatter of any two metrics; a click shows that head above."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections import table as heads_table
from attnviz_app.heads.sections.definitions import about_html
from attnviz_app.heads.sections.scatter import figure_of, looks_html
from attnviz_app.heads.sections.table import ShownHead
from attnviz_app.heads.state import HEADS
from attnviz_app.host import events, session
from attnviz_app.jobs.surveys import Surveyed, surveys
from attnviz_app.serving import measured_heads
from attnviz_app.shell import lines, panels, visitor
from attnviz_app.shell.pending import coming

from attnviz.analysis.heads.kinds import BY_NAME as KINDS
from attnviz.analysis.heads.survey import Survey
from attnviz.bounded_cache import BoundedCache
from attnviz.export.csv_text import csv_text
from attnviz.figures.scatter import Figure
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.columns import SHOWN, says_of, title_of
from attnviz.views.heads.tokens import unknown_notice

Source = Literal["bundled", "sentence", "own"]
SHOWN_BYTES = 16 * 1024**2  # of tables as they are shown, of all visitors together
_figures: BoundedCache[Figure] = BoundedCache(SHOWN_BYTES, lambda figure: len(figure.to_json()))
_shown: BoundedCache[pd.DataFrame] = BoundedCache(SHOWN_BYTES, lambda frame: int(frame.memory_usage(deep=True).sum()))
FIRST_AXES = ("first", "evenness_left")
ROW = 32  # pixels of a row of the table
MOST_ROWS = 14  # that are seen without scrolling


@dataclass(frozen=True, eq=False)
class HeadTable:
    """One table of all heads, and what names it in caches."""

    frame: pd.DataFrame
    key: Hashable


def show(trace: Trace, picked: Picked, say: Strings) -> None:
    """The switch, the sentence on what was measured, the scatter and the table."""
    source = _source(say)
    measured = _of_sentence(trace, say) if source == "sentence" else _of_many(source, trace, say)
    if measured is None:
        return
    heads = heads_table.heads_of(measured.frame, trace)
    if not heads:
        return
    chosen = next((at for at, head in enumerate(heads) if page.is_chosen(head, picked)), None)
    plot, table = st.columns([5, 7], gap="medium")
    with plot:
        _scatter(measured, heads, chosen, say)
    with table:
        _table(measured, heads, chosen, say)
    _about(say)


# ---------------------------------------------------------------------------------------------------- on what


def _source(say: Strings) -> Source:
    """Which sentences the numbers are about."""
    sources: list[Source] = ["bundled", "sentence", *(["own"] if page.OWN.get() else [])]  # type: ignore[list-item]
    with st.container(key="heads-which", horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            say("heads-source"), sources, key=page.SOURCE, default="bundled", required=True,
            format_func=lambda source: say(f"heads-source-{source}"), label_visibility="collapsed",
        )  # fmt: skip
    return chosen or "bundled"


def _of_sentence(trace: Trace, say: Strings) -> HeadTable | None:
    shown = HEADS.shown
    unknown = unknown_notice(trace.tokens.source, say)
    key = (shown.model, trace.card.revision, shown.text, shown.target)
    with panels.placeholder(say("heads-measuring")):
        frame = measured_heads.of_sentence(trace, key)
    lines.note(say("heads-of-sentence", n=len(trace.tokens.source)), unknown, is_status=True)
    return HeadTable(frame, key)


def _of_many(source: Source, trace: Trace, say: Strings) -> HeadTable | None:
    found = surveyed(source, say)
    if found.found is None:
        coming(lambda: surveyed(source, visitor.say()), say)
        return None
    survey, shown = found.found, HEADS.shown
    measured_on(source, found, survey, say)
    key = (shown.model, trace.card.revision, source, found.language, hash(survey.sentences))
    return HeadTable(survey.frame, key)


def surveyed(source: Source, say: Strings) -> Surveyed:
    """The heads over the sentences of this project, or over the person's own."""
    model = HEADS.shown.model
    if source == "own":
        return surveys().own(model, page.OWN.get())
    return surveys().of(model, say.language)


def measured_on(source: Source, found: Surveyed, survey: Survey, say: Strings) -> None:
    """A line: on how many sentences of which kind a table was measured, after what keeps it from saying much."""
    kind, n = "own" if source == "own" else found.language or "task", len(survey.sentences)
    said = say("heads-of-many", n=n, kind=kind)
    if n < survey.n_asked:
        said = say("heads-of-part", n=n, of=survey.n_asked, kind=kind)
    unknown = say("heads-many-unknown", percent=round(100 * survey.unknown_share)) if survey.has_unknown else None
    lines.note(said, unknown, is_status=True)


# ---------------------------------------------------------------------------------------------------- the table


def _table(measured: HeadTable, heads: tuple[ShownHead, ...], chosen: int | None, say: Strings) -> None:
    is_dark = session.is_dark()
    table = _shown.get(
        (measured.key, say.language, is_dark),
        lambda: heads_table.shown_table(measured.frame, heads, say, is_dark=is_dark),
    )
    marked = table.assign(shown=["●" if at == chosen else "" for at in range(len(table))])
    st.dataframe(
        marked[["shown", *table]], key=page.TABLE, hide_index=True, row_height=ROW,
        height=ROW * (min(len(table), MOST_ROWS) + 1) + 4,
        column_config=_columns(table, say), placeholder="–", alt=say("heads-table-alt"),
        selection_mode="single-cell",
        on_select=events.later(lambda said: _choose(rows_of(said), heads, HEADS.shown.model), page.TABLE),
    )  # fmt: skip
    with st.container(key="heads-take", horizontal=True, vertical_alignment="center"):
        lines.file_button(say("heads-csv"), lambda: csv_text(measured.frame).encode(), "heads.csv", page.CSV)
        lines.note(say("heads-csv-note"))


def _columns(table: pd.DataFrame, say: Strings) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    found: dict[str, Any] = {
        "shown": text(say("heads-column-shown"), pinned=True, width=64, help=say("heads-column-shown-help")),
        "part": text(say("heads-column-part"), pinned=True, width=120),
        "layer": number(say("heads-column-layer"), pinned=True, width=56, format="%d"),
        "head": number(say("heads-column-head"), pinned=True, width=56, format="%d"),
        "glyph": st.column_config.ImageColumn(say("heads-column-glyph"), pinned=True, width=60),
        "kind": text(say("heads-column-kind"), width=136),
    }
    for column in SHOWN:
        title = title_of(column, say)
        help = say("heads-column-help", title=title, says=says_of(column, say))
        found[column] = number(title, help=help, format="%.2f", width=150)
        found[f"{column}{heads_table.SD}"] = number(
            "±", help=say("heads-column-spread", metric=title), format="%.2f", width=56
        )
    return {name: config for name, config in found.items() if name in table or name == "shown"}


def rows_of(said: object) -> list[int]:
    """The rows of the cells that a table says are chosen; a browser may say anything."""
    cells = [cell[0] for cell in events.selected(said, "cells") if isinstance(cell, list | tuple) and cell]
    return [row for row in cells if type(row) is int and row >= 0]


def _choose(rows: list[int], heads: tuple[ShownHead, ...], model: str) -> None:
    if rows and rows[0] < len(heads) and HEADS.asked.model == model:
        page.choose(heads[rows[0]])


# --------------------------------------------------------------------------------------------------- the scatter


def _scatter(measured: HeadTable, heads: tuple[ShownHead, ...], chosen: int | None, say: Strings) -> None:
    columns = heads_table.shown_columns(measured.frame)
    across, upwards = st.columns(2)
    with across:
        x = _axis(page.X, say("heads-x-label"), columns, FIRST_AXES[0], say)
    with upwards:
        y = _axis(page.Y, say("heads-y-label"), columns, FIRST_AXES[1], say)
    is_dark = session.is_dark()

    def drawn() -> Figure:
        names = [heads_table.name_of(head, say) for head in heads]
        return figure_of(measured.frame, x, y, names, say, chosen=chosen, is_dark=is_dark)

    figure = _figures.get((measured.key, x, y, chosen, say.language, is_dark), drawn)
    st.plotly_chart(
        figure, theme=None, key=page.SCATTER, config={"displayModeBar": False, "scrollZoom": False},
        selection_mode="points", alt=say("heads-scatter-alt", x=title_of(x, say), y=title_of(y, say)),
        on_select=events.later(lambda said: _choose(points_of(said), heads, HEADS.shown.model), page.SCATTER),
    )  # fmt: skip
    kinds = [kind for kind in KINDS.values() if (measured.frame["kind_of_head"] == kind.name).any()]
    st.html(looks_html(kinds, say))


def _axis(key: str, label: str, columns: tuple[str, ...], first: str, say: Strings) -> str:
    at = columns.index(first) if first in columns else 0
    chosen = st.selectbox(label, columns, at, key=key, format_func=lambda column: title_of(column, say))
    return str(chosen)


def points_of(said: object) -> list[int]:
    """The numbers of the points that a chart says are chosen; a browser may say anything."""
    found = []
    for point in events.selected(said, "points"):
        data = point.get("customdata") if isinstance(point, Mapping) else None
        number = data[0] if isinstance(data, list | tuple) and data else data
        if isinstance(number, int | float) and number >= 0:
            found.append(int(number))
    return found


# ------------------------------------------------------------------------------------------------------ the kinds


def _about(say: Strings) -> None:
    """The table of kinds and that of metrics, as the code has them, folded away."""
    with st.expander(say("heads-about")):
        st.html(about_html(say, is_dark=session.is_dark()))
