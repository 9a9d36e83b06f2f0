"""What all heads do, for the overview of the picture: in the text on the screen, and over many sentences when asked."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads.overview_options import is_over_many
from attnviz_app.heads.query import Selection
from attnviz_app.host import events
from attnviz_app.jobs.surveys import REPEATS, Surveyed, surveys
from attnviz_app.serving import measured_heads
from attnviz_app.serving.runs import runs

from attnviz import views
from attnviz.trace.trace import Trace

POLL_SECONDS = 1.0
KEPT_FROM = 10_240  # bytes: a message as large as this is kept by the browser, a smaller one sent with every answer
Send = Callable[[bytes, str], None]  # a payload, and the key of the widget that hands it over


def show(trace: Trace, shown: Selection, send: Send) -> None:
    """Send what is measured; while more is being measured, look again every second.

    Args:
        send: hands a payload to the browser. It may be kept by Streamlit, so it holds nothing large.
    """
    frame, many = _sentence(trace, shown), _many(shown)
    waits = (frame is None, _is_awaited(many, shown))
    if frame is not None:
        _send(trace, shown, frame, None, send)
    if many.survey is not None:
        _send(trace, shown, many.survey.frame, len(many.survey.sentences), send)
    elif not waits[1]:
        _send_progress(trace, shown, many, send)
    if not any(waits):
        return

    def follow() -> None:
        events.take()
        now = page_state.read()
        run, found = runs().trace(now.model, now.text, now.target), _many(now)
        if (_sentence(run, now) is None, _is_awaited(found, now)) != waits:
            st.rerun()
        if waits[1]:
            _send_progress(run, now, found, send)

    st.fragment(follow, run_every=POLL_SECONDS)()


def _send(trace: Trace, shown: Selection, frame: pd.DataFrame, n: int | None, send: Send) -> None:
    key = ("kinds", _key(trace, shown), shown.part, shown.language, n)
    kinds = runs().payloads.get(
        key, lambda: views.kinds(trace, frame, part=shown.part, lang=shown.language, n=n).payload
    )
    send(kinds.ljust(KEPT_FROM, b"\0"), page_state.KINDS if n is None else page_state.KINDS_OF_MANY)


def _send_progress(trace: Trace, shown: Selection, found: Surveyed, send: Send) -> None:
    """How far it is, or that it can be asked for, or why there is none; of that nothing is said unasked."""
    n, share = max(found.total - REPEATS, 0), found.done / max(found.total, 1)
    if found.reason is None or is_over_many(shown.overview):
        waiting = views.kinds_waiting(trace, n, part=shown.part, share=share, reason=found.reason)
        send(waiting.payload, page_state.KINDS_OF_MANY)


def _sentence(trace: Trace, shown: Selection) -> pd.DataFrame | None:
    return measured_heads.soon(trace, _key(trace, shown))


def _many(shown: Selection) -> Surveyed:
    """What is known over many sentences; they are measured only for somebody who asks for it."""
    ask = surveys().of if is_over_many(shown.overview) else surveys().known
    return ask(shown.model, shown.language)


def _is_awaited(found: Surveyed, shown: Selection) -> bool:
    return found.is_coming and is_over_many(shown.overview)


def _key(trace: Trace, shown: Selection) -> tuple[str, ...]:
    """Names the text, as the table below the picture does."""
    return (shown.model, trace.card.revision, shown.text, shown.target)
