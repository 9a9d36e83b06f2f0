"""Keys and choices of what stands under the picture of the Heads page, and how a head is chosen there."""

from __future__ import annotations

from typing import Any

import streamlit as st
from attnviz_app import state
from attnviz_app.heads_table import Place
from attnviz_app.mounted import remount
from attnviz_app.selection import Selection

SECTION, BACK, SOURCE, TABLE, SCATTER, X, Y, CSV = (
    f"heads-{it}" for it in ("section", "back", "source", "table", "scatter", "x", "y", "csv")
)
PART, PICTURE = "heads-open", "bar"  # places of the page
_OPEN, _TURNS, _OWN = "attnviz.heads-open", "attnviz.heads-turns", "attnviz.heads-own"


def section() -> str:
    """What is open under the picture; "" for nothing."""
    kept: str = st.session_state.get(_OPEN, "")
    return kept


def open_section(name: str | None) -> None:
    """Open a part of the page under the picture and go there; None closes it."""
    if (name or "") != section():
        st.session_state[_OPEN] = name or ""
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


def take_sentences(sentences: tuple[str, ...]) -> None:
    st.session_state[_OWN] = sentences


def choose(place: Place) -> None:
    """Show another head in the picture."""
    now = state.read()
    if is_chosen(place, now):
        return
    changes: dict[str, Any] = {"layer": place.layer, "head": place.head}
    if place.part != now.part and place.part:  # its rows are other tokens
        changes |= {"part": place.part, "token": None, "released": False, "key": None}
    state.select(**changes)
    remount()


def is_dark() -> bool:
    """Whether the page is dark, for what cannot follow it by itself."""
    return st.context.theme.type == "dark"


def is_chosen(place: Place, now: Selection) -> bool:
    return (place.layer, place.head) == (now.layer, now.head) and (not place.part or place.part == now.part)
