"""What the Compare page draws: its widgets, and the picture, which alone runs again when something in it is picked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from html import escape

import streamlit as st
from attnviz_app import page_state
from attnviz_app.compare import effect, no_common_text, tables, upload
from attnviz_app.compare import state as page
from attnviz_app.compare.picture import drawing
from attnviz_app.compare.query import Comparing
from attnviz_app.compare.sides import (
    baseline,
    has_twins,
    menu_name,
    over_sentences,
    own_name,
    side_label,
    sides,
    steps,
    traced,
)
from attnviz_app.heads.pending import coming
from attnviz_app.host import component
from attnviz_app.host.events import finish, is_part_of_page, later, take
from attnviz_app.jobs.similarity import similarities
from attnviz_app.serving import missing_models
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.trace_files import is_file
from attnviz_app.shell import panels

from attnviz.analysis.compare import Comparison, compare
from attnviz.core.errors import AttnvizError, InputError
from attnviz.scratch.variants import OURS
from attnviz.text import Strings
from attnviz.trace.trace import Trace
from attnviz.views.compare import Pair, can_measure, exact_pair, first_pair, revision_of

LEAST = 2  # words that both sides read of a text


@dataclass(frozen=True)
class Sides:
    """The runs on the page, and what kept newer ones from being shown."""

    a: Trace
    b: Trace
    problem: AttnvizError | None = None


def bar(say: Strings) -> None:
    """A, B, what they read, and the ways to a pair that are a click away."""
    now = page.comparing()
    _side_menu("a", now.a, page.A, "● A", say)
    st.button(say("compare-swap"), key=page.SWAP, on_click=later(page.swap))  # shell.css shows ⇄ for it
    _side_menu("b", now.b, page.B, "◇ B", say)
    has_file = is_file(now.a) or is_file(now.b)  # whose own text stands
    st.text_input(
        say("text-label"), key=page.TEXT, placeholder=say("text-placeholder"), label_visibility="collapsed",
        on_change=later(lambda text: page.change(text=text), page.TEXT), autocomplete="off", disabled=has_file,
    )  # fmt: skip
    st.menu_button(
        say("example-label"), page.examples(), key=page.EXAMPLES, format_func=lambda name: say(f"example-{name}"),
        on_click=later(_take_example, page.EXAMPLES), disabled=has_file,
    )  # fmt: skip
    st.text_input(
        say("compare-other"), key=page.OTHER, placeholder=say("compare-other-hint"), label_visibility="collapsed",
        on_change=later(lambda text: page.change(other=text), page.OTHER), autocomplete="off",
        disabled=is_file(now.b),
    )  # fmt: skip
    _twin_buttons(now, say)
    upload.button(say)


def _twin_buttons(now: Comparing, say: Strings) -> None:
    own = [own_name(name) for name in (now.a, now.b)]
    twin = next((OURS + name for name in own if has_twins(name)), None)
    for kind, key, side in (
        ("untrained", page.BASELINE, next(filter(None, map(baseline, own)), None)), ("ours", page.OURS_BUTTON, twin),
    ):  # fmt: skip
        if side is not None:
            st.button(
                say(f"compare-to-{kind}"), key=key, disabled=side in (now.a, now.b),
                on_click=later(page.choose), args=("b", side), help=say(f"compare-to-{kind}-help"),
            )  # fmt: skip


def _side_menu(side: str, name: str, key: str, mark: str, say: Strings) -> None:
    labels = {it: f"{mark}  {side_label(it, say)}" for it in sides()}
    st.selectbox(
        say(f"compare-{side}"), tuple(labels), key=key, format_func=lambda it: labels.get(it, it),
        label_visibility="collapsed", on_change=later(lambda name: page.choose(side, name), key),
    )  # fmt: skip
    at = steps(menu_name(name))
    if at:
        st.selectbox(
            say(f"compare-{side}-step"), (page.LAST, *at), key=page.STEP[side], label_visibility="collapsed",
            format_func=lambda step: say("compare-step-last") if step == page.LAST else say("compare-step", step=step),
            on_change=later(lambda step: page.choose_step(side, step), page.STEP[side]),
        )  # fmt: skip


def _take_example(name: str | None) -> None:
    if name is not None:
        page.change(text=text_of(name, page_state.say()), other="")


@st.fragment
def picture() -> None:
    """The comparison. It takes nothing: Streamlit keeps a fragment's arguments; traces belong to the bounded cache."""
    say = page_state.say()
    with panels.error_boundary():
        take()
        now = page.comparing()
        names = [name for name in (now.a, now.b) if not (is_file(name) or runs().has_model(own_name(name)))]
        line = say("loading-model", model=side_label(names[0], say)) if names else ""
        try:
            with panels.placeholder(line):
                both = _ran(say)
        except InputError as problem:
            with st.container(key="compare-below"):
                no_common_text.show(say.error(problem), None, say)
            return
        if both.problem is not None:
            panels.text_problem(both.problem, say, is_of_example=page.good()[0] == page.first_text(now.a, now.b))
        missing_models.say_so("compare", {"a": side_label(now.a, say), "b": side_label(now.b, say)}, say)
        page.write()
        _picture(both, say)
    if is_part_of_page():
        finish()


