"""The kinds of line that pages say, and the button that saves a file. All text is escaped and never Markdown."""

from collections.abc import Callable
from html import escape

import streamlit as st

from attnviz.core.errors import AttnvizError
from attnviz.text import Strings


def section(text: str) -> None:
    st.html(f'<h2 class="av-section">{escape(text)}</h2>')


def section_with_file(text: str, label: str, make: Callable[[], bytes], name: str, key: str) -> None:
    """The heading of a table, with the button that saves it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        section(text)
        file_button(label, make, name, key)


def prose(markup: str) -> None:
    st.html(f'<div class="av-prose">{markup}</div>')


def head(text: str) -> None:
    st.html(f'<h3 class="av-head">{escape(text)}</h3>')


def note(text: str, *, is_status: bool = False) -> None:
    """A quiet paragraph; one that changes while the page stands is read aloud."""
    role = ' role="status"' if is_status else ""
    st.html(f'<p class="av-note"{role}>{escape(text)}</p>')


def quiet(text: str, role: str = "status") -> None:
    """A line of its own: what was corrected, or how the picture is to be taken."""
    st.html(f'<p class="av-line av-quiet" role="{role}"><span>{escape(text)}</span></p>')


def alert(problem: AttnvizError | None, say: Strings) -> None:
    if problem is not None:
        st.html(f'<p class="av-alert" role="alert">{escape(say.error(problem))}</p>')


def caution(text: str) -> None:
    """What a number does not prove."""
    st.html(f'<p class="av-caution">{escape(text)}</p>')


def bar(done: int, total: int, label: str) -> str:
    """How much is done, as HTML; before anything is, the bar says only that something goes on."""
    value = f' value="{done}"' if done else ""
    return f'<progress class="av-bar" max="{total}"{value} aria-label="{escape(label)}"></progress>'


def file_button(label: str, make: Callable[[], bytes], name: str, key: str) -> None:
    """A button that saves a file; it is made when somebody presses it, and nothing is drawn again.

    shell.css shows its icon alone, as over a picture.
    """
    st.download_button(label, make, name, "text/csv", key=key, icon=":material/download:", on_click="ignore")
