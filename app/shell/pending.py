"""What stands where a table of many sentences is not there yet: how far it is, or why there is none."""

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st
from attnviz_app.host import events
from attnviz_app.jobs.queue import Measured
from attnviz_app.jobs.surveys import REPEATS
from attnviz_app.shell import lines, visitor

from attnviz.text import Strings

POLL_SECONDS = 1.0


def coming(ask: Callable[[], Measured[Any]], say: Strings, *, says: str = "heads-coming") -> None:
    """One line; while a measurement goes on it is drawn again every second, and the page once it is done.

    Args:
        ask: looks at how far it is. It may be kept by Streamlit, so it takes nothing large.
        says: the message that says it, of texts or of runs that are done.
    """
    now = ask()
    if now.error is not None:
        lines.note(say.error(now.error), is_status=True)
        return

    def follow() -> None:
        events.apply()
        found, words = ask(), visitor.say()
        if not found.is_coming:
            st.rerun()
        st.html(_progress(found, words, says))

    st.fragment(follow, run_every=POLL_SECONDS)()


def _progress(found: Measured[Any], say: Strings, says: str) -> str:
    counted = {"done": found.done, "total": found.total, "repeats": REPEATS}
    said = say(says, **counted) if found.total else say("heads-coming-first")
    value = f' value="{found.done}"' if found.done else ""
    return (
        f'<p class="av-progress" role="status">{escape(said)}</p>'
        f'<progress class="av-bar" max="{max(found.total, 1)}"{value} aria-label="{escape(say("heads-coming-bar"))}">'
        "</progress>"
    )