def _ran(say: Strings) -> Sides:
    """Both runs of the texts on the page; of the last that could be read where these cannot.

    Raises:
        AttnvizError: there is none before them either.
    """
    now = page.comparing()
    try:
        found = _both(now)
    except InputError as problem:
        if is_file(now.a) or is_file(now.b):  # there is no other text to fall back on
            raise
        text, other = page.good()
        return replace(_both(replace(now, text=text, other=other)), problem=problem)
    page.read_well(now.text, now.other)
    return found


def _both(now: Comparing) -> Sides:
    """Both runs.

    Raises:
        InputError: one of them cannot read its text, or both read one word of it at most.
    """
    text, other = page.texts(now)
    found = Sides(traced(now.a, text), traced(now.b, other))
    if text == other and len(compare(found.a, found.b).units) < LEAST:
        raise InputError("Both sides share one word of this text. Expected two at least.", id="one-word")
    return found


def _picture(both: Sides, say: Strings) -> None:
    a, b = both.a, both.b
    if a.tokens.source.source != b.tokens.source.source:
        with st.container(key="compare-below"):
            if (a.card.id, a.card.revision) == (b.card.id, b.card.revision):
                tables.two_texts(a, b, say)
            else:
                no_common_text.show(say("compare-two-texts-two-models"), (a, b), say)
        return
    now, shown, text = page.comparing(), page_state.read(), a.tokens.source.source
    found, measured = compare(a, b), over_sentences(now.a, now.b)
    key = (now.a, now.b, a.card.id, a.card.revision, b.card.id, b.card.revision, text)
    base = page.mounted(*key, shown.language, shown.size, measured.found is not None)
    pair = base.pair
    name = ("compare", *key, pair, shown.language, shown.size, measured.found is not None)
    drawn = drawing(found, say)
    payload = runs().payloads.get(name, lambda: drawn.view(found, measured.found, pair).payload)
    revision, drawn_from = revision_of(found), (now.a, now.b)
    point = later(lambda said: page.point(said, revision, drawn_from), page.VIEW, is_picked=True)
    component.view(payload, page.VIEW, point, heard=page.heard_then())
    if now.pair is not None and now.heads != base.heads:
        component.view(exact_pair(found, now.pair).payload, page.EXACT, _nothing)
    with st.container(key="compare-below"):
        if measured.found is None:
            coming(lambda: no_common_text.progress(now.a, now.b), say)
        over = measured.found or (similarities().on_text(key, found) if can_measure(found) else None)
        if over is not None:
            at = now.pair or _first(found)
            tables.matches(over, say, shown=(at.layer_a, at.head_a, at.layer_b, at.head_b))
        if is_file(now.a) or is_file(now.b):
            st.html(f'<p class="av-note">{escape(say("compare-file-no-effect"))}</p>')
        else:
            effect.show(found, now.pair or _first(found), say)
        st.download_button(
            say("compare-html"), partial(drawn.file, now.a, now.b, text, now.pair), "attnviz-compare.html", "text/html",
            key="compare-html", on_click="ignore",
        )  # fmt: skip


def _nothing() -> None:
    """Numbers say nothing back."""


def _first(found: Comparison) -> Pair:
    """The pair that a picture begins with where nobody chose one: it says which."""
    return first_pair(found, over_sentences(page.comparing().a, page.comparing().b).found)
