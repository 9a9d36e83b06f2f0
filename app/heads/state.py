"""What Home and Heads are asked, which pick the picture begins with, and what is open under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st
from attnviz_app.compare.files import File
from attnviz_app.heads.query import NAMES, PICKED, Picked, Question, fitted, from_link, picked_in, to_link
from attnviz_app.heads.table import Place
from attnviz_app.host import events, url
from attnviz_app.jobs.surveys import surveys
from attnviz_app.notice import Notice
from attnviz_app.page_state import PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.allowed_models import offer
from attnviz_app.serving.examples import examples_of, task_of, text_of
from attnviz_app.serving.truncation import Cut
from attnviz_app.settings import settings
from attnviz_app.shell import visitor

from attnviz.analysis.heads.sentences import decoded, listed
from attnviz.core.errors import InputError
from attnviz.trace.trace import Trace
from attnviz.views import Pick

# Widgets
TEXT, TARGET, SHOW, EXAMPLES, MODEL, PART, VIEW = (
    "text-box", "target-box", "text-show", "example-menu", "model-box", "part-box", "heads-view",
)  # fmt: skip
SECTION, BACK, SOURCE, TABLE, SCATTER, X, Y, CSV, FOLLOW = (
    f"heads-{it}" for it in ("section", "back", "source", "table", "scatter", "x", "y", "csv", "follow")
)
OWN_TEXT, OWN_FILE, OWN_START = (f"heads-own-{it}" for it in ("text", "file", "start"))
ROLLOUT, ROLLOUT_CSV = "heads-rollout-panel", "heads-rollout-file"
EFFECT, EFFECT_START, EFFECT_CSV, HOW, FROM, TO, POSITION = (
    f"heads-effect-{it}" for it in ("panel", "button", "file", "way", "query", "key", "place")
)
OPEN, PICTURE = "heads-open", "bar"  # places of the page

OF_EXAMPLE = ("notice-other-text", "notice-unknown-text")  # why an example is shown: not true of a text typed since
_PICKED, _BASE, _TURNS, _OWN, _PROBLEM, _BEFORE_FILE, _NEW_TEXT, _ASKED, _TYPED = (
    f"attnviz.heads-{it}" for it in (
        "picked", "base", "turns", "own", "problem", "before-file", "new-text", "asked-effect", "typed",
    )
)  # fmt: skip


def _first() -> Question:
    model = settings().models[0]
    name = next(iter(examples_of(task_of(model), model)))
    return Question(model, text_of(name, visitor.say()))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    question, notices = from_link(query, default, offer(), offer().removed)
    picked, more = picked_in(query)
    bring(picked)
    return question, notices + more


HEADS = PageState("heads", NAMES, PICKED, first=_first, from_link=_from_link, to_link=to_link)


def bring(picked: Picked, carry: url.Carry = "") -> None:
    """The next picture begins with these, instead of with what the person picked before; see url.bring."""
    st.session_state[_PICKED] = picked
    url.bring(carry)


def base(trace: Trace) -> Picked:
    """What the picture of a run begins with, the same until another question or other picks are asked for.

    The browser keeps what is picked since, so this is for its first sight: numbers of that head come with the picture.
    """
    key = (HEADS.shown.of_run, HEADS.shown.part, url.brings())
    kept = st.session_state.get(_BASE)
    if kept is None or kept[0] != key:
        brought: Picked | None = st.session_state.pop(_PICKED, None)
        if brought == Picked():  # a link that says nothing of what is picked
            brought = None
        if brought is not None:
            picked = brought
        elif kept is None:
            picked = Picked.of(example_pick(HEADS.shown))
        else:
            picked = replace(kept[1], token=None, released=False, key=None)
        _, picked, notices = fitted(HEADS.shown, picked, trace)
        if brought is not None:
            for id, arguments in notices:
                HEADS.tell(id, **dict(arguments))
        kept = st.session_state[_BASE] = (key, picked)
    first: Picked = kept[1]
    return first


def example_pick(question: Question) -> Pick | None:
    """The head and the token that show what an example is about; None of another text."""
    own = examples_of(model_menu.task(question.model), question.model)
    return next((pick for name, pick in own.items() if text_of(name, visitor.say()) == question.text), None)


def picked(trace: Trace, told: Mapping[str, str]) -> Picked:
    """What is picked, as the browser told what is open under the picture; before that, what the picture began with."""
    return fitted(HEADS.shown, picked_in(told)[0], trace)[1] if told else base(trace)


# --------------------------------------------------------------------------------------------------- what is asked


def want(text: str, picked: Picked | None = None) -> None:
    """Ask for another text, as it was typed; the head that is picked stays unless another one is brought."""
    HEADS.forget(OF_EXAMPLE)
    HEADS.change(text=text, cut=None)
    if picked is not None:
        bring(picked)


def want_part_of(cut: Cut) -> None:
    """Ask for the first part of a text; the box keeps the whole of it, as it was typed."""
    HEADS.change(text=cut.part, cut=cut)


def typed() -> str:
    """The text as the box holds it: whole, also where only its first part is shown."""
    cut = HEADS.asked.cut
    return HEADS.asked.text if cut is None else cut.typed


def want_model(model: str, text: str, picked: Picked) -> None:
    """Ask for another model, with a head of its own."""
    HEADS.ask(Question(model, text, below=HEADS.asked.below))
    bring(picked)


def show_text(text: str) -> None:
    """Show a sentence of a list in the picture, with the head that is there."""
    want(text)
    turn(PICTURE)
    st.session_state[_NEW_TEXT] = True


def has_new_text() -> bool:
    """Whether a text was asked for under the picture, which the whole page has to draw; asked once."""
    return bool(st.session_state.pop(_NEW_TEXT, False))


def choose(place: Place) -> None:
    """Show another head in the picture."""
    if place.part and place.part != HEADS.asked.part:
        HEADS.change(part=place.part)
    bring(Picked(place.layer, place.head))


def is_chosen(place: Place, now: Picked) -> bool:
    """Whether this head is in the picture."""
    is_here = not place.part or place.part == HEADS.shown.part
    return (place.layer, place.head) == (now.layer, now.head) and is_here


# ------------------------------------------------------------------------------------------- what is under the picture


def section() -> str:
    """What is open under the picture; "" for nothing."""
    return HEADS.asked.below


def open_section(name: str | None) -> None:
    """Open a part of the page under the picture and go there; None closes it."""
    if (name or "") != section():
        HEADS.change(below=name or "")
        if name:
            turn(OPEN)


def turn(to: str) -> None:
    """Bring a place of the page into view, once."""
    st.session_state[_TURNS] = (turned()[0] + 1, to)


def turned() -> tuple[int, str]:
    """How often the page was turned to a place, and to which last; 0 for never."""
    kept: tuple[int, str] = st.session_state.get(_TURNS, (0, ""))
    return kept


def own_sentences() -> tuple[str, ...]:
    """The person's own list; it stays in this session."""
    kept: tuple[str, ...] = st.session_state.get(_OWN, ())
    return kept


