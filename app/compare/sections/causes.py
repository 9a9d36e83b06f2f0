"""What causes the difference of two sentences: each head of A's run put into B's, and the same without training."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st
import torch
from attnviz_app.compare import state as page
from attnviz_app.compare.sections.tables import Places, pair_table, places_of, short
from attnviz_app.compare.sides import baseline
from attnviz_app.compare.state import COMPARE
from attnviz_app.host import component
from attnviz_app.host.events import later
from attnviz_app.jobs.many_runs import many_runs
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving.runs import runs
from attnviz_app.shell import lines
from attnviz_app.shell.pending import coming

from attnviz.analysis.circuits.patching import Patched, patch
from attnviz.analysis.compare import Comparison
from attnviz.analysis.compare.self_attention_heads import Head, heads_of
from attnviz.text import Strings
from attnviz.text.numbers import figure
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Map, Maps, Prose

Key = tuple[str, str, str, str, str]  # what names a patching: the model with its revision, and both texts
Both = tuple[Patched, Patched | None]  # of the model, and of its shape without training


def show(found: Comparison, say: Strings, *, shown: Places) -> None:
    """A guess first; then how far each head brings B's run back to A's, and who wants to goes to it."""
    now, guess = COMPARE.shown, page.guess()
    key: Key = ("patch", now.a, found.trace_a.card.revision, now.text, now.other)
    lines.section(say("compare-causes"))
    lines.note(say("compare-causes-about"))
    places = places_of(heads_of(found.trace_a))
    if guess is None:
        with st.container(key="compare-causes-guess", horizontal=True, vertical_alignment="bottom"):
            names = [short(head, places) for head in places]
            st.selectbox(
                say("compare-causes-guess"), names, None, key=page.GUESS, placeholder=say("compare-causes-no-guess")
            )
            st.button(say("compare-causes-start"), key=page.CAUSES_START, on_click=later(page.take_guess, page.GUESS))
        return
    measured = _measured(key, found.trace_a)
    if measured().found is None:
        coming(measured, say, says="compare-causes-coming")
        if measured().is_coming:
            st.button(say("view-heads-effect-stop"), key=page.CAUSES_STOP, on_click=later(_stop), args=(key,))
        return
    own, twin = measured().found  # type: ignore[misc]  # it is there
    both: Both = _in_picture(own, places), None if twin is None else _in_picture(twin, places)
    component.panel(blocks(both, found.trace_a, places, guess, say), say("compare-causes"), page.CAUSES, say)
    table = both[0].table
    heads = [Head(str(row.site), int(row.head)) for row in table.itertuples()]
    frame = pd.DataFrame({
        "head": [short(head, places) for head in heads], "share": 100 * table["share"],
        "effect": table["effect"], "gradient": table["gradient"],
    })  # fmt: skip
    number = st.column_config.NumberColumn
    pair_table(
        page.CAUSED, frame, [(*places[head], *places[head]) for head in heads], shown, say,
        {
            "head": st.column_config.TextColumn(say("compare-head"), width="small"),
            "share": number(say("compare-causes-share"), format="%.1f%%"),
            "effect": number(say("compare-causes-effect"), format="%.4f"),
            "gradient": number(say("compare-causes-gradient"), format="%.4f"),
        },
    )  # fmt: skip


def _measured(key: Key, trace: Trace) -> Callable[[], Measured[Both]]:
    """Asks for the patching of a model on two sentences, of which the first gave `trace`; begins it while it is wanted.

    Without training the same number is watched: the same two tokens in the same row.
    """
    _, name, _, clean, corrupt = key
    target = None if trace.tokens.target is None else trace.tokens.target.source

    def work(tell: Callable[[int, int], None]) -> Both:
        twin = baseline(name)
        n = 1 if twin is None else 2
        own = patch(
            runs().model(name), clean, corrupt, target=target, on_progress=lambda done, total: tell(done, n * total)
        )
        if twin is None:
            return own, None
        return own, patch(
            runs().model(twin), clean, corrupt, metric=own.tokens, target=target, position=own.position,
            on_progress=lambda done, total: tell(total + done, n * total),
        )  # fmt: skip

    return lambda: many_runs().of(key, work, starts=page.guess() is not None)


def _in_picture(found: Patched, places: dict[Head, tuple[int, int]]) -> Patched:
    """The heads that the picture has: of a model that reads one text and writes another, those of its encoder."""
    table = found.table
    is_here = [Head(str(row.site), int(row.head)) in places for row in table.itertuples()]
    return replace(found, table=table[is_here].reset_index(drop=True))


def _stop(key: Key) -> None:
    """Nobody waits for it any more: back to the question."""
    page.GUESSED.set(None)
    many_runs().queue.leave(key)


def blocks(
    both: Both, trace: Trace, places: dict[Head, tuple[int, int]], guess: str, say: Strings
) -> tuple[Block, ...]:
    """What is watched, in words; which head matters most, and whether that was guessed; and the map of all heads."""
    own, twin = both
    names = [short(Head(str(row.site), int(row.head)), places) for row in own.table.itertuples()]
    way = own.clean - own.corrupt
    watched = [_watched(own, trace, say)]
    first = [say("compare-causes-first", head=names[0], share=figure(100 * float(own.table["share"].iloc[0])))]
    drawn = [(say("compare-causes-map", a=figure(own.clean), b=figure(own.corrupt)), own)]
    if guess in names:
        first.append(say("compare-causes-guessed", head=guess, place=names.index(guess) + 1, n=len(names)))
    if twin is not None:
        drawn.append((say("compare-causes-map-untrained"), twin))
        watched.append(say(
            "compare-causes-untrained", a=figure(twin.clean), b=figure(twin.corrupt),
            percent=figure(100 * abs((twin.clean - twin.corrupt) / way)),
            share=figure(100 * float(twin.table["effect"].abs().max()) / abs(way)),
        ))  # fmt: skip
    grids = [(title, _grid(found, way, places)) for title, found in drawn]
    limit = max(float(grid.abs().max()) for _, grid in grids)  # of both: they are compared
    return (
        *(Prose(" ".join(said).replace("。 ", "。")) for said in (watched, first)),
        Maps([_map(title, grid, limit, say) for title, grid in grids]),
        Prose(say("compare-causes-rank", n=len(names), correlation=figure(own.rank_correlation))),
    )


def _watched(found: Patched, trace: Trace, say: Strings) -> str:
    """The number, and what it is in both runs."""
    values = {"a": figure(found.clean), "b": figure(found.corrupt)}
    if found.texts is None or found.position is None:
        return say("compare-causes-cosine", **values)
    tokens = trace.tokens.target or trace.tokens.source
    writes = any(site.stack == "decoder" for site in trace.sites)
    return say(
        "compare-causes-next" if writes else "compare-causes-hidden", one=found.texts[0], other=found.texts[1],
        n=found.position + 1, token=tokens.name(found.position), **values,
    )  # fmt: skip


def _grid(found: Patched, way: float, places: dict[Head, tuple[int, int]]) -> torch.Tensor:
    """What each head changes, as a share of the way from B's number to A's in the trained model: [L, H]."""
    shape = (max(layer for layer, _ in places.values()) + 1, max(head for _, head in places.values()) + 1)
    grid = torch.zeros(shape)
    for row in found.table.itertuples():
        grid[places[Head(str(row.site), int(row.head))]] = float(row.effect) / way
    return grid


def _map(title: str, values: torch.Tensor, limit: float, say: Strings) -> Map:
    rows, columns = (tuple(str(at + 1) for at in range(size)) for size in values.shape)
    return Map(
        title, values, rows, columns, "signed", limit=max(limit, 1e-6),
        row_axis=say("heads-column-layer"), column_axis=say("heads-column-head"),
    )  # fmt: skip
