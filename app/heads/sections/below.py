"""What is under the picture of the Heads page: a row of buttons, the page's foot, and the part that is open.

Nothing of a part is computed before it is opened.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.sections import effect, numbers, own_sentences, rollout, why
from attnviz_app.host import component, events
from attnviz_app.shell import lines, panels, visitor

from attnviz.text import Strings
from attnviz.trace.trace import Trace

SECTIONS: dict[str, Callable[[Trace, Picked, Strings], None]] = {
    "why": why.show, "numbers": numbers.show, "sentences": own_sentences.show, "rollout": rollout.show,
    "effect": effect.show,
}  # fmt: skip


def below(trace: Trace) -> None:
    """Draw it; called inside the fragment of the picture, which runs again after a pick while a part is open."""
    if page.ASKED_BELOW.take():
        st.rerun()
    say = visitor.say()
    with st.container(key="heads-row", horizontal=True, vertical_alignment="center"):
        opened = page.section() or None
        key = events.put(page.SECTION, opened)
        st.segmented_control(
            say("heads-more"), tuple(SECTIONS), default=opened, key=key, format_func=lambda name: say(f"heads-{name}"),
            label_visibility="collapsed", wrap=True, on_change=events.changed(page.open_section, page.SECTION),
        )  # fmt: skip
        lines.note(say("heads-no-proof"))
    panels.provenance(trace, say)
    name = page.section()
    if name not in SECTIONS:
        return
    picked = page.picked(trace, component.follow("heads", page.FOLLOW))
    with st.container(key=page.OPEN), panels.error_boundary():
        lines.section(say(f"heads-{name}"))
        SECTIONS[name](trace, picked, say)
        st.button(say("heads-back"), key=page.BACK, on_click=events.later(lambda: page.turn(page.PICTURE)))
    n, to = page.TURNS.get()
    if n:
        component.turn(n, to)
