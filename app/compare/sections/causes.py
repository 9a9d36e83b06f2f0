"""What causes the difference of two sentences: each head of A's run put into B's, and the same without training."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st
import torch
from attnviz_app.compare import state as page
from attnviz_app.compare.sections.tables import Places, pair_table, places_of, short
from attnviz_app.compare.sides import baseline
from attnviz_app.compare.state import COMPARE
from attnviz_app.host import component, session
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
from attnviz.views.panel.blocks import Block, Map, Maps, Prose

LISTED = 12  # heads
GUESSED: session.Value[tuple[object, str] | None] = session.Value("compare-guessed", session.nothing)
Both = tuple[Patched, Patched | None]  # of the model, and of its shape without training


def show(found: Comparison, say: Strings, *, shown: Places) -> None:
    """A guess first; then how far each head brings B's run back to A's, and who wants to goes to it."""
    now = COMPARE.shown
    key = ("patch", now.a, found.trace_a.card.revision, now.text, now.other)
    lines.section(say("compare-causes"))
    lines.note(say("compare-causes-about"))
    places = places_of(heads_of(found.trace_a))
    asked = GUESSED.get()
    if asked is None or asked[0] != key:
        with st.container(key="compare-causes-guess", horizontal=True, vertical_alignment="bottom"):
            names = [short(head, places) for head in places]
            st.selectbox(
                say("compare-causes-guess"), names, None, key=page.GUESS, placeholder=say("compare-causes-no-guess")
            )
            start = later(lambda guess: GUESSED.set((key, str(guess or ""))), page.GUESS)
            st.button(say("compare-causes-start"), key=page.CAUSES_START, on_click=start)
        return
    measured = _measured(now.a, now.text, now.other)
    if measured().found is None:
        coming(measured, say, says="compare-causes-coming")
        return
    both: Both = measured().found  # type: ignore[assignment]  # it is there
    component.panel(blocks(both, places, asked[1], say), say("compare-causes"), page.CAUSES, say)
    rows = [(Head(row.site, row.head), row) for row in both[0].table.itertuples()]
    known = [(head, row) for head, row in rows if head in places][:LISTED]
    frame = pd.DataFrame({
        "head": [short(head, places) for head, _ in known], "share": [100 * row.share for _, row in known],
        "effect": [row.effect for _, row in known],
    })  # fmt: skip
    number = st.column_config.NumberColumn
    pair_table(
        page.CAUSED, frame, [(*places[head], *places[head]) for head, _ in known], shown, say,
        {
            "head": st.column_config.TextColumn(say("compare-head"), width="small"),
            "share": number(say("compare-causes-share"), format="%.1f%%"),
            "effect": number(say("compare-causes-effect"), format="%.4f"),
        },
    )  # fmt: skip


def _measured(name: str, clean: str, corrupt: str) -> Callable[[], Measured[Both]]:
    """Asks for the patching of a model on two sentences, and begins it."""

    def work(tell: Callable[[int, int], None]) -> Both:
        twin = baseline(name)
        own = patch(runs().model(name), clean, corrupt, on_progress=tell)
        return own, None if twin is None else patch(runs().model(twin), clean, corrupt, on_progress=tell)

    key = ("patch", name, runs().model(name).card.revision, clean, corrupt)
    return lambda: many_runs().of(key, work, starts=True)


def blocks(both: Both, places: dict[Head, tuple[int, int]], guess: str, say: Strings) -> tuple[Block, ...]:
    """What is watched, in words; which head matters most, and whether that was guessed; and the map of all heads."""
    own, twin = both
    shares = _grid(own, places)
    order = shares.abs().flatten().argsort(descending=True).tolist()
    names = [f"{at // shares.shape[1] + 1}.{at % shares.shape[1] + 1}" for at in order]
    is_cosine = own.metric == "cosine"
    said = say(
        "compare-causes-cosine" if is_cosine else "compare-causes-logits", metric=own.metric, a=figure(own.clean),
        b=figure(own.corrupt), head=names[0], share=round(100 * float(shares.flatten()[order[0]])),
    )  # fmt: skip
    if guess:
        said += " " + say("compare-causes-guessed", head=guess, place=names.index(guess) + 1, n=len(names))
    untrained = None if twin is None else _grid(twin, places)
    limit = max(float(it.abs().max()) for it in (shares, untrained) if it is not None)  # of both: they are compared
    drawn = [_map(say("compare-causes-map"), shares, limit, say)]
    if untrained is None:
        return Prose(said), Maps(drawn)
    drawn.append(_map(say("compare-causes-map-untrained"), untrained, limit, say))
    most = round(100 * float(untrained.abs().max()))
    return Prose(f"{said} {say('compare-causes-untrained', share=most)}"), Maps(drawn)


def _grid(found: Patched, places: dict[Head, tuple[int, int]]) -> torch.Tensor:
    """The share of the way from B's number to A's that each head brings: [L, H]."""
    shape = (max(layer for layer, _ in places.values()) + 1, max(head for _, head in places.values()) + 1)
    grid = torch.zeros(shape)
    for row in found.table.itertuples():
        if place := places.get(Head(str(row.site), int(row.head))):
            grid[place] = float(row.share)
    return grid


def _map(title: str, values: torch.Tensor, limit: float, say: Strings) -> Map:
    rows, columns = (tuple(str(at + 1) for at in range(size)) for size in values.shape)
    return Map(
        title, values, rows, columns, "signed", limit=max(limit, 1e-6),
        row_axis=say("heads-column-layer"), column_axis=say("heads-column-head"),
    )  # fmt: skip
