"""Keys and choices of what stands under the picture of the Heads page, and how a head is chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads.query import Selection
from attnviz_app.heads.table import Place
from attnviz_app.host import events
from attnviz_app.host.mounted import remount
from attnviz_app.jobs.surveys import surveys

from attnviz.analysis.heads.sentences import decoded, listed
from attnviz.core.errors import InputError

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

SECTION, BACK, SOURCE, TABLE, SCATTER, X, Y, CSV = (
    f"heads-{it}" for it in ("section", "back", "source", "table", "scatter", "x", "y", "csv")
)
OWN_TEXT, OWN_FILE, OWN_START = (f"heads-own-{it}" for it in ("text", "file", "start"))
ROLLOUT, ROLLOUT_CSV = "heads-rollout-panel", "heads-rollout-file"
EFFECT, EFFECT_START, EFFECT_CSV, HOW, FROM, TO, POSITION = (
    f"heads-effect-{it}" for it in ("panel", "button", "file", "way", "query", "key", "place")
)
PART, PICTURE = "heads-open", "bar"  # places of the page
_TURNS, _OWN = "attnviz.heads-turns", "attnviz.heads-own"
_PROBLEM, _BEFORE_FILE, _NEW_TEXT, _ASKED, _TYPED = (
    f"attnviz.heads-{it}" for it in ("problem", "before-file", "new-text", "asked", "typed")
)


def section() -> str:
    """What is open under the picture; "" for nothing."""
    return page_state.read().below


def open_section(name: str | None) -> None:
    """Open a part of the page under the picture and go there; None closes it."""
    if (name or "") != section():
        page_state.select(below=name or "")
        if name:
            turn(PART)


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
    """Put into the box what stood in it when another part was opened; Streamlit forgets a box that is not drawn."""
    if OWN_TEXT in st.session_state:
        st.session_state[_TYPED] = st.session_state[OWN_TEXT]
    elif typed := st.session_state.get(_TYPED):
        st.session_state[OWN_TEXT] = typed


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
        surveys().give_up(page_state.read().model, own_sentences())
        st.session_state[_OWN] = sentences


def take_file(file: UploadedFile | None) -> None:
    """Put what a file says into the box, or say why it cannot be read, for as long as the box stays as it was."""
    st.session_state[_PROBLEM] = st.session_state[_BEFORE_FILE] = None
    if file is None:
        return
    try:
        events.put(OWN_TEXT, decoded(file.name, file.getvalue()))
    except InputError as problem:
        st.session_state[_PROBLEM] = problem
        st.session_state[_BEFORE_FILE] = st.session_state.get(OWN_TEXT) or ""


def problem() -> InputError | None:
    """What kept the last list from being measured."""
    kept: InputError | None = st.session_state.get(_PROBLEM)
    return kept


def show_text(text: str) -> None:
    """Show a sentence of a list in the picture, with the head that is there."""
    events.put(page_state.TEXT, text)
    page_state.want(text)
    turn(PICTURE)
    st.session_state[_NEW_TEXT] = True


def has_new_text() -> bool:
    """Whether a text was asked for down here, which the whole page has to draw; asked once."""
    return bool(st.session_state.pop(_NEW_TEXT, False))


def ask(effect: object) -> None:
    """Measure an effect; it is measured where it is drawn."""
    st.session_state[_ASKED] = effect


def asked() -> object:
    """The effect that was asked for last."""
    return st.session_state.get(_ASKED)


def choose(place: Place) -> None:
    """Show another head in the picture."""
    now = page_state.read()
    if is_chosen(place, now):
        return
    changes: dict[str, Any] = {"layer": place.layer, "head": place.head}
    if place.part != now.part and place.part:  # its rows are other tokens
        changes |= {"part": place.part, "token": None, "released": False, "key": None}
    page_state.select(**changes)
    remount()


def is_dark() -> bool:
    """Whether the page is dark, for what cannot follow it by itself."""
    return st.context.theme.type == "dark"


def is_chosen(place: Place, now: Selection) -> bool:
    return (place.layer, place.head) == (now.layer, now.head) and (not place.part or place.part == now.part)
