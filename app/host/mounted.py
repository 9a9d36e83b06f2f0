"""Which picture is in the page: the selection it began with, and the widget it lives in."""

from __future__ import annotations

import streamlit as st
from attnviz_app.heads.query import Selection

_MOUNTED, _MOUNTS = "attnviz.mounted", "attnviz.mounts"


def mounted(page: str, selection: Selection) -> Selection:
    """The selection a picture was mounted with.

    It stays the same while the person points inside the picture, so that the picture's bytes stay the same and are not
    sent again; another text, model, language, size or page mounts a new one.
    """
    asked = (selection.model, selection.text, selection.target, selection.part)
    key = (page, view_key(), *asked, selection.language, selection.size)
    kept = st.session_state.get(_MOUNTED)
    if kept is None or kept[0] != key:
        kept = st.session_state[_MOUNTED] = (key, selection)
    first: Selection = kept[1]
    return first


def view_key() -> str:
    """The widget key of the picture; a new one makes the browser take its selection from us again."""
    return f"heads-view-{st.session_state.get(_MOUNTS, 0)}"


def remount() -> None:
    """Let the next picture begin anew, with the selection it brings."""
    st.session_state[_MOUNTS] = st.session_state.get(_MOUNTS, 0) + 1
