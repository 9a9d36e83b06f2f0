"""Figures of attention weights: one head, several, two compared, and how far heads look."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.compare.difference import Difference
from attnviz.core.errors import InputError
from attnviz.core.site import Site
from attnviz.figures.labels import Counting, check_count, check_is, drawn, names_of, place, plain, told_apart
from attnviz.figures.template import signed_scale, weight_scale
from attnviz.palette import SERIES, TOKENS, Theme
from attnviz.text import Language, Strings, strings
from attnviz.trace.trace import Trace

MOST_TOKENS = 512  # drawn one by one on a side; more are pooled
MOST_ARCS = 4000  # lines of one figure
SMALLEST_ARC = 0.01  # weight of a line that can be seen
MOST_HEADS = 64  # pictures of one figure
Numbers = NDArray[np.floating]


def pattern(
    trace: Trace, site: str | Site, head: int, *, lang: Language = "en", theme: Theme = "light",
    count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The weights of one head as a matrix: a row for each query token, a column for each key token.

    >>> import attnviz as av
    >>> fig = av.figures.pattern(av.load("reverse").trace("a b c"), "encoder.1.self", head=0)
    >>> fig.data[0].z.shape
    (4, 4)

    Args:
        trace: any run.
        site, head: whose weights, counted from 0.
        lang: of the words on it. theme: "light" or "dark".
        count_from: from which number the labels count layers, heads and tokens, said in the footnote; as
            `av.options` says if not given.
    Returns:
        a heat map from 0 to 1, where the colour of a weight lies at its square root. Above 512 tokens a side each cell
        is the largest weight of a block, and the footnote says so.
    Raises:
        TraceShapeError: there is no such site. InputError: there is no such head.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    record = trace[site]
    rows, columns = names_of(trace.query_tokens(record.site)), names_of(trace.key_tokens(record.site))
    if max(len(rows), len(columns)) <= MOST_TOKENS:
        weights, notes = record.weights(head).numpy(), []
    else:
        weights = record.preview(head, MOST_TOKENS).numpy()  # the largest weight of each block
        notes = [say("figure-pooled", queries=len(rows), keys=len(columns))]
        rows, columns = (told_apart(blocks(names, n)) for names, n in zip((rows, columns), weights.shape, strict=True))
    fig = go.Figure(weights_map(say, weights, rows, columns, theme))
    fig.update_xaxes(title=say("figure-key"), side="bottom", **categories())
    fig.update_yaxes(title=say("figure-query"), autorange="reversed", **categories(), **squares(weights.shape))
    title = place(say, record.site, record.check_head(head), start)
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=notes)


def squares(shape: tuple[int, ...]) -> dict[str, object]:
    """Cells as wide as they are tall, where the sides are alike; a text beside a much longer one fills the figure."""
    return {"scaleanchor": "x"} if max(shape) <= 2 * min(shape) else {}


def blocks(names: Sequence[str], n: int) -> list[str]:
    """The first and last token of each of n blocks."""
    edges = [round(at * len(names) / n) for at in range(n + 1)]
    parts = [names[a:b] for a, b in pairwise(edges)]
    return [part[0] if len(part) == 1 else f"{part[0]} … {part[-1]}" for part in parts]


def weights_map(say: Strings, weights: Numbers, rows: list[str], columns: list[str], theme: Theme) -> go.Heatmap:
    """A heat map of weights, their range fixed to 0…1."""
    return go.Heatmap(
        z=np.ascontiguousarray(weights, dtype=np.float32), x=columns, y=rows, zmin=0, zmax=1,
        colorscale=weight_scale(theme), colorbar={"title": {"text": say("figure-weight")}, "thickness": 12},
        hovertemplate=f"%{{y}} → %{{x}}<br>{say('figure-weight')} %{{z:.6f}}<extra></extra>",
    )  # fmt: skip


def categories() -> dict[str, object]:
    return {"type": "category", "showgrid": False, "constrain": "domain"}


def heads(
    trace: Trace, which: Sequence[tuple[str | Site, int]], *, columns: int = 4, lang: Language = "en",
    theme: Theme = "light", count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The weights of chosen heads side by side, all on one colour range.

    >>> import attnviz as av
    >>> trace = av.load("reverse").trace("a b c")
    >>> len(av.figures.heads(trace, [("encoder.0.self", 0), ("encoder.1.self", 1)]).data)
    2

    Args:
        which: (site, head) of each picture, at most 64.
        columns: pictures in a row.
        Others as of `pattern`.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    if not 1 <= len(which) <= MOST_HEADS or columns < 1:
        raise InputError(f"{len(which)} heads in {columns} columns. Expected 1 to {MOST_HEADS} heads.")
    titles = [place(say, trace[site].site, trace[site].check_head(head), start) for site, head in which]
    columns = min(columns, len(which))
    fig = make_subplots(-(-len(which) // columns), columns, subplot_titles=titles)
    notes: list[str] = []
    for at, (site, head) in enumerate(which):
        one = pattern(trace, site, head, lang=lang, theme=theme, count_from=start)
        notes = [note for note in one.layout.annotations[-1].text.split("<br>")[2 + bool(trace.edits) :]]
        shown = one.data[0].update(coloraxis="coloraxis", colorscale=None, colorbar=None, zmin=None, zmax=None)
        fig.add_trace(shown, row=at // columns + 1, col=at % columns + 1)
    bar = {"title": {"text": say("figure-weight")}, "thickness": 12}
    fig.update_layout(coloraxis={"colorscale": weight_scale(theme), "cmin": 0, "cmax": 1, "colorbar": bar})
    fig.update_xaxes(showticklabels=False, **categories())
    fig.update_yaxes(showticklabels=False, autorange="reversed", **categories())
    fig.update_annotations(font={"size": 11, "color": TOKENS["ink-2"].on(theme)})
    title = say("figure-heads", n=len(which))
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=notes)


def arcs(
    trace: Trace, site: str | Site, head: int, *, query: int | None = None, lang: Language = "en",
    theme: Theme = "light", count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The weights of one head as lines from query tokens at the left to key tokens at the right.

    Args:
        query: the row whose lines are drawn alone, from 0 or, negative, from the end; None for all.
        Others as of `pattern`; the 4,000 largest weights of at least 1 % are drawn, and the footnote says so.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    record = trace[site]
    weights = record.weights(head).numpy()  # [T_q, T_k]
    rows, columns = names_of(trace.query_tokens(record.site)), names_of(trace.key_tokens(record.site))
    if query is not None and not -len(rows) <= query < len(rows):
        raise InputError(f"query={query}. Expected a row from 0 to {len(rows) - 1}, or from the end: -1 is the last.")
    seen = weights >= SMALLEST_ARC
    if query is not None:
        seen &= (np.arange(len(rows)) == row_number(query, len(rows)))[:, None]
    places = np.argwhere(seen)
    order = np.argsort(-weights[seen], kind="stable")[:MOST_ARCS]
    colour = TOKENS["pos"].on(theme)
    fig = go.Figure()
    for at, to in places[order].tolist():
        weight = float(weights[at, to])
        fig.add_scatter(
            x=[0, 1], y=[at, to], mode="lines", line={"width": 0.5 + 5.5 * weight, "color": colour},
            opacity=0.25 + 0.7 * weight, showlegend=False, meta=[rows[at], columns[to], weight],
            hovertemplate=f"%{{meta[0]}} → %{{meta[1]}}<br>{say('figure-weight')} %{{meta[2]:.6f}}<extra></extra>",
        )  # fmt: skip
    for x, names, anchor in ((0, rows, "middle left"), (1, columns, "middle right")):
        fig.add_scatter(
            x=[x] * len(names), y=list(range(len(names))), mode="text", text=names, textposition=anchor,
            showlegend=False, hoverinfo="skip",
        )  # fmt: skip
    fig.update_xaxes(
        visible=True, showgrid=False, zeroline=False, range=[-0.6, 1.6], tickvals=[0, 1],
        ticktext=[say("figure-query"), say("figure-key")],
    )  # fmt: skip
    fig.update_yaxes(visible=False, autorange="reversed")
    note = say("figure-arcs", shown=len(order), least=SMALLEST_ARC, cells=int((weights > 0).sum()))
    title = place(say, record.site, record.check_head(head), start)
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=[note])


def row_number(query: int, n: int) -> int:
    """A row of n, counted from 0 or, negative, from the end."""
    if not -n <= query < n:
        raise InputError(f"query={query}. Expected a row from 0 to {n - 1}, or from the end: -1 is the last.")
    return query % n


def tokens(
    trace: Trace, site: str | Site, head: int, query: int, *, a_line: int = 12, lang: Language = "en",
    theme: Theme = "light", count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The text with each token coloured by the weight that one row gives it.

    Args:
        query: the row, from 0 or, negative, from the end.
        a_line: tokens in one line.
        Others as of `pattern`.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    record = trace[site]
    names, queries = names_of(trace.key_tokens(record.site)), names_of(trace.query_tokens(record.site))
    row, a_line = row_number(query, len(queries)), max(1, a_line)
    weights = record.weights(head, slice(row, row + 1))[0].numpy()  # [T_k]
    n_lines = -(-len(names) // a_line)
    z = np.full((n_lines, a_line), np.nan, dtype=np.float32)
    labels = np.full((n_lines, a_line), "", dtype=object)
    z.reshape(-1)[: len(names)], labels.reshape(-1)[: len(names)] = weights, names
    fig = go.Figure(
        go.Heatmap(
            z=z, text=labels, texttemplate="%{text}", zmin=0, zmax=1, colorscale=weight_scale(theme), xgap=2, ygap=6,
            colorbar={"title": {"text": say("figure-weight")}, "thickness": 12},
            hovertemplate=f"{queries[row]} → %{{text}}<br>{say('figure-weight')} %{{z:.6f}}<extra></extra>",
            hoverongaps=False,
        )
    )  # fmt: skip
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False, autorange="reversed")
    fig.update_layout(height=200 + 44 * n_lines)
    title = say("figure-row", token=queries[row], place=place(say, record.site, record.check_head(head), start))
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace)


def difference(
    difference: Difference, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Two heads subtracted, A − B, from −1 to 1: what `av.compare(a, b).difference(…)` returns."""
    check_is(difference, Difference, "what av.compare(a, b).difference(site, head) returns")
    say, start = strings(lang), check_count(count_from)
    rows, columns = (
        told_apart(plain(unit.text) for unit in units.each) for units in (difference.queries, difference.keys)
    )
    if max(len(rows), len(columns)) > MOST_TOKENS:
        raise InputError(f"{len(rows)} x {len(columns)} words. Expected at most {MOST_TOKENS} a side.")
    label = say("figure-difference")
    fig = go.Figure(
        go.Heatmap(
            z=difference.signed.numpy(), x=columns, y=rows, zmin=-1, zmax=1, colorscale=signed_scale(theme),
            colorbar={"title": {"text": label}, "thickness": 12},
            customdata=torch.stack((difference.a, difference.b), -1).numpy(),
            hovertemplate=f"%{{y}} → %{{x}}<br>{label} %{{z:+.6f}}<br>A %{{customdata[0]:.6f}}, "
            "B %{customdata[1]:.6f}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-key"), **categories())
    fig.update_yaxes(title=say("figure-query"), autorange="reversed", **categories())
    a, b = (place(say, head.site, head.head, start) for head in (difference.head_a, difference.head_b))
    return drawn(fig, say, f"A {a} − B {b}", theme=theme, count_from=start, about=difference.about)


