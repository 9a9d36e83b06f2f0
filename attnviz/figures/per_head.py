"""Figures of one number a head: heads by layer, two numbers against each other, two models beside each other."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from attnviz.analysis.compare.comparison import Comparison
from attnviz.analysis.compare.similarity import Similarity
from attnviz.analysis.heads.kinds import BY_NAME, head_kinds
from attnviz.analysis.heads.metrics import COLUMNS
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.figures.columns import colours, column_of
from attnviz.figures.labels import (
    CountFrom,
    Counting,
    check_count,
    check_is,
    drawn,
    number,
    place,
    plain,
    short_place,
    told_apart,
)
from attnviz.figures.lines import MARKS
from attnviz.figures.template import weight_scale
from attnviz.palette import SERIES, Theme
from attnviz.text import Language, Strings, strings

KIND_MARKS = (
    *MARKS[:5],
    "pentagon",
    "triangle-left",
    "hexagram",
    *MARKS[5:],
    "hexagon",
    "hourglass",
    "bowtie",
)  # fmt: skip; in the order of the kinds


def head_map(
    table: pd.DataFrame, column: str, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Any number of heads as a heat map of layers by heads.

    >>> import attnviz as av
    >>> metrics = av.head_metrics(av.load("reverse").trace("a b c"))
    >>> av.figures.head_map(metrics, "entropy").layout.xaxis.title.text
    'Head'

    Args:
        table: one row a head with the columns `site` and `head`: `av.head_metrics`, `av.survey(…).heads`,
            `av.patch(…).table`, `av.circuits(…).heads`, or your own.
        column: the number. One that was measured here has its title and its unit, your own its name. Shares lie on
            0…1; effects, and what has negative values, on a range symmetric about 0; any other number on 0…max.
        Others as of `pattern`.
    Raises:
        InputError: a column is missing, is no number, or a head comes twice.
    """
    say, start = strings(lang), check_count(count_from)
    values = numbers_of(table, column)
    sites = sorted(set(table["site"]), key=Site.parse)
    n_heads = 1 + int(table["head"].max())
    z = np.full((len(sites), n_heads), np.nan)
    z[[sites.index(site) for site in table["site"]], table["head"].to_numpy(dtype=int)] = values
    shown = column_of(table, column, say)
    fig = go.Figure(
        go.Heatmap(
            z=z, **colours(values, column, shown, theme), xgap=1, ygap=1, hoverongaps=False,
            x=[number(head, start) for head in range(n_heads)], y=[row_name(site, sites, say, start) for site in sites],
            hovertemplate=f"{say('figure-layer')} %{{y}}, {say('figure-head')} %{{x}}<br>{shown.label} %{{z:.6g}}"
            "<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-head"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-layer"), type="category", showgrid=False, autorange="reversed")
    return drawn(fig, say, shown.title, theme=theme, count_from=start, **runs_of(table, say))


def runs_of(table: pd.DataFrame, say: Strings) -> dict[str, Any]:
    """What a table that was measured here is of, for the footnote: its model and texts; nothing of any other."""
    about, n = table.attrs.get("about", []), table.attrs.get("texts", 0)
    named = sum(bool(text) for _, text, _ in about)
    notes = [say("figure-more-texts" if named else "figure-over-texts", n=n - named)] if about and n > named else []
    return {"about": about, "notes": notes}


def row_name(site: str, sites: list[str], say: Strings, start: CountFrom) -> str:
    """The layer's number, and of which attention where there are several in a layer."""
    parsed = [Site.parse(key) for key in sites]
    is_one = len({(site.stack, site.kind) for site in parsed}) == 1
    return number(Site.parse(site).layer, start) if is_one else place(say, site, None, start)


def numbers_of(table: pd.DataFrame, column: str) -> np.ndarray:
    """A column of a table of heads as float64; a table that is none, or a column without numbers, is refused."""
    if not isinstance(table, pd.DataFrame):
        raise InputError(id="no-table-of-heads", came=type(table).__name__)
    missing = [name for name in ("site", "head", column) if name not in table]
    if missing:
        raise InputError(id="no-column", column=repr(missing[0]), columns=tuple(map(str, table.columns)))
    if table.duplicated(["site", "head"]).any():
        raise InputError(id="head-twice")
    if not pd.api.types.is_numeric_dtype(table[column]):
        raise InputError(id="column-of-no-numbers", column=repr(column))
    return table[column].to_numpy(dtype=float, na_value=np.nan)


def scatter(
    table: pd.DataFrame, x: str, y: str, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Two numbers of all heads against each other, a point a head, its colour and mark by its kind.

    Args:
        table: as of `head_map`. Kinds come from a column `kind_of_head`, or from the metrics of `av.head_metrics`; any
            other table has none.
        x, y: columns.
    """
    say, start = strings(lang), check_count(count_from)
    across, up = numbers_of(table, x), numbers_of(table, y)
    over, up_of = column_of(table, x, say), column_of(table, y, say)
    labels = [place(say, site, int(head), start) for site, head in zip(table["site"], table["head"], strict=True)]
    fig = go.Figure()
    for name, colour, symbol, rows in groups_of(table, say, theme):
        fig.add_scatter(
            x=across[rows], y=up[rows], mode="markers", name=name, text=[labels[row] for row in rows],
            marker={"color": colour, "symbol": symbol, "size": 8}, customdata=rows,
            hovertemplate=f"%{{text}}<br>{over.label} %{{x:.6g}}<br>{up_of.label} %{{y:.6g}}"
            + "<extra></extra>" * (not name),
        )  # fmt: skip
    fig.update_xaxes(title=over.label)
    fig.update_yaxes(title=up_of.label)
    title = say("figure-against", up=up_of.title, across=over.title)
    return drawn(fig, say, title, theme=theme, count_from=start, **runs_of(table, say))


def groups_of(table: pd.DataFrame, say: Strings, theme: Theme) -> list[tuple[str, str, str, np.ndarray]]:
    """The name, colour, mark and rows of each kind that a table has; of one without kinds all rows, without a name."""
    if "kind_of_head" not in table and not set(COLUMNS) <= set(table.columns):
        return [("", SERIES[0].on(theme), MARKS[0], np.arange(len(table)))]
    kinds = (table["kind_of_head"] if "kind_of_head" in table else head_kinds(table)).to_numpy()
    each = zip(BY_NAME.values(), KIND_MARKS, strict=True)
    groups = [(say(kind.title), kind.colour.on(theme), mark, np.flatnonzero(kinds == kind.name)) for kind, mark in each]
    return [group for group in groups if len(group[-1])]


def similarity(
    result: Comparison | Similarity, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """How alike every head of A and every head of B are: 1 − the mean divergence of their rows, 1 where they are equal.

    Args:
        result: `av.compare(a, b)`, or a Similarity over many sentences.
    """
    say, start = strings(lang), check_count(count_from)
    check_is(result, (Comparison, Similarity), "what av.compare(a, b) returns")
    alike = result.similarity if isinstance(result, Comparison) else result
    sides = alike.heads_a, alike.heads_b
    names = [told_apart(short_place(head.site, head.head, start) for head in side) for side in sides]
    label = say("figure-alike")
    fig = go.Figure(
        go.Heatmap(
            z=1 - alike.js, x=names[1], y=names[0], zmin=0, zmax=1, colorscale=weight_scale(theme),
            colorbar={"title": {"text": label}, "thickness": 12}, customdata=alike.js,
            hovertemplate=f"A %{{y}}<br>B %{{x}}<br>{label} %{{z:.4f}} ({say('figure-bits')} %{{customdata:.4f}})"
            "<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=f"B: {plain(say.named(alike.card_b.name))}", type="category", showgrid=False)
    fig.update_yaxes(
        title=f"A: {plain(say.named(alike.card_a.name))}", type="category", showgrid=False, autorange="reversed"
    )
    about = [trace.about for trace in result.traces] if isinstance(result, Comparison) else []
    return drawn(fig, say, label, theme=theme, count_from=start, about=about)
