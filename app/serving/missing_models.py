"""Models that a link names and that are not here: said on its page until another is chosen there."""

from __future__ import annotations

from collections.abc import Container, Mapping
from html import escape

import streamlit as st

from attnviz.text import Strings

LONGEST = 60  # characters of a name that are said


def note(page: str, asked: Mapping[str, str], known: Container[str]) -> None:
    """Take down which models of a link are not here.

    Args:
        page: of the link. asked: the names by place, such as {"a": "minilm-l6"}; "" leaves a place to the page.
        known: those that may be named.
    """
    st.session_state[_key(page)] = {place: name for place, name in asked.items() if name and name not in known}


def forget(page: str) -> None:
    """The person chose models for themselves."""
    st.session_state.pop(_key(page), None)


def say_so(page: str, shown: Mapping[str, str], say: Strings) -> None:
    """A line for each, with what is shown in its place."""
    for place, name in st.session_state.get(_key(page), {}).items():
        line = escape(say("notice-model", name=name[:LONGEST], shown=shown[place]))
        st.html(f'<p class="av-line av-quiet" role="status"><span>{line}</span></p>')


def _key(page: str) -> str:
    return f"attnviz.missing-{page}"
