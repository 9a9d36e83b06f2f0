"""Figures of reasons: parts that sum to a number, the residual stream read early, and what patching changes."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from attnviz.analysis.circuits.arguments import check_trace
from attnviz.analysis.circuits.logits import Wrote
from attnviz.analysis.circuits.patching import EACH, Patched
from attnviz.analysis.circuits.score_ledger import Why
from attnviz.analysis.circuits.writers import Writer
from attnviz.core.errors import InputError
from attnviz.figures.columns import Column, colours, column_of, in_unit
from attnviz.figures.labels import (
    BAR,
    CountFrom,
    Counting,
    check_count,
    check_is,
    cut,
    drawn,
    labels_left,
    names_of,
    place,
    plain,
    point_name,
    told_apart,
)
from attnviz.figures.per_head import head_map
from attnviz.figures.template import weight_scale
from attnviz.palette import TOKENS, Theme
from attnviz.text import Language, Strings, strings
from attnviz.trace.trace import Trace

MOST_PARTS = 40
MOST_WORDS = 24  # positions of the lens up to which each cell has its word
CELL, NARROW_CELL, WIDEST, LEAST_WIDTH = 60, 16, 1200, 640  # px: a cell with a word and without, all of these, a figure
WORD, ROW = 10, 20  # px: type in a cell, and its height
OWN_METRICS = {"metric": "own", "cosine": "cosine", EACH: "each"}  # of `av.patch` without tokens


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
    check_is(reasons, (Why, Wrote), "av.why / av.wrote")
    if not 1 <= n <= MOST_PARTS:
        raise InputError(id="bars-of-figure", n=repr(n), most=MOST_PARTS)
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
    inks = [TOKENS["pos" if value >= 0 else "neg"].on(theme) for value in values[:-1]] + [TOKENS["ink"].on(theme)]
    unit = "logits" if isinstance(reasons, Wrote) else "score"
    fig = go.Figure(
        go.Bar(
            x=values, y=told_apart(labels), orientation="h", marker={"color": inks},
            hovertemplate=f"%{{y}}<br>{in_unit(say, '%{x:+.6g}', unit)}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=in_unit(say, say("figure-part"), unit), zeroline=True)
    fig.update_yaxes(title=say("figure-writer"), type="category", autorange="reversed", showgrid=False)
    note = [] if whole == 0 else [say("figure-sum", difference=reasons.difference)]
    writers = reasons.writers if isinstance(reasons, Wrote) else (*reasons.queries, *reasons.keys)
    if start == 1 and any(any(map(str.isdigit, writer.name)) for writer in writers if writer.kind == "bias"):
        note.append(say("figure-biases-in-code"))
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
    check_is(table, pd.DataFrame, "av.logit_lens(trace)")
    check_trace(trace)
    missing = [name for name in ("point", "position", "rank", "token", "text", "probability") if name not in table]
    if missing:
        raise InputError(id="no-column", column=repr(missing[0]), columns=tuple(map(str, table.columns)))
    has_several = bool(table.duplicated(["point", "position"]).any())  # else one token a cell, whichever it is
    best = without_twins(table[table["rank"] == 1] if has_several else table)
    tokens = trace.tokens.target or trace.tokens.source
    points, places = list(dict.fromkeys(best["point"])), positions_of(best, len(tokens))
    names = names_of(tokens)
    shape = len(points), len(places)
    texts = best["text"].tolist()
    words = [cut(text, CELL - 6, WORD) for text in texts] if shape[1] <= MOST_WORDS else None
    hover = np.array([[plain(text) for text in texts], [str(rank) for rank in best["rank"]]], dtype=object).T.reshape(
        *shape, 2
    )
    fig = go.Figure(
        go.Heatmap(
            z=best["probability"].to_numpy().reshape(shape), x=[names[at] for at in places],
            y=told_apart(point_name(point, say, start) for point in points), customdata=hover,
            text=None if words is None else np.array(words, dtype=object).reshape(shape), zmin=0, zmax=1,
            texttemplate=None if words is None else "%{text}", textfont={"size": WORD}, colorscale=weight_scale(theme),
            colorbar={"title": {"text": say("figure-probability")}, "thickness": 12},
            hovertemplate=f"%{{y}}, %{{x}}<br>%{{customdata[0]}}: {say('figure-probability')} %{{z:.4f}}, "
            f"{say('figure-rank')} %{{customdata[1]}}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-position"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-point"), type="category", showgrid=False)  # the last block on top
    cells = CELL * shape[1] if words is not None else min(NARROW_CELL * shape[1], WIDEST)
    fig.update_layout(width=max(LEAST_WIDTH, labels_left(fig.layout.yaxis, fig) + BAR + cells))
    title = say("figure-lens")
    if best["token"].nunique() == 1 and (best["rank"] > 1).any():
        title = say("figure-lens-token", token=plain(texts[0]))
    elif (best["rank"] > 1).any():
        title = say("figure-lens-ranks")
    height = max(330, ROW * len(points))
    return drawn(fig, say, title, theme=theme, count_from=start, trace=trace, height=height)


def positions_of(best: pd.DataFrame, n: int) -> list[int]:
    """The positions that every point of the lens has; a table of others is refused."""
    by_point = {point: rows["position"].tolist() for point, rows in best.groupby("point", sort=False)}
    if not by_point:
        raise InputError(id="table-without-rows")
    places = next(iter(by_point.values()))
    if max(places) >= n:
        raise InputError(id="table-of-other-text", position=str(max(places)), n=n)
    for point, positions in by_point.items():
        if positions != places:
            lacks = sorted({*places} ^ {*positions})
            raise InputError(
                id="points-differ", point=str(point), other=str(next(iter(by_point))), positions=tuple(map(str, lacks))
            )
    return places


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
        column: "effect", "share", "value" or "gradient"; of several pairs "effect_sd" too.
    """
    say, start = strings(lang), check_count(count_from)
    check_is(patched, Patched, "av.patch")
    if column not in patched.table:
        raise InputError(id="no-column", column=repr(column), columns=tuple(map(str, patched.table.columns)))
    shown = column_of(patched.table, column, say)
    if patched.what == "heads":
        fig = head_map(patched.table, column, lang=lang, theme=theme, count_from=start)
    elif patched.what != "edges":
        fig = positions_map(patched, column, shown, say, theme, start)
    else:
        fig = edge_bars(patched.table, column, shown, say, theme, start)
    fig.layout.annotations = ()
    more, n = patched.n_pairs - 1, len(patched.table)
    metric = metric_name(patched, say, start)
    notes = [say("figure-effect", metric=metric, clean=patched.clean, corrupt=patched.corrupt)]
    notes += [say("figure-more-pairs", n=more)] if more else []
    notes += [say("figure-stopped", done=n, all=patched.n_asked)] if n < patched.n_asked else []
    if patched.n_pairs < patched.n_pairs_asked:
        notes.append(say("figure-stopped-pairs", done=patched.n_pairs, all=patched.n_pairs_asked))
    what = say("figure-patched-what", what=patched.what, direction=patched.direction)
    title = say("figure-patched", what=what, column=shown.title, metric=metric)
    return drawn(fig, say, title, theme=theme, count_from=start, about=patched.about, notes=notes)


