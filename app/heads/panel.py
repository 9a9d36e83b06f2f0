"""What Home and Heads say of the run on the screen: how it comes, and why it may be another than was asked for."""

from functools import partial
from html import escape

import streamlit as st
from attnviz_app.heads import shown_run
from attnviz_app.heads import state as page
from attnviz_app.heads.state import HEADS
from attnviz_app.serving import coverage, model_menu
from attnviz_app.shell import lines, panels

from attnviz.core.errors import AttnvizError
from attnviz.text import Strings
from attnviz.trace.trace import Trace


def current(say: Strings) -> tuple[Trace, AttnvizError | None]:
    """The run on the screen, and why it is still the last one. Where there is none, the page ends with the reason."""
    with panels.error_boundary(also=lambda error: _first_part(error, say)), panels.waiting(HEADS.asked.model, say):
        return shown_run.current()
    st.stop()


def problems(problem: AttnvizError | None, say: Strings) -> None:
    """Why the picture is still the last one."""
    shown = HEADS.shown
    if problem is not None:
        is_example = model_menu.is_example(shown.text, shown.model, say)
        panels.text_problem(problem, say, is_of_example=is_example, also=partial(_first_part, problem, say))


def notices(trace: Trace, say: Strings) -> None:
    """What was left out or corrected, and what the model was not for: under the picture, which stays where it is."""
    with st.container(key="notices"):
        panels.cut_line(HEADS.shown.cut, len(trace.tokens.source), say)
        panels.notices(HEADS.notices, say)
        uncovered = coverage.line(HEADS.shown.model, HEADS.shown.text, say)
        if uncovered is not None:
            lines.quiet(uncovered, role="note")


def written(trace: Trace, say: Strings) -> None:
    """What a model that reads one text writes, where the person did not say it."""
    if trace.tokens.target is not None and not HEADS.shown.target:
        text = trace.tokens.target.source
        line = say("written-text", text=text) if text else say("written-nothing")
        st.html(f'<p class="av-written" dir="auto" title="{escape(line)}">{escape(line)}</p>')


def _first_part(error: AttnvizError, say: Strings) -> None:
    panels.first_part(error, HEADS.asked.text, page.want_part_of, say)
