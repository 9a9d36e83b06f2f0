"""What stands under the picture of the Heads page: a row of buttons, the page's foot, and the part that is open.

Nothing of a part is computed before it is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads import effect, numbers, own_sentences, rollout
from attnviz_app.heads import state as page
from attnviz_app.host import component, events
from attnviz_app.shell import panels

from attnviz.text import Strings
from attnviz.trace.trace import Trace

SECTIONS: dict[str, Callable[[Trace, Strings], None]] = {
    "numbers": numbers.show, "sentences": own_sentences.show, "rollout": rollout.show,
    "effect": effect.show,
}  # fmt: skip


def below(trace: Trace) -> None:
    """Draw it; called inside the fragment of the picture, so that a pick up there is seen down here."""
    if page.has_new_text():
        st.rerun()
    say = page_state.say()
    with st.container(key="heads-row", horizontal=True, vertical_alignment="center"):
        events.put(page.SECTION, page.section() or None, language=say.language)
        st.segmented_control(
            say("heads-more"), tuple(SECTIONS), key=page.SECTION, format_func=lambda name: say(f"heads-{name}"),
            label_visibility="collapsed", wrap=True, on_change=events.later(page.open_section, page.SECTION),
        )  # fmt: skip
        st.html(f'<p class="av-note">{escape(say("heads-no-proof"))}</p>')
    panels.provenance(trace, say)
    name = page.section()
    if name not in SECTIONS:
        return
    with st.container(key=page.PART), panels.error_boundary():
        st.html(f'<h2 class="av-section">{escape(say(f"heads-{name}"))}</h2>')
        SECTIONS[name](trace, say)
        st.button(say("heads-back"), key=page.BACK, on_click=events.later(lambda: page.turn(page.PICTURE)))
    n, to = page.turned()
    if n:
        component.turn(n, to)