def metric_name(patched: Patched, say: Strings, start: CountFrom) -> str:
    """What was watched, in words."""
    if patched.texts is None:
        name = say(f"figure-metric-{OWN_METRICS[patched.metric]}")
    else:
        one, other = map(plain, patched.texts)
        name = say("figure-logit-against", token=one, against=other)
    return name if patched.position is None else say("figure-at", what=name, position=patched.position + start)


def positions_map(
    patched: Patched, column: str, shown: Column, say: Strings, theme: Theme, start: CountFrom
) -> go.Figure:
    """Layers by positions; each by its token, by its number where rows are of several texts."""
    table = patched.table
    wide = table.pivot(index="site", columns="token", values=column)
    wide = wide.loc[list(table.sort_values("layer", kind="stable")["site"].unique())]
    rows = [tokens_at(patched, site, wide.columns) for site in wide.index]
    numbers = [str(int(at) + start) for at in wide.columns]
    is_one = all(row == rows[0] for row in rows) and any(rows[0])
    fig = go.Figure(
        go.Heatmap(
            z=wide.to_numpy(), x=told_apart(rows[0]) if is_one else numbers,
            y=[place(say, key if key.count(".") > 1 else f"{key}.self", None, start) for key in wide.index],
            **colours(wide.to_numpy(), column, shown, theme),
            customdata=np.array([[numbers] * len(rows), rows], dtype=object).transpose(1, 2, 0),
            hovertemplate=f"%{{y}}, {say('figure-position')} %{{customdata[0]}} %{{customdata[1]}}<br>"
            f"{shown.label} %{{z:+.6g}}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=say("figure-token" if is_one else "figure-position"), type="category", showgrid=False)
    fig.update_yaxes(title=say("figure-layer"), type="category", showgrid=False, autorange="reversed")
    return fig


def tokens_at(patched: Patched, site: str, positions: Iterable[int]) -> list[str]:
    """The tokens of a site's rows: clean / corrupt where they differ; "" of several pairs of texts."""
    if not patched.read:
        return ["" for _ in positions]
    is_source = site.startswith("encoder") or patched.read[0].target is None
    clean, corrupt = (each.source if is_source else each.target or each.source for each in patched.read)
    names = []
    for at in map(int, positions):
        both = clean.name(at), corrupt.name(at)
        names.append(plain(both[0]) if clean.ids[at] == corrupt.ids[at] else " / ".join(map(plain, both)))
    return names


def edge_bars(
    table: pd.DataFrame, column: str, shown: Column, say: Strings, theme: Theme, start: CountFrom
) -> go.Figure:
    """The largest edges, from head to head and by what it reads."""
    largest = table.reindex(table[column].abs().sort_values(ascending=False).index).head(MOST_PARTS)
    columns = [largest[name] for name in ("from_site", "from_head", "site", "head", "via")]
    labels = [
        f"{place(say, sender, int(number), start)} → {place(say, reader, int(head), start)}, {via}"
        for sender, number, reader, head, via in zip(*columns, strict=True)
    ]
    fig = go.Figure(
        go.Bar(
            x=largest[column], y=told_apart(labels), orientation="h",
            marker={"color": [TOKENS["pos" if value >= 0 else "neg"].on(theme) for value in largest[column]]},
            hovertemplate=f"%{{y}}<br>{shown.label} %{{x:+.6g}}<extra></extra>",
        )
    )  # fmt: skip
    fig.update_xaxes(title=shown.label)
    fig.update_yaxes(title=say("figure-edge"), type="category", autorange="reversed", showgrid=False)
    return fig
