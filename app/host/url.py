"""The address bar: what of it is whose, which links we wrote lately, and which one the person opened.

A browser names its link in every message. One that names a link of ours from before the last has not heard of the last:
what its boxes say may be old too.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

HISTORY = 64  # links written lately, to tell a late echo of one from a link the person opened
_IS_LATE = "attnviz.is-late"
_parts: list[Part] = []


class Part:
    """The names in the link that one page writes, or the frame around all pages."""

    def __init__(self, key: str, names: tuple[str, ...]):
        """`key` is this part's in the session; `names` stand in a link in this order, and in no other part."""
        self._written, self._is_taken = f"attnviz.{key}-written", f"attnviz.{key}-is-taken"
        self._names = names
        _parts.append(self)

    def query(self) -> dict[str, str]:
        """This part of the link."""
        return {name: st.query_params[name] for name in self._names if name in st.query_params}

    def is_opened(self, link: dict[str, str]) -> bool:
        """Whether the person opened this link, by hand or by going back, rather than we having written it."""
        written = self._links()
        return bool(link) and (link not in written or (_went_back() and link != written[-1]))

    def is_late(self) -> bool:
        """Whether the link is one of ours from before the last."""
        written, link = self._links(), self.query()
        return bool(link) and link in written and link != written[-1]

    def remember(self, link: dict[str, str]) -> None:
        """Note a link that is no news to us."""
        written = self._links()
        if not written or written[-1] != link:
            written.append(link)
            del written[:-HISTORY]

    def take(self, link: dict[str, str]) -> None:
        """Note a link that the person opened; a link of ours that is still on its way would come over it."""
        self.remember(link)
        st.session_state[self._is_taken] = True

    def write(self, link: dict[str, str]) -> None:
        """Put a link into the address bar, where it is not there already; what is not of this part stays."""
        is_late()
        self.remember(link)
        if st.session_state.pop(self._is_taken, False) or self.query() != link:
            late = [part for part in _parts if part is not self and part.is_late()]
            newer = {name: value for part in late for name, value in part._links()[-1].items()}  # on their way already
            old = {name for part in (self, *late) for name in part._names}
            kept = {name: value for name, value in st.query_params.to_dict().items() if name not in old}
            st.query_params.from_dict({**link, **kept, **newer})

    def _links(self) -> list[dict[str, str]]:
        written: list[dict[str, str]] = st.session_state.setdefault(self._written, [])
        return written


def is_late() -> bool:
    """Whether the browser had not heard of our last link when it asked for this run, whatever was written since."""
    run = getattr(get_script_run_ctx(), "parallel_coordinator", None)  # a new one for each run, with all its parts
    kept = st.session_state.get(_IS_LATE)
    if kept is None or run is None or kept[0] is not run:
        kept = st.session_state[_IS_LATE] = (run, not _went_back() and any(part.is_late() for part in _parts))
    is_it: bool = kept[1]
    return is_it


def _went_back() -> bool:
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))
