"""Figures of reasons: parts that sum to a number, the residual stream read early, and what patching changes."""

from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.circuits.logits import Wrote
from attnviz.analysis.circuits.patching import Patched
from attnviz.analysis.circuits.score_ledger import Why
from attnviz.analysis.circuits.writers import Writer
from attnviz.core.errors import InputError
from attnviz.figures.labels import CountFrom, Counting, check_count, check_is, drawn, names_of, place, plain, told_apart
from attnviz.figures.per_head import column_name, head_map
from attnviz.figures.template import signed_scale, weight_scale
from attnviz.palette import TOKENS, Theme
from attnviz.text import Language, Strings, strings
from attnviz.trace.trace import Trace

MOST_PARTS = 40


def ledger(
    reasons: Why | Wrote, n: int = 12, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """The parts of a score or a logit as bars: the n largest, the sum of the others, and the whole.

    Args:
        reasons: what `av.why` or `av.wrote` returned.
        n: how many parts have a bar of their own, at most 40.
    Returns:
        bars whose parts sum to the whole; blue adds, orange takes away.
    """
    say, start = strings(lang), check_count(count_from)
    check_is(reasons, (Why, Wrote), "what av.why or av.wrote returns")
    if not 1 <= n <= MOST_PARTS:
        raise InputError(f"n={n}. Expected a number of bars from 1 to {MOST_PARTS}.")
    if isinstance(reasons, Wrote):
        names, parts, whole = (
            [written_by(writer, say, start) for writer in reasons.writers],
            reasons.parts.numpy(),
            reasons.logit,
        )
        title = say("figure-logit", token=plain(reasons.text))
        if reasons.against is not None:
            title = say("figure-logit-against", token=plain(reasons.text), against=plain(reasons.against_text))
    else:
        queries, keys = (
            [written_by(writer, say, start) for writer in side] for side in (reasons.queries, reasons.keys)
        )
        names = [f"{query} · {key}" for query in queries for key in keys]
        parts, whole = reasons.parts.flatten().numpy(), reasons.score
        site = place(say, reasons.site, reasons.head, start)
        title = say("figure-score", place=site, query=reasons.query + start, key=reasons.key + start)
    order = np.argsort(-np.abs(parts), kind="stable")
    shown, others = order[:n], order[n:]
    labels, values = [plain(names[at], 80) for at in shown], [float(parts[at]) for at in shown]
    if others.size:
        labels.append(say("figure-others", n=len(others)))
        values.append(float(parts[others].sum()))
    labels.append(say("figure-whole"))
    values.append(whole)
    colours = [TOKENS["pos" if value >= 0 else "neg"].on(theme) for value in values[:-1]] + [TOKENS["ink"].on(theme)]
    fig = go.Figure(
        go.Bar(
            x=values, y=told_apart(labels), orientation="h", marker={"color": colours},
            hovertemplate="%{y}<br>%{x:+.6g}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-part"), zeroline=True)
    fig.update_yaxes(title=say("figure-writer"), type="category", autorange="reversed", showgrid=False)
    note = [] if whole == 0 else [say("figure-sum", difference=reasons.difference)]
    return drawn(fig, say, title, theme=theme, count_from=start, trace=reasons.trace, notes=note)


def written_by(writer: Writer, say: Strings, start: CountFrom) -> str:
    """A writer in words, as the dashboard names it."""
    if writer.kind == "head" and writer.head is not None:
        return place(say, writer.site, writer.head, start)
    if writer.kind == "feed-forward" and writer.layer is not None:
        return say("heads-why-feed-forward", layer=writer.layer + start)
    name = say(f"heads-why-{'type' if writer.kind == 'token type' else writer.kind}")
    return f"{name}: {writer.name}" if writer.name else name


def lens(
    table: pd.DataFrame, trace: Trace, *, lang: Language = "en", theme: Theme = "light", count_from: Counting = None
) -> go.Figure:
    """The logit lens: layers by positions, in each cell the likeliest token, or the one that `av.logit_lens` was given,
    coloured by its probability.

    Args:
        table: what `av.logit_lens(trace)` returned. trace: the run it was made of.
    """
    say, start = strings(lang), check_count(count_from)
    check_is(table, pd.DataFrame, "the table of av.logit_lens(trace)")
    check_trace(trace)
    has_ranks = bool(
        table.duplicated(["point", "position"]).any()
    )  # else one token a cell: the likeliest, or a given one
    best = without_twins(table[table["rank"] == 1] if has_ranks else table)
    points = list(dict.fromkeys(best["point"]))
    names = names_of(trace.tokens.target or trace.tokens.source)
    if len(best) != len(points) * len(names):
        raise InputError(
            f"The table has {len(best)} cells and the text {len(names)} tokens. Give the table's own trace."
        )
    shape = len(points), len(names)
    words = np.array([plain(text, 14) for text in best["text"]], dtype=object).reshape(shape)
    fig = go.Figure(
        go.Heatmap(
            z=best["probability"].to_numpy().reshape(shape), x=names, y=points, text=words, zmin=0, zmax=1,
            texttemplate="%{text}" if shape[1] <= 24 else None, colorscale=weight_scale(theme),
            colorbar={"title": {"text": say("figure-probability")}, "thickness": 12},
            hovertemplate=f"%{{y}}, %{{x}}<br>%{{text}} {say('figure-probability')} %{{z:.4f}}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-position"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-point"), type="category", showgrid=False)  # the last block on top
    fig.update_layout(height=200 + 20 * len(points))
    return drawn(fig, say, say("figure-lens"), theme=theme, count_from=start, trace=trace)


def without_twins(best: pd.DataFrame) -> pd.DataFrame:
    """Each point once: what leaves a block and what enters the next one are the same stream."""
    rows = {
        point: rows_of_point[["token", "probability"]].to_numpy()
        for point, rows_of_point in best.groupby("point", sort=False)
    }
    points = list(rows)
    entries = [(before, after) for before, after in pairwise(points) if after.endswith(".in")]
    twins = [after for before, after in entries if np.array_equal(rows[before], rows[after])]
    return best[~best["point"].isin(twins)]


def patching(
    patched: Patched, column: str = "effect", *, lang: Language = "en", theme: Theme = "light",
    count_from: Counting = None,
) -> go.Figure:  # fmt: skip
    """What putting parts of the clean run into the corrupt one does to the number that is watched.

    Args:
        patched: what `av.patch` returned, for heads (a map of layers by heads), positions, feed-forwards and residual
            points (layers by positions) or edges (the largest as bars).
        column: "effect", "share", "value" or "gradient".
    """
    say, start = strings(lang), check_count(count_from)
    check_is(patched, Patched, "what av.patch returns")
    if column not in patched.table:
        raise InputError(f"There is no column {column!r}. The table has {', '.join(map(str, patched.table.columns))}.")
    title = plain(patched.metric, 80)
    if patched.what == "heads":
        fig = head_map(patched.table, column, lang=lang, theme=theme, count_from=start)
    elif patched.what != "edges":
        fig = positions_map(patched.table, column, say, theme, start)
    else:
        fig = edge_bars(patched.table, column, say, theme)
    fig.layout.annotations = ()
    more = patched.n_pairs - 1
    notes = [say("figure-effect", metric=title, clean=patched.clean, corrupt=patched.corrupt)]
    notes += [say("figure-more-pairs", n=more)] if more else []
    return drawn(fig, say, title, theme=theme, count_from=start, about=patched.about, notes=notes)


def positions_map(table: pd.DataFrame, column: str, say: Strings, theme: Theme, start: CountFrom) -> go.Figure:
    wide = table.pivot(index="site", columns="token", values=column)
    wide = wide.loc[list(table.sort_values("layer", kind="stable")["site"].unique())]
    largest = float(np.nanmax(np.abs(wide.to_numpy()))) or 1.0
    fig = go.Figure(
        go.Heatmap(
            z=wide.to_numpy(), x=[str(int(at) + start) for at in wide.columns],
            y=[place(say, key if key.count(".") > 1 else f"{key}.self", None, start) for key in wide.index],
            zmin=-largest, zmax=largest, colorscale=signed_scale(theme),
            colorbar={"title": {"text": column_name(say, column)}, "thickness": 12},
            hovertemplate=f"%{{y}}, {say('figure-position')} %{{x}}<br>{column_name(say, column)} %{{z:+.6g}}"
            "<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-position"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-layer"), type="category", showgrid=False, autorange="reversed")
    return fig


def edge_bars(table: pd.DataFrame, column: str, say: Strings, theme: Theme) -> go.Figure:
    """The largest edges, by the columns that name them."""
    largest = table.reindex(table[column].abs().sort_values(ascending=False).index).head(MOST_PARTS)
    named = [name for name in table.columns if name in ("from_site", "from_head", "site", "head", "via")]
    labels = [plain(" → ".join(str(row[name]) for name in named), 80) for _, row in largest.iterrows()]
    colours = [TOKENS["pos" if value >= 0 else "neg"].on(theme) for value in largest[column]]
    fig = go.Figure(go.Bar(x=largest[column], y=told_apart(labels), orientation="h", marker={"color": colours}))
    fig.update_xaxes(title=column_name(say, column))
    fig.update_yaxes(title=say("figure-edge"), type="category", autorange="reversed", showgrid=False)
    return fig
