"""Draws charts as plotly figures in the theme of the page, each over its numbers and the menu that takes it away."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st
from attnviz_app.shell import lines, visitor

from attnviz import figures
from attnviz.palette import Theme
from attnviz.views.panel import Block, Chart

HEIGHT = 280  # px of a figure; its place has it before the figure comes
MARGIN = {"l": 8, "r": 12, "t": 16, "b": 8}  # px; axes take the room that their labels need
CLEAR = "rgba(0,0,0,0)"  # the page is its ground
CONFIG = {"displayModeBar": False}


def charts(blocks: Sequence[Chart], key: str, numbers: Callable[[Sequence[Block], str], None]) -> None:
    """Show charts side by side where there is room.

    Args:
        numbers: shows the numbers of a chart under its figure, by a key.
    """
    with st.container(horizontal=True, key=f"charts-{key}"):
        for at, chart in enumerate(blocks):
            with st.container(key=f"figure-{key}-{at}"):
                lines.head(chart.title)
                numbers([_drawn(chart, f"plotly-{key}-{at}")], f"numbers-{key}-{at}")


def _drawn(chart: Chart, key: str) -> Chart:
    """Draw the figure of a chart; returns the chart with it as plotly's JSON."""
    theme, curves = _theme(), {curve.name: curve.y for curve in chart.curves}
    fig = figures.curves(
        chart.x, curves, title=chart.title, x_title=chart.x_title, log_x=chart.log_x, log_y=chart.log_y,
        marked=chart.marked, theme=theme,
    )  # fmt: skip
    json = fig.to_json()
    is_projected = visitor.size() == "projector"
    k = figures.PROJECTOR if is_projected else 1
    fig.update_layout(
        template=figures.template_name(theme, is_projected=is_projected), paper_bgcolor=CLEAR, plot_bgcolor=CLEAR,
        margin={side: room * k for side, room in MARGIN.items()}, dragmode=False, title=None,
    )  # fmt: skip
    st.plotly_chart(
        fig, theme=None, key=key, height=round(HEIGHT * k), config=CONFIG, alt=chart.title,
    )  # fmt: skip
    return replace(chart, figure=json)


def _theme() -> Theme:
    """The theme of the page; at another one the browser asks for another run (views/hosts/theme_button.js)."""
    return "dark" if st.context.theme.type == "dark" else "light"
