"""What causes the difference of two sentences: each head of A's run put into B's, and the same without training."""

from collections.abc import Callable
from math import isnan
from typing import Any

import streamlit as st
import torch
from attnviz_app.compare import state as page
from attnviz_app.compare.sections.tables import Places, pair_table, places_of
from attnviz_app.compare.sides import baseline
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.looks.head_names import map_of_heads, name_in_words, name_of
from attnviz_app.host import component, lines
from attnviz_app.host.events import later
from attnviz_app.jobs.measurements import Tell, many_runs
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving.runs import runs
from attnviz_app.shell.panels import coming

from attnviz.analysis.circuits.patching import Patched, patch
from attnviz.analysis.compare import Comparison
from attnviz.analysis.compare.self_attention_heads import Head, heads_of
from attnviz.core.errors import AttnvizError, InputError
from attnviz.core.site import Site
from attnviz.export.csv_text import csv_text
from attnviz.text import Strings, sentences, strings
from attnviz.text.numbers import figure
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import parts_of, sites_of
from attnviz.views.panel.blocks import Block, Maps, Prose

Key = tuple[str, str, str, str, str]  # what names a patching: the model with its revision, and both texts
Both = tuple[Patched, Patched | AttnvizError]  # of the model, and of its shape without training or why that is missing


def show(compared: Comparison, say: Strings, *, shown: Places) -> None:
    """A guess first; then how far each head brings B's run back to A's, and who wants to goes to it."""
    now, guess = COMPARE.shown, page.under("causes")
    key: Key = ("patch", now.a, compared.trace_a.card.revision, now.text, now.other)
    lines.section(say("compare-causes"))
    lines.note(say("compare-causes-about"))
    names = _names(compared.trace_a, say)
    if not guess:
        in_link = _names(compared.trace_a, strings("en")).values()
        _guess_box(dict(zip(in_link, names.values(), strict=True)), say)
        return
    measured = _measured(key, compared.trace_a)
    both = measured()
    if both.result is None:
        with st.container(key="compare-causes-place"):
            coming(measured, say, says="compare-causes-coming")
            if both.is_coming:
                st.button(say("view-heads-effect-stop"), key="compare-causes-stop", on_click=later(_stop), args=(key,))
        return
    component.panel(blocks(both.result, compared.trace_a, guess, say), say("compare-causes"), "compare-causes", say)
    _table(both.result[0], compared.trace_a, names, shown, say)


def _guess_box(heads: dict[str, str], say: Strings) -> None:
    """`heads`: what each is called, by its name in the link."""
    with (
        st.container(key="compare-causes-place"),  # as tall as the progress that takes its place: nothing moves
        st.container(key="compare-causes-guess", horizontal=True, vertical_alignment="bottom"),
    ):
        st.selectbox(
            say("compare-causes-guess"), list(heads), None, key="compare-guess", format_func=heads.__getitem__,
            placeholder=say("compare-causes-no-guess"),
        )  # fmt: skip
        st.button(say("compare-causes-start"), key="compare-causes-start", on_click=later(_start, "compare-guess"))


def _table(patched: Patched, trace: Trace, names: dict[Head, str], shown: Places, say: Strings) -> None:
    """What each head changes, in numbers; a row leads to its head where the picture has it."""
    table, places, heads = patched.table, places_of(heads_of(trace)), heads_in(patched)
    frame = table[["share", "effect", "gradient"]] * [100, 1, 1]
    frame = frame.mask(frame.abs() < [0.05, 5e-5, 5e-5], 0.0)  # what is printed as 0 has no sign
    frame.insert(0, "head", [names[head] for head in heads])
    number = st.column_config.NumberColumn
    pair_table(
        frame, [places[head] * 2 if head in places else None for head in heads], shown, say,
        {
            "head": st.column_config.TextColumn(say("compare-head"), width="small"),
            "share": number(say("compare-causes-share"), format="%.1f%%"),
            "effect": number(say("compare-causes-effect"), format="%.4f"),
            "gradient": number(say("compare-causes-gradient"), format="%.4f"),
        },
        name="compare-caused",
    )  # fmt: skip
    lines.file_button(
        say("heads-csv"), lambda: csv_text(table, heads_from=0).encode(), "attnviz-causes.csv", "causes-csv"
    )


def _measured(key: Key, trace: Trace) -> Callable[[], Measured[Both]]:
    """Asks for the patching of a model on two sentences, of which the first gave `trace`; begins it while it is wanted.

    Without training the same number is watched: the same two tokens in the same row.
    """
    _, name, _, clean, corrupt = key
    target = None if trace.tokens.target is None else trace.tokens.target.source

    def work(tell: Tell) -> Both:
        twin, title = baseline(name), trace.card.name
        n = 1 if twin is None else 2

        def made(model: str, at: int, **watched: Any) -> Patched:
            def on_progress(done: int, total: int) -> None:
                tell(at * total + done, n * total)

            return patch(runs().model(model), clean, corrupt, target=target, on_progress=on_progress, **watched)

        patched = made(name, 0)
        try:
            if twin is None:
                raise InputError(id="no-untrained", model=title)
            if patched.tokens is not None and runs().trace(twin, clean).prediction is None:
                raise InputError(id="untrained-predicts-nothing", model=title)
            return patched, made(twin, 1, metric=patched.tokens, position=patched.position)
        except AttnvizError as why:  # what was computed is shown all the same
            return patched, why

    return lambda: many_runs().ask(key, work, starts=bool(page.under("causes")))


