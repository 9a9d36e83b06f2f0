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
from attnviz.figures.labels import (
    COLUMN,
    INK,
    Counting,
    Named,
    check_count,
    check_is,
    cut,
    drawn,
    names_of,
    place,
    place_of,
    plain,
    text_width,
    told_apart,
)
from attnviz.figures.template import signed_scale, weight_scale
from attnviz.palette import SERIES, TOKENS, Theme
from attnviz.text import Language, Strings, strings
from attnviz.trace.records import AttentionRecord
from attnviz.trace.trace import Trace

MOST_TOKENS = 512  # drawn one by one on a side; more are pooled
MOST_ARCS = 1000  # lines of one figure
SMALLEST_ARC = 0.01  # weight of a line that can be seen
MOST_HEADS = 64  # pictures of one figure
SQUARE, PICTURE = 400, 170  # px: height of the plot of one head, and of each row of several
ROW, TALLEST = 20, 1600  # px of a token of `arcs`, and of all of them
MOST_NAME = 190  # px of a token beside them
MOST_BOTH = 1 << 17  # cells of a difference up to which the numbers of A and of B stand beside each
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
    shown, notes = weights_of(trace, record, head, MOST_TOKENS, say, theme)
    fig = go.Figure(shown)
    fig.update_xaxes(title=say("figure-key"), side="bottom", **categories())
    fig.update_yaxes(title=say("figure-query"), autorange="reversed", **categories(), **squares(shown.z.shape))
    title = place(say, record.site, record.check_head(head), start)
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=notes, height=SQUARE)