def bring_back_typed() -> None:
    """Put into the box what was in it when another part was opened; Streamlit forgets a box that is not drawn."""
    key = events.key(OWN_TEXT)
    if key in st.session_state:
        st.session_state[_TYPED] = st.session_state[key]
    elif typed := st.session_state.get(_TYPED):
        events.put(OWN_TEXT, typed)


def take_sentences(typed: object) -> None:
    """Measure the list in the box, or say what is wrong with it; what is wrong with a file beside it stays said."""
    box = typed if isinstance(typed, str) else ""
    is_as_before = box == st.session_state.get(_BEFORE_FILE)
    try:
        sentences = listed(box)
    except InputError as problem:
        if not is_as_before:
            st.session_state[_PROBLEM] = problem
        return
    if not is_as_before:
        st.session_state[_PROBLEM] = None
    if sentences != own_sentences():
        surveys().give_up(HEADS.shown.model, own_sentences())
        st.session_state[_OWN] = sentences


def take_file(file: File | None) -> None:
    """Put what a file says into the box, or say why it cannot be read, for as long as the box stays as it was."""
    st.session_state[_PROBLEM] = st.session_state[_BEFORE_FILE] = None
    if file is None:
        return
    try:
        events.put(OWN_TEXT, decoded(file.name, file.getvalue()))
    except InputError as problem:
        st.session_state[_PROBLEM] = problem
        st.session_state[_BEFORE_FILE] = st.session_state.get(events.key(OWN_TEXT)) or ""


def problem() -> InputError | None:
    """What kept the last list from being measured."""
    kept: InputError | None = st.session_state.get(_PROBLEM)
    return kept


def ask_effect(effect: object) -> None:
    """Measure an effect; it is measured where it is drawn."""
    st.session_state[_ASKED] = effect


def asked_effect() -> object:
    """The effect that was asked for last."""
    return st.session_state.get(_ASKED)


def is_dark() -> bool:
    """Whether the page is dark, for what cannot follow it by itself."""
    return st.context.theme.type == "dark"
