"""Draws figures of plotly in the theme of the page, each over its numbers and the menu that takes it away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from attnviz_app.host import events, lines, visitor

from attnviz import figures
from attnviz.palette import Theme
from attnviz.views.panel import Block, Chart

HEIGHT = 280  # px of a figure; its place has it before the figure comes
MARGIN = {"l": 8, "r": 12, "t": 16, "b": 8}  # px; axes take the room that their labels need
LINE, MARK = 2, 6  # px of plotly's lines and marks where a figure does not say it
CLEAR = "rgba(0,0,0,0)"  # the page is its ground
CONFIG = {"displayModeBar": False}
_redraw = st.components.v2.component("attnviz.redraw", js="hosts/redraw.js", isolate_styles=False)
Numbers = Callable[[Sequence[Block], str], None]  # shows the numbers of a chart under its figure, by a key


def charts(blocks: Sequence[Chart], key: str, numbers: Numbers) -> None:
    """Show curves side by side where there is room."""
    with st.container(horizontal=True, key=f"charts-{key}"):
        for at, chart in enumerate(blocks):
            curves = {curve.name: curve.y for curve in chart.curves}
            fig = figures.curves(
                chart.x, curves, title=chart.title, x_title=chart.x_title, log_x=chart.log_x, log_y=chart.log_y,
                marked=chart.marked, theme=theme(),
            )  # fmt: skip
            figure(fig.update_layout(dragmode=False), chart, f"{key}-{at}", numbers)


def figure(
    fig: Any, chart: Chart, key: str, numbers: Numbers, *, on_pick: Callable[[Any], None] | None = None,
    height: int = HEIGHT,
) -> None:  # fmt: skip
    """Show a figure over its numbers.

    Args:
        fig: of attnviz.figures. chart: its title and its numbers.
        on_pick: called, by the next run, with the `customdata` of a point that is pressed.
    """

    with st.container(key=f"figure-{key}"):
        above = st.container()
        json, name = fig.to_json(), f"plotly-{key}"
        is_projected = visitor.size() == "projector"
        k = figures.PROJECTOR if is_projected else 1
        fig.update_layout(
            template=figures.template_name(theme(), is_projected=is_projected), paper_bgcolor=CLEAR, plot_bgcolor=CLEAR,
            margin={side: room * k for side, room in MARGIN.items()}, title=None,
        )  # fmt: skip
        for drawn in fig.select_traces(selector={"type": "scatter"}):  # lines and marks grow with the type
            drawn.update(line_width=(drawn.line.width or LINE) * k, marker_size=(drawn.marker.size or MARK) * k)
        chosen: dict[str, Any] = {}
        if on_pick is not None:
            chosen = {"on_select": events.later(partial(_tell, on_pick), name), "selection_mode": "points"}
        st.plotly_chart(fig, theme=None, key=name, height=round(height * k), config=CONFIG, alt=chart.title, **chosen)
        with above:  # said after the figure is sent: a new title never stands over the points of before
            lines.head(chart.title)
        numbers([replace(chart, figure=json)], f"numbers-{key}")
        _redraw(key=f"redraw-{key}", on_theme_change=lambda: None)


def _tell(on_pick: Callable[[Any], None], said: object) -> None:
    for point in events.selected(said, "points")[:1]:
        on_pick(point.get("customdata") if isinstance(point, Mapping) else None)


def theme() -> Theme:
    """The theme of the page; at another one the browser has the figure's dialog run again (views/hosts/redraw.js)."""
    return "dark" if st.context.theme.type == "dark" else "light"