def weights_of(
    trace: Trace, record: AttentionRecord, head: int, most: int, say: Strings, theme: Theme
) -> tuple[go.Heatmap, list[str]]:
    """A head's weights with at most so many cells a side, and what a footnote says of the others."""
    rows, columns = names_of(trace.query_tokens(record.site)), names_of(trace.key_tokens(record.site))
    if max(len(rows), len(columns)) <= most:
        return weights_map(say, record.weights(head).numpy(), rows, columns, theme), []
    weights = record.preview(head, most).numpy()  # the largest weight of each block
    note = say("figure-pooled", queries=len(rows), keys=len(columns))
    rows, columns = (told_apart(blocks(names, n)) for names, n in zip((rows, columns), weights.shape, strict=True))
    return weights_map(say, weights, rows, columns, theme), [note]


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
    trace: Trace, which: Sequence[Named], *, columns: int = 4, lang: Language = "en",
    theme: Theme = "light", count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The weights of chosen heads side by side, all on one colour range.

    >>> import attnviz as av
    >>> trace = av.load("reverse").trace("a b c")
    >>> len(av.figures.heads(trace, [("encoder.0.self", 0), "encoder.1.self.1"]).data)
    2

    Args:
        which: the head of each picture, at most 64: (site, head), "decoder.15.self.3", or "15.3" for the self-attention
            of layer 15, counted from 0 as of `av.ablate`. All have as many cells together as one pattern may: of 16
            above 128 tokens a side each cell is the largest weight of a block, and the footnote says so.
        columns: pictures in a row.
        Others as of `pattern`.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    if not isinstance(which, list | tuple):
        raise InputError(id="no-list-of-heads", came=type(which).__name__)
    if not 1 <= len(which) <= MOST_HEADS or columns < 1:
        raise InputError(id="too-many-heads-drawn", n=len(which), columns=columns, most=MOST_HEADS)
    each = [place_of(trace, head) for head in which]
    titles = [place(say, trace[site].site, trace[site].check_head(head), start) for site, head in each]
    columns = min(columns, len(which))
    n_rows = -(-len(which) // columns)
    gap = 30 / (n_rows * PICTURE)  # room for titles
    fig = make_subplots(n_rows, columns, subplot_titles=titles, vertical_spacing=gap)
    notes: list[str] = []
    most = int(MOST_TOKENS / len(which) ** 0.5)  # so that all have as many cells as one picture may
    for at, (site, head) in enumerate(each):
        shown, notes = weights_of(trace, trace[site], head, most, say, theme)
        shown.update(coloraxis="coloraxis", colorscale=None, colorbar=None, zmin=None, zmax=None)
        fig.add_trace(shown, row=at // columns + 1, col=at % columns + 1)
    bar = {"title": {"text": say("figure-weight")}, "thickness": 12}
    fig.update_layout(coloraxis={"colorscale": weight_scale(theme), "cmin": 0, "cmax": 1, "colorbar": bar})
    fig.update_xaxes(showticklabels=False, **categories())
    fig.update_yaxes(showticklabels=False, autorange="reversed", **categories())
    fig.update_annotations(font={"size": 11, "color": TOKENS["ink-2"].on(theme)})
    title = say("figure-heads", n=len(which))
    height = max(330, n_rows * PICTURE)
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=notes, height=height)


def arcs(
    trace: Trace, site: str | Site, head: int, *, query: int | None = None, lang: Language = "en",
    theme: Theme = "light", count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """The weights of one head as lines from query tokens at the left to key tokens at the right.

    Args:
        query: the row whose lines are drawn alone, from 0 or, negative, from the end; None for all.
        Others as of `pattern`; the 1,000 largest weights of at least 1 % are drawn, and the footnote says so.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    record = trace[site]
    weights = record.weights(head).numpy()  # [T_q, T_k]
    rows, columns = names_of(trace.query_tokens(record.site)), names_of(trace.key_tokens(record.site))
    if query is not None and not -len(rows) <= query < len(rows):
        raise InputError(id="no-query-row", query=repr(query), last=str(len(rows) - 1))
    seen = weights >= SMALLEST_ARC
    if query is not None:
        seen &= (np.arange(len(rows)) == row_number(query, len(rows)))[:, None]
    places = np.argwhere(seen)
    order = np.argsort(-weights[seen], kind="stable")[:MOST_ARCS]
    colour = TOKENS["pos"].on(theme)
    hover = f"%{{meta[0]}} → %{{meta[1]}}<br>{say('figure-weight')} %{{meta[2]:.6f}}<extra></extra>"
    lines = []
    for at, to in places[order].tolist():
        weight = float(weights[at, to])
        line = go.Scatter(
            x=[0, 1], y=[at, to], mode="lines", line={"width": 0.5 + 5.5 * weight, "color": colour},
            opacity=0.25 + 0.7 * weight, showlegend=False, meta=[rows[at], columns[to], weight], hovertemplate=hover,
        )  # fmt: skip
        lines.append(line)
    fig = go.Figure(lines)
    texts = [trace.query_tokens(record.site), trace.key_tokens(record.site)]
    sides = [[cut(tokens.name(at), MOST_NAME, INK) for at in range(len(tokens))] for tokens in texts]
    for x, names, anchor in ((0, sides[0], "middle left"), (1, sides[1], "middle right")):
        fig.add_scatter(
            x=[x] * len(names), y=list(range(len(names))), mode="text", text=names, textposition=anchor,
            showlegend=False, hoverinfo="skip",
        )  # fmt: skip
    beside = 12 + max(text_width(name, INK) for names in sides for name in names)  # px of a column of tokens
    beside = max(0.6, beside / (COLUMN - 80 - 2 * beside))  # of the width between both
    fig.update_xaxes(
        visible=True, showgrid=False, zeroline=False, range=[-beside, 1 + beside], tickvals=[0, 1],
        ticktext=[say("figure-query"), say("figure-key")],
    )  # fmt: skip
    fig.update_yaxes(visible=False, autorange="reversed")
    note = say("figure-arcs", shown=len(order), least=SMALLEST_ARC, cells=int((weights > 0).sum()))
    title = place(say, record.site, record.check_head(head), start)
    height = min(max(330, ROW * max(map(len, sides))), TALLEST)
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, notes=[note], height=height)


def row_number(query: int, n: int) -> int:
    """A row of n, counted from 0 or, negative, from the end."""
    if not -n <= query < n:
        raise InputError(id="no-query-row", query=repr(query), last=str(n - 1))
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
    title = say("figure-row", token=queries[row], place=place(say, record.site, record.check_head(head), start))
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, height=max(160, 44 * n_lines))


def difference(
    difference: Difference, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """Two heads subtracted, A − B, from −1 to 1: what `av.compare(a, b).difference(…)` returns."""
    check_is(difference, Difference, "av.compare(a, b).difference(site, head)")
    say, start = strings(lang), check_count(count_from)
    rows, columns = (
        told_apart(plain(unit.text) for unit in units.each) for units in (difference.queries, difference.keys)
    )
    if max(len(rows), len(columns)) > MOST_TOKENS:
        raise InputError(id="too-many-words-drawn", rows=len(rows), columns=len(columns), most=MOST_TOKENS)
    label = say("figure-difference")
    beside = [difference.a, difference.b][: 2 if difference.a.numel() <= MOST_BOTH else 1]  # B is A less the difference
    fig = go.Figure(
        go.Heatmap(
            z=difference.signed.numpy(), x=columns, y=rows, zmin=-1, zmax=1, colorscale=signed_scale(theme),
            colorbar={"title": {"text": label}, "thickness": 12},
            customdata=torch.stack(beside, -1).numpy(),
            hovertemplate=f"%{{y}} → %{{x}}<br>{label} %{{z:+.6f}}<br>A %{{customdata[0]:.6f}}"
            f"{', B %{customdata[1]:.6f}' * (len(beside) > 1)}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-key"), **categories())
    fig.update_yaxes(title=say("figure-query"), autorange="reversed", **categories(), **squares(difference.a.shape))
    a, b = (place(say, head.site, head.head, start) for head in (difference.head_a, difference.head_b))
    title = f"A {a} − B {b}"
    return drawn(fig, say, title, theme=theme, count_from=start, about=difference.about, height=SQUARE)


def distance(
    trace: Trace, which: Sequence[Named], *, lang: Language = "en", theme: Theme = "light",
    count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """How much weight heads give to tokens at each distance, the mean over the rows that reach so far.

    Args:
        which: the head of each line, as of `heads`; self-attention alone, at most 8.
        Others as of `pattern`.
    """
    say, start = strings(lang), check_count(count_from)
    check_trace(trace)
    if not isinstance(which, list | tuple):
        raise InputError(id="no-list-of-heads", came=type(which).__name__)
    if not 1 <= len(which) <= len(SERIES):
        raise InputError(id="too-many-lines-of-heads", n=len(which), most=len(SERIES))
    fig = go.Figure()
    for site, head in [place_of(trace, named) for named in which]:
        record = trace[site]
        if record.site.kind != "self":
            raise InputError(id="no-distance", site=str(record.site))
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