def distance(
    trace: Trace, which: Sequence[tuple[str | Site, int]], *, lang: Language = "en", theme: Theme = "light",
    count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """How much weight heads give to tokens at each distance, the mean over the rows that reach so far.

    Args:
        which: (site, head) of each line; self-attention alone, at most 8.
        Others as of `pattern`.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    if not 1 <= len(which) <= len(SERIES):
        raise InputError(f"{len(which)} heads came. Expected 1 to {len(SERIES)}, a line each.")
    fig = go.Figure()
    for site, head in which:
        record = trace[site]
        if record.site.kind != "self":
            raise InputError(
                f"{record.site} attends to another text, so its tokens have no distance. Take a .self one."
            )
        weights = record.weights(head)  # [T, T]
        offsets = range(1 - weights.shape[0], weights.shape[0])
        means = {-at: float(weights.diagonal(at).mean()) for at in offsets}
        shown = sorted(at for at in means if at >= 0 or any(means[far] for far in means if far < 0))
        fig.add_scatter(
            x=shown, y=[means[at] for at in shown], mode="lines+markers",
            name=place(say, record.site, record.check_head(head), start),
            hovertemplate=f"{say('figure-back')} %{{x}}<br>{say('figure-weight')} %{{y:.6f}}",
        )  # fmt: skip
    fig.update_xaxes(title=say("figure-back"))
    fig.update_yaxes(title=say("figure-mean-weight"), range=[0, 1])
    return drawn(fig, say, say("figure-by-distance"), theme=theme, count_from=start, trace=trace)
