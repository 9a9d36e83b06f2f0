"""Figures of plain numbers: as lines over one that they depend on, or how many of them lie where."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from attnviz.core.errors import InputError
from attnviz.figures.labels import plain, told_apart
from attnviz.figures.template import template_name
from attnviz.palette import SERIES, TOKENS, Theme
from attnviz.text.numbers import figure

MARKS = ("circle", "diamond", "square", "triangle-up", "triangle-down", "cross", "x", "star")
MOST_TICKS = 12  # numbers of an axis up to which each is named
FEW = 4  # powers of ten on an axis, up to which others stand between them
MOST_BARS = 20
MOST_MARKS = 80  # numbers of a line up to which each has a mark


def curves(
    x: Sequence[float], lines: Mapping[str, Sequence[float | None]], *, title: str, x_title: str, log_x: bool = False,
    log_y: bool = False, marked: int | None = None, theme: Theme = "light",
) -> go.Figure:  # fmt: skip
    """Several numbers that depend on one, as lines over it.

    >>> import attnviz as av
    >>> fig = av.figures.curves([1, 2, 4], {"q·k": [1, 4, 16], "√": [1, 2, 4]}, title="Spread", x_title="width")
    >>> [line.name for line in fig.data]
    ['q·k', '√']

    Args:
        x: what they depend on.
        lines: of each name as many numbers as there are x; None where there is none, which breaks the line.
        title: what they are. x_title: what x is.
        log_x, log_y: whether an axis is logarithmic.
        marked: an index of x that a line across points out.
        theme: "light" or "dark".
    Raises:
        InputError: no line or more than 8, or one with more or fewer numbers than x.
    """
    if not 1 <= len(lines) <= len(SERIES):
        raise InputError(id="too-many-lines", n=len(lines), most=len(SERIES))
    fig = go.Figure()
    for (name, y), mark in zip(lines.items(), MARKS, strict=False):
        if len(y) != len(x):
            raise InputError(id="line-of-other-length", name=repr(name), n=len(y), expected=len(x))
        numbers = np.array([np.nan if value is None else value for value in y], dtype=float)
        fig.add_scatter(
            x=list(x), y=[float(value) if np.isfinite(value) else None for value in numbers], name=plain(name, 80),
            mode="lines+markers" if len(x) <= MOST_MARKS else "lines", marker={"symbol": mark, "size": 7},
            cliponaxis=False, hovertemplate="%{y:.4~g}",
        )  # fmt: skip
    strong = TOKENS["line-2"].on(theme)
    fig.update_xaxes(title=plain(x_title, 80), type="log" if log_x else "linear", showgrid=False, zeroline=False)
    fig.update_yaxes(type="log" if log_y else "linear", rangemode="normal" if log_y else "tozero")
    if log_y and (placed := [value for line in fig.data for value in line.y if value is not None and value > 0]):
        ticks = log_ticks(min(placed), max(placed))
        fig.update_yaxes(tickvals=ticks, ticktext=[tick_text(at) for at in ticks])
    if len(x) <= MOST_TICKS:
        fig.update_xaxes(tickvals=list(x), ticktext=[f"{at:,}" for at in x], tickangle=0)
    if marked is not None:
        fig.add_vline(x[marked], line={"color": strong, "dash": "dot", "width": 1})
    return fig.update_layout(
        template=template_name(theme), title={"text": plain(title, 120)}, hovermode="x unified",
        showlegend=len(lines) > 1, legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )  # fmt: skip


def histogram(
    values: Sequence[float], *, title: str, x_title: str, y_title: str, marked: float | None = None,
    theme: Theme = "light",
) -> go.Figure:  # fmt: skip
    """How many of some numbers lie where, as bars over ranges of one width.

    >>> import attnviz as av
    >>> fig = av.figures.histogram([0.1, 0.12, 0.9], title="First token", x_title="weight", y_title="heads")
    >>> sum(fig.data[0].y)
    3

    Args:
        values: those that are no finite number are left out.
        title: what they are. x_title: their unit. y_title: what is counted.
        marked: a value that a line points out.
        theme: "light" or "dark".
    Returns:
        bars of at most 20 ranges, each 1, 2 or 5 times a power of ten wide; `customdata` has their ends.
    Raises:
        InputError: there is no number.
    """
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        raise InputError(id="no-number")
    edges = ranges(float(numbers.min()), float(numbers.max()))
    counts, _ = np.histogram(numbers.clip(edges[0], edges[-1]), edges)  # an end may be rounded
    fig = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2, y=counts, width=np.diff(edges), marker={"color": SERIES[0].on(theme)},
            customdata=np.stack([edges[:-1], edges[1:]], 1),
            hovertemplate="%{customdata[0]:.4~g} – %{customdata[1]:.4~g}: %{y}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=plain(x_title, 80), showgrid=False)
    fig.update_yaxes(title=plain(y_title, 80), tickformat="d", rangemode="tozero")
    if marked is not None:
        fig.add_vline(marked, line={"color": TOKENS["line-2"].on(theme), "dash": "dot", "width": 1})
    return fig.update_layout(template=template_name(theme), title={"text": plain(title, 120)}, bargap=0.06)


def counts(
    given: pd.DataFrame, *, title: str, out_of: Sequence[int] | None = None, marked: str | None = None,
    theme: Theme = "light",
) -> go.Figure:  # fmt: skip
    """How often each of several answers was given, by one group or several, as bars in their order.

    >>> import attnviz as av, pandas as pd
    >>> given = pd.DataFrame({"class": [12, 3]}, index=["Paris", "London"])
    >>> av.figures.counts(given, title="The capital of France is", marked="Paris").data[0].text
    ('12 · 80%', '3 · 20%')

    Args:
        given: how often, a row an answer and a column a group.
        title: what was asked.
        out_of: how many each group is; as many as it gave answers, if it is left out.
        marked: the answer that a tick is set to.
        theme: "light" or "dark".
    Returns:
        bars whose length is the share of their group.
    Raises:
        InputError: there is no answer, or more than 8 groups.
    """
    if given.empty:
        raise InputError(id="no-number")
    if len(given.columns) > len(SERIES):
        raise InputError(id="too-many-lines", n=len(given.columns), most=len(SERIES))
    names = (f"✓ {plain(str(each), 80)}" if each == marked else plain(str(each), 80) for each in given.index)
    answers, fig = told_apart(names), go.Figure()
    for at, group in enumerate(given.columns):
        numbers = [int(n) for n in given[group]]
        whole = (out_of[at] if out_of is not None else sum(numbers)) or 1
        fig.add_bar(
            x=[n / whole for n in numbers], y=answers, name=plain(str(group), 80), orientation="h", cliponaxis=False,
            marker={"color": SERIES[at].on(theme)}, customdata=numbers, hovertemplate="%{y}: %{text}",
            text=[f"{n} · {share(n, whole)}" for n in numbers], textposition="auto", insidetextanchor="end",
        )  # fmt: skip
    fig.update_xaxes(range=[0, 1], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    fig.update_yaxes(type="category", autorange="reversed", showgrid=False, ticklabelstandoff=6)
    return fig.update_layout(
        template=template_name(theme), title={"text": plain(title, 120)}, bargap=0.3,
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )  # fmt: skip


def share(n: int, whole: int) -> str:
    """A part of a whole in percent; one that is there is never "0%"."""
    return "<1%" if 0 < n / whole <= 0.005 else f"{n / whole:.0%}"


def ranges(low: float, high: float) -> np.ndarray:
    """The ends of the fewest ranges of a round width, at most 20, that hold low to high."""
    span = high - low or max(abs(low), 1.0)
    power = 10.0 ** math.floor(math.log10(span / MOST_BARS))
    for width in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.floor(low / width), math.floor(high / width) + 1
        if last - first <= MOST_BARS:
            break
    return np.arange(first, last + 1) * width


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten around low…high, with 2 and 5 between them where there are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    digits = (1, 2, 5) if len(powers) <= FEW else (1,)
    return [digit * 10.0**power for power in powers[:: -(-len(powers) // MOST_TICKS)] for digit in digits]


def tick_text(value: float) -> str:
    """A number of an axis: 0.05, 200, 10,000, 10⁶."""
    return f"{value:,.0f}" if 1000 <= value < 99_999 else figure(value).replace("1.0×", "")
