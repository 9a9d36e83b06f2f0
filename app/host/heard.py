"""Which picks of a picture this session has heard of: the browser numbers them, and a picture says the last one heard.

So a picture that was drawn before a pick arrived does not undo that pick, however slow the server is.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

MOST = 2**53  # whole numbers that a browser can count


def note(view: str, said: Mapping[str, object]) -> None:
    """Note a pick, whether it is taken over or not.

    Args:
        view: the widget's key; said: what the browser says, which may be anything.
    """
    number = said.get("told")
    if type(number) is int and 0 <= number < MOST:
        st.session_state[_key(view)] = number


def last(view: str) -> int:
    """The number of the last pick that was heard of; 0 before the first."""
    number: int = st.session_state.get(_key(view), 0)
    return number


def _key(view: str) -> str:
    return f"attnviz.heard-{view}"