def _names(trace: Trace, say: Strings) -> dict[Head, str]:
    """What each head of a model is called, part by part; the picture has those of one part."""
    sites = [site for part in parts_of(trace) for site in sites_of(trace, part)]
    return {Head(site.key, n): name_of(trace, site, n, say) for site in sites for n in range(trace[site].n_heads)}


def _in_words(trace: Trace, head: Head, say: Strings) -> str:
    return name_in_words(trace, Site.parse(head.site), head.head, say)


def heads_in(patched: Patched) -> list[Head]:
    """The head of each row."""
    return [Head(str(row.site), int(row.head)) for row in patched.table.itertuples()]


def _start(head: object) -> None:
    page.ask_under("causes", str(head or page.NO_GUESS))


def _stop(key: Key) -> None:
    """Nobody waits for it any more: back to the question."""
    page.ask_under("causes", "")
    many_runs().queue.leave(key)


def blocks(both: Both, trace: Trace, guess: str, say: Strings) -> tuple[Block, ...]:
    """What is watched, in words; which head matters most, and whether that was guessed; and the map of all heads."""
    patched, twin = both
    names, in_link, heads = _names(trace, say), _names(trace, strings("en")), heads_in(patched)
    guesses = [in_link[head] for head in heads]
    way = patched.clean - patched.corrupt
    watched = [_watched(patched, trace, say)]
    first_share = figure(100 * float(patched.table["share"].iloc[0]))
    first = [say("compare-causes-first", named_head=_in_words(trace, heads[0], say), share=first_share)]
    drawn = [(say("compare-causes-map", a=figure(patched.clean), b=figure(patched.corrupt)), patched)]
    if guess in guesses:
        place = guesses.index(guess)
        guessed = _in_words(trace, heads[place], say)
        first.append(say("compare-causes-guessed", named_head=guessed, place=place + 1, n=len(names)))
    if len(parts_of(trace)) > 1:
        first.append(say("compare-causes-parts"))
    if isinstance(twin, AttnvizError):
        watched += [say.error(twin), say("compare-causes-no-twin")]
    else:
        drawn.append((say("compare-causes-map-untrained"), twin))
        watched.append(say(
            "compare-causes-untrained", a=figure(twin.clean), b=figure(twin.corrupt),
            percent=figure(100 * abs((twin.clean - twin.corrupt) / way)),
            share=figure(100 * float(twin.table["effect"].abs().max()) / abs(way)),
        ))  # fmt: skip
    places = places_of(tuple(names))
    grids = [(title, _grid(each, way, places)) for title, each in drawn]
    limit = max(1e-6, *(float(grid.abs().max()) for _, grid in grids))  # of both: they are compared
    rank = patched.rank_correlation  # of one head, or of equal effects, there is none
    return (
        *(Prose(sentences(*said)) for said in (watched, first)),
        Maps([map_of_heads(title, grid, say, limit=limit, layers=_layers(trace, say)) for title, grid in grids]),
        *(() if isnan(rank) else (Prose(say("compare-causes-rank", n=len(names), correlation=figure(rank))),)),
    )


def _watched(patched: Patched, trace: Trace, say: Strings) -> str:
    """The number, and what it is in both runs."""
    values = {"a": figure(patched.clean), "b": figure(patched.corrupt)}
    of = trace.prediction.of if trace.prediction is not None else ""
    if patched.texts is not None and of in ("classes", "labels", "span"):
        at = patched.position or 0
        one, other = patched.texts
        token = trace.tokens.source.name(at)
        return say(f"compare-causes-{of}", one=one, other=other, n=at + 1, token=token, **values)
    if patched.texts is None or patched.position is None:
        return say("compare-causes-cosine", **values)
    tokens = trace.tokens.target or trace.tokens.source
    writes = any(site.stack == "decoder" for site in trace.sites)
    return say(
        "compare-causes-next" if writes else "compare-causes-hidden", one=patched.texts[0], other=patched.texts[1],
        n=patched.position + 1, token=tokens.name(patched.position), **values,
    )  # fmt: skip


def _grid(patched: Patched, way: float, places: dict[Head, tuple[int, int]]) -> torch.Tensor:
    """What each head changes, as a share of the way from B's number to A's in the trained model: [L, H]."""
    grid = torch.zeros([1 + max(size) for size in zip(*places.values(), strict=True)])
    for head, effect in zip(heads_in(patched), patched.table["effect"], strict=True):
        grid[places[head]] = float(effect) / way
    return grid


def _layers(trace: Trace, say: Strings) -> list[str]:
    """The rows of a map: of several parts with the part."""
    parts = parts_of(trace)
    rows = [(part, str(layer + 1)) for part in parts for layer in range(len(sites_of(trace, part)))]
    return [layer if len(parts) == 1 else say(f"heads-of-{part}", head=layer) for part, layer in rows]
