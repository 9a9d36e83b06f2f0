"""The address bar: what of it is ours, which links we wrote lately, and which one the person opened."""

from __future__ import annotations

import streamlit as st
from attnviz_app.selection import NAMES
from streamlit.runtime.scriptrunner import get_script_run_ctx

HISTORY = 64  # links written lately, to tell a late echo of one from a link the person opened
_WRITTEN, _IS_TAKEN = "attnviz.written", "attnviz.is-taken"


def query() -> dict[str, str]:
    """The part of the link that is ours."""
    return {name: st.query_params[name] for name in NAMES if name in st.query_params}


def is_opened(link: dict[str, str]) -> bool:
    """Whether the person opened this link, by hand or by going back, rather than we having written it."""
    written = _written()
    went_back = bool(getattr(get_script_run_ctx(), "is_history_navigation", False))
    return link not in written or (went_back and link != written[-1])


def is_late() -> bool:
    """Whether the browser had not heard of our last link when it asked for this run."""
    written, link = _written(), query()
    return link in written and link != written[-1]


def remember(link: dict[str, str]) -> None:
    """Note a link that is no news to us."""
    written = _written()
    if not written or written[-1] != link:
        written.append(link)
        del written[:-HISTORY]


def take(link: dict[str, str]) -> None:
    """Note a link that the person opened; a link of ours that is still on its way would come over it."""
    remember(link)
    st.session_state[_IS_TAKEN] = True


def write(link: dict[str, str]) -> None:
    """Put a link into the address bar, where it is not there already; what is not ours stays."""
    remember(link)
    if st.session_state.pop(_IS_TAKEN, False) or query() != link:
        others = {name: value for name, value in st.query_params.to_dict().items() if name not in NAMES}
        st.query_params.from_dict({**link, **others})


def _written() -> list[dict[str, str]]:
    written: list[dict[str, str]] = st.session_state.setdefault(_WRITTEN, [])
    return written
