"""Points of several kinds over two measures, each kind with a symbol and a colour of its own, one point ringed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import plotly.graph_objects as go

Figure: TypeAlias = go.Figure  # what is handed on; plotly itself is imported here alone
HEIGHT = 400  # pixels
MARK, RING = 10, 20  # pixels across
SMALL = ("triangle-down", "triangle-left", "triangle-right")  # that plotly draws smaller than the others


@dataclass(frozen=True)
class Group:
    """Points of one kind."""

    name: str
    symbol: str  # plotly's name of it
    colour: str


@dataclass(frozen=True)
class Palette:
    """The colours of what is no point."""

    ink: str
    ticks: str
    line: str
    surface: str


@dataclass(frozen=True)
class Axis:
    """One measure: its title, its values, and the range it can have (None: what the values need)."""

    title: str
    values: Sequence[float]
    low: float | None = None
    high: float | None = None


def scatter(
    x: Axis, y: Axis, groups: Sequence[Group], names: Sequence[str], palette: Palette, *, chosen: int | None = None
) -> Figure:
    """Draw the points whose two values are numbers.

    Args:
        x, y: the measures, a value a point.
        groups: of each point.
        names: of each point; with its group and both values on hover.
        palette: of the page's look.
        chosen: the point that is ringed.
    Returns:
        a figure whose points carry their number as `customdata`.
    """
    figure = go.Figure()
    known = [at for at in range(len(names)) if math.isfinite(x.values[at]) and math.isfinite(y.values[at])]
    for group in dict.fromkeys(groups):
        own = [at for at in known if groups[at] == group]
        if own:
            figure.add_trace(_points(own, x, y, group, names, palette))
    if chosen in known:
        figure.add_trace(_ring(chosen, x, y, names[chosen], palette))
    figure.update_layout(
        height=HEIGHT, margin={"l": 56, "r": 16, "t": 12, "b": 48}, showlegend=False, dragmode="pan",
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", hovermode="closest",
        font={"family": "Inter, sans-serif", "size": 11.5, "color": palette.ticks},
        hoverlabel={"bgcolor": palette.surface, "bordercolor": palette.line,
                    "font": {"color": palette.ink, "family": "Inter, sans-serif", "size": 12}},
        xaxis=_axis(x, palette), yaxis=_axis(y, palette), clickmode="event+select",
    )  # fmt: skip
    return figure


def _points(own: list[int], x: Axis, y: Axis, group: Group, names: Sequence[str], palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[x.values[at] for at in own], y=[y.values[at] for at in own], mode="markers", name=escaped(group.name),
        customdata=own, text=[f"{escaped(names[at])} · {escaped(group.name)}" for at in own],
        hovertemplate=f"<b>%{{text}}</b><br>{escaped(x.title)}: %{{x:.3f}}<br>{escaped(y.title)}: %{{y:.3f}}"
        "<extra></extra>",
        marker={"symbol": group.symbol, "color": group.colour, "size": 1.35 * MARK if group.symbol in SMALL else MARK,
                "line": {"width": 1, "color": palette.surface}},
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
    )  # fmt: skip


def _ring(at: int, x: Axis, y: Axis, name: str, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=[x.values[at]], y=[y.values[at]], mode="markers+text", text=[escaped(name)], textposition="top center",
        textfont={"color": palette.ink, "size": 12.5}, hoverinfo="skip", customdata=[at], cliponaxis=False,
        marker={"symbol": "circle-open", "size": RING, "color": palette.ink,
                "line": {"width": 2, "color": palette.ink}},
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
    )  # fmt: skip


def _axis(axis: Axis, palette: Palette) -> dict[str, object]:
    bounds = {} if axis.low is None or axis.high is None else {"range": _wide(axis.low, axis.high)}
    return {
        "title": {"text": escaped(axis.title), "font": {"size": 12, "color": palette.ticks}}, "showgrid": True,
        "gridcolor": palette.line, "linecolor": palette.line, "zeroline": False, "ticks": "",
        "tickfont": {"size": 11.5, "color": palette.ticks}, **bounds,
    }  # fmt: skip


def _wide(low: float, high: float) -> list[float]:
    """A little beyond both ends, so that points at them are whole."""
    room = 0.04 * (high - low)
    return [low - room, high + room]


def escaped(text: str) -> str:
    """Plotly reads a few tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
