"""What was measured of all heads as charts in a dialog: any two numbers, and one head over many sentences."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import pandas as pd
import streamlit as st
from attnviz_app.heads.looks import effect
from attnviz_app.heads.looks.lead import lead_of
from attnviz_app.heads.query import Picked, Question, picked_in
from attnviz_app.heads.state import BEGINNING, HEADS, IS_LED
from attnviz_app.host import charts, component, lines, session, visitor
from attnviz_app.jobs.measurements import many_runs
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving import measured_heads
from attnviz_app.serving.runs import runs
from attnviz_app.serving.surveys import surveys
from attnviz_app.shell import panels

from attnviz import figures
from attnviz.analysis.heads.kinds import BY_NAME
from attnviz.analysis.heads.sentences import listed
from attnviz.analysis.heads.survey import Survey, excited_by, pattern_of
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import index_in
from attnviz.text import Strings, strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import shown_part, sites_of
from attnviz.views.heads.measured_heads import kinds_of
from attnviz.views.panel import Chart, Curve

Source = Literal["sentence", "many", "own"]
SOURCES: tuple[Source, ...] = get_args(Source)
FIRST = {"up": "evenness_left", "across": "first"}
TALL = 440  # px of the chart of all heads


@dataclass(frozen=True)
class Opened:
    shown: Question  # what was on the page; of another one, which Back may bring, nothing is open
    source: Source
    typed: str  # the person's own sentences, one a line
    picked: Picked  # on the page, when it was opened


OPENED = session.OfPicture[Opened | None]("heads-opened", session.nothing)


def ask(to: Mapping[str, Any], picked: Mapping[str, Any]) -> None:
    """Open the dialog; a browser may say anything."""
    source, typed = next((each for each in SOURCES if each == to.get("charts")), None), to.get("typed")
    if source is not None and isinstance(typed, str):
        at = picked_in({str(name): str(value) for name, value in picked.items()})[0]
        OPENED.set(Opened(HEADS.shown, source, typed, at))


def open_dialog(say: Strings) -> None:
    """Show what is asked for; nothing where nothing is."""
    opened = OPENED.get()
    if opened is None or opened.shown != HEADS.shown:
        OPENED.set(None)
        return

    def draw() -> None:
        opened = OPENED.get()
        if opened is not None:
            trace = runs().trace(*HEADS.shown.of_run)
            _draw(opened, trace, visitor.say().of(trace.card.tokens))

    panels.dialog(say("heads-charts"), draw, asked=OPENED.get, close=lambda: OPENED.set(None))


def _draw(opened: Opened, trace: Trace, say: Strings) -> None:
    try:
        measured = _measured(opened)
        if measured is not None and measured.result is None:
            return lines.note(_why_not(measured, say))
        survey = None if measured is None else measured.result
        frame = measured_heads.of_sentence(trace, HEADS.shown.model) if survey is None else survey.heads
        _all_heads(opened, trace, frame, say, n=None if survey is None else len(survey.sentences))
        if survey is not None:
            _one_head(opened, trace, survey, say)
    except AttnvizError as problem:
        lines.note(say.error(problem))


def _measured(opened: Opened) -> Measured[Survey] | None:
    """What is measured over many sentences; None where the text on the page alone is looked at."""
    model = HEADS.shown.model
    match opened.source:
        case "own":
            return surveys().of_sentences(model, listed(opened.typed))
        case "many":
            return surveys().of(model, visitor.language())
        case _:
            return None


def _why_not(measured: Measured[Survey], say: Strings) -> str:
    if measured.error is not None:
        return say.error(measured.error)
    return say("heads-charts-measuring", percent=round(100 * measured.done / max(measured.total, 1)))


def _all_heads(opened: Opened, trace: Trace, frame: pd.DataFrame, say: Strings, *, n: int | None) -> None:
    """Every head as a point over two numbers that are chosen here; one that is pressed is opened."""
    sites = [site.key for site in sites_of(trace, HEADS.shown.part)]
    facts, _ = kinds_of(trace, frame, part=HEADS.shown.part, lang=say.language, n=n, source=opened.source)
    titles = {metric["name"]: metric["title"] for metric in facts["metrics"] if not metric.get("why")}
    for title, values in _of_word(opened, trace, sites, say).items():  # a column by its title, which the figure says
        titles[title] = title
        heads_of = zip(frame["site"], frame["head"], strict=True)
        frame = frame.assign(**{title: [values.get((site, int(head)), math.nan) for site, head in heads_of]})
    columns = list(titles)
    with st.container(horizontal=True):
        up, across = (
            st.selectbox(
                say(f"heads-charts-{side}"), columns, columns.index(first) if first in columns else 0,
                key=f"heads-charts-{side}", format_func=titles.__getitem__,
            )
            for side, first in FIRST.items()
        )  # fmt: skip
    heads = frame[frame["site"].isin(sites) & frame[[up, across]].notna().all(axis=1)].reset_index(drop=True)
    fig = figures.scatter(heads, across, up, lang=say.language, theme=charts.theme(), count_from=1)
    of_tokens = {strings(say.language)(kind.title): say(kind.title) for kind in BY_NAME.values()}
    fig.for_each_trace(lambda points: points.update(name=of_tokens[points.name]))
    fig.update_layout(annotations=[], dragmode="pan", xaxis_title=titles[across], yaxis_title=titles[up])
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"})
    places = [(sites.index(site), int(head)) for site, head in zip(heads["site"], heads["head"], strict=True)]
    picked_head = opened.picked.pick.layer, opened.picked.pick.head
    if picked_head in places:
        at = places.index(picked_head)
        fig.add_scatter(
            x=heads[across][at : at + 1], y=heads[up][at : at + 1], mode="markers+text", text=[_name(picked_head)],
            name=_name(picked_head), textposition="top center", hoverinfo="skip", showlegend=False,
            marker={"symbol": "circle-open", "size": 18, "line": {"width": 2}},
        )  # fmt: skip
    kinds = [say(BY_NAME[kind].title) for kind in heads["kind_of_head"]]
    chart = Chart(
        say("heads-charts-against", up=titles[up], across=titles[across]), heads[across].tolist(),
        [Curve(titles[up], heads[up].tolist())], titles[across], names_title=say("view-heads-numbers-head"),
        names=[f"{_name(place)} · {kind}" for place, kind in zip(places, kinds, strict=True)],
    )  # fmt: skip

    def lead(row: object) -> None:
        if (at := index_in(row, len(places), from_end=False)) is not None:
            layer, head = places[at]
            BEGINNING.bring(replace(opened.picked, layer=layer, head=head, token=None, key=None))
            OPENED.set(None)
            IS_LED.set(True)

    component.figure(fig, chart, "heads-charts-all", say, on_pick=lead, height=TALL)


def _of_word(opened: Opened, trace: Trace, sites: list[str], say: Strings) -> dict[str, dict[tuple[str, int], float]]:
    """What each head adds to the likeliest word of the row that is looked at, and what silencing each does, where that
    was measured: by its title, values by site and head."""
    shown, made = HEADS.shown, dict[str, dict[tuple[str, int], float]]()
    position = effect.position_of(trace, Site.parse(sites[0]), opened.picked.token)
    if trace.predicted_tokens is not None and position is not None:
        with suppress(AttnvizError), runs().gate.entered():  # a model whose logits are no such sum has no such numbers
            lead = lead_of(trace, position, 0)
            added = {(str(site), int(head)): float(value) for (site, head), value in lead.added.items()}
            made[say("view-heads-all-adds", word=lead.text)] = added
    key = effect.silencing_key(*shown.of_run[:1], trace, *shown.of_run[1:], shown_part(trace, shown.part), position)
    silenced = many_runs().known(key)
    if silenced is not None:
        points = {(each.edit.site, int(each.edit.head)): 100 * (each.after - each.before) for each in silenced.others}
        made[say("heads-charts-silenced")] = points
    return made


def _one_head(opened: Opened, trace: Trace, survey: Survey, say: Strings) -> None:
    """In how many of the sentences the head in the picture shows how much of its pattern."""
    sites, pick = sites_of(trace, HEADS.shown.part), opened.picked.pick
    site = sites[min(pick.layer, len(sites) - 1)]
    values = [one.value for one in excited_by(survey, site.key, pick.head, n=len(survey.sentences))]
    rows = survey.heads
    kind = str(rows.loc[(rows["site"] == site.key) & (rows["head"] == pick.head), "kind_of_head"].iloc[0])
    if not values:
        return
    head = say("view-kit-head", layer=pick.layer + 1, head=pick.head + 1)
    title = say("heads-charts-sentences", named_head=head, n=len(values))
    by = "left" if pattern_of(kind)[1] else "pattern"
    x_title, y_title = say(f"heads-charts-{by}", kind=say(BY_NAME[kind].title)), say("heads-charts-count")
    fig = figures.histogram(values, title=title, x_title=x_title, y_title=y_title, theme=charts.theme())
    (bars,) = fig.data
    starts, counts = [float(low) for low, _ in bars.customdata], [int(n) for n in bars.y]
    chart = Chart(title, starts, [Curve(y_title, counts)], say("heads-charts-from"))
    component.figure(fig, chart, "heads-charts-one", say)


def _name(place: tuple[int, int]) -> str:
    return f"{place[0] + 1}.{place[1] + 1}"
