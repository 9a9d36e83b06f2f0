"""Figures of one number a head: heads by layer, two numbers against each other, two models beside each other."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from attnviz.analysis.compare.comparison import Comparison
from attnviz.analysis.compare.similarity import Similarity
from attnviz.analysis.heads.kinds import BY_NAME, head_kinds
from attnviz.analysis.heads.metrics import title_of
from attnviz.core.errors import InputError
from attnviz.core.site import Site
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
from attnviz.figures.template import signed_scale, weight_scale
from attnviz.palette import Theme
from attnviz.text import Language, Strings, strings

KIND_MARKS = (*MARKS, "hexagon", "hourglass", "bowtie")  # in the order of the kinds
PATCHED = ("effect", "share", "value", "gradient")  # numbers of `av.patch`
SIGNED = ("effect", "share", "gradient")  # columns of differences: 0 is paper also where none is negative


def head_map(
    table: pd.DataFrame, column: str, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Any number of heads as a heat map of layers by heads.

    >>> import attnviz as av
    >>> metrics = av.head_metrics(av.load("reverse").trace("a b c"))
    >>> av.figures.head_map(metrics, "entropy").layout.xaxis.title.text
    'Head'

    Args:
        table: one row a head with the columns `site` and `head`: `av.head_metrics`, `av.patch(…).table`, or your own.
        column: the number. Shares lie on 0…1; effects, and what has negative values, on a range symmetric about 0; any
            other number on 0…max.
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
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise InputError(id="column-of-no-number", column=repr(column))
    low, high = float(finite.min()), float(finite.max())
    if low < 0 or column in SIGNED:
        ends, scale = (-max(-low, high), max(-low, high)), signed_scale(theme)
    else:
        ends, scale = (0.0, 1.0 if high <= 1 else high), weight_scale(theme)
    label = column_name(say, column)
    fig = go.Figure(
        go.Heatmap(
            z=z, zmin=ends[0], zmax=ends[1], colorscale=scale, xgap=1, ygap=1, hoverongaps=False,
            x=[number(head, start) for head in range(n_heads)], y=[row_name(site, sites, say, start) for site in sites],
            colorbar={"title": {"text": label}, "thickness": 12},
            hovertemplate=f"{say('figure-layer')} %{{y}}, {say('figure-head')} %{{x}}<br>{label} %{{z:.6g}}"
            "<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-head"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-layer"), type="category", showgrid=False, autorange="reversed")
    return drawn(fig, say, label, theme=theme, count_from=start, **runs_of(table, say))


def runs_of(table: pd.DataFrame, say: Strings) -> dict[str, Any]:
    """What a table of `av.head_metrics` is of, for the footnote; nothing of any other."""
    about, n = table.attrs.get("about", []), table.attrs.get("texts", 0)
    return {"about": about, "notes": [say("figure-more-texts", n=n - len(about))] if n > len(about) > 0 else []}


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


def column_name(say: Strings, column: str) -> str:
    """The title of a metric, or of a number of `av.patch`; of any other column its name."""
    return title_of(column, say) or (say(f"figure-patched-{column}") if column in PATCHED else plain(column))


def scatter(
    table: pd.DataFrame, x: str, y: str, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Two numbers of all heads against each other, a point a head, its colour and mark by its kind.

    Args:
        table: as of `head_map`. Kinds come from a column `kind_of_head`, or from the metrics themselves.
        x, y: columns.
    """
    say, start = strings(lang), check_count(count_from)
    across, up = numbers_of(table, x), numbers_of(table, y)
    kinds = table["kind_of_head"] if "kind_of_head" in table else head_kinds(table)
    labels = [place(say, site, int(head), start) for site, head in zip(table["site"], table["head"], strict=True)]
    fig = go.Figure()
    for kind, symbol in [
        marked for marked in zip(BY_NAME.values(), KIND_MARKS, strict=True) if (kinds == marked[0].name).any()
    ]:
        rows = np.flatnonzero((kinds == kind.name).to_numpy())
        fig.add_scatter(
            x=across[rows], y=up[rows], mode="markers", name=say(kind.title), text=[labels[row] for row in rows],
            marker={"color": kind.colour.on(theme), "symbol": symbol, "size": 8}, customdata=rows,
            hovertemplate=f"%{{text}}<br>{column_name(say, x)} %{{x:.6g}}<br>{column_name(say, y)} %{{y:.6g}}",
        )  # fmt: skip
    fig.update_xaxes(title=column_name(say, x))
    fig.update_yaxes(title=column_name(say, y))
    title = say("figure-against", up=column_name(say, y), across=column_name(say, x))
    return drawn(fig, say, title, theme=theme, count_from=start, **runs_of(table, say))


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
