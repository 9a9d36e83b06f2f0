"""What stands under the picture of the Heads page: a row of buttons, the page's foot, and the part that is open.

Nothing of a part is computed before it is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st
from attnviz_app import heads_effect, heads_numbers, heads_own, heads_rollout, inputs, mount, panels, state
from attnviz_app import heads_state as page

from attnviz.text import Strings
from attnviz.trace.trace import Trace

SECTIONS: dict[str, Callable[[Trace, Strings], None]] = {
    "numbers": heads_numbers.show, "sentences": heads_own.show, "rollout": heads_rollout.show,
    "effect": heads_effect.show,
}  # fmt: skip


def below(trace: Trace) -> None:
    """Draw it; called inside the fragment of the picture, so that a pick up there is seen down here."""
    if page.has_new_text():
        st.rerun()
    say = state.say()
    with st.container(key="heads-row", horizontal=True, vertical_alignment="center"):
        inputs.put(page.SECTION, page.section() or None, language=say.language)
        st.segmented_control(
            say("heads-more"), tuple(SECTIONS), key=page.SECTION, format_func=lambda name: say(f"heads-{name}"),
            label_visibility="collapsed", wrap=True, on_change=inputs.later(page.open_section, page.SECTION),
        )  # fmt: skip
        st.html(f'<p class="av-note">{escape(say("heads-no-proof"))}</p>')
    panels.provenance(trace, say)
    name = page.section()
    if name not in SECTIONS:
        return
    with st.container(key=page.PART), panels.error_boundary():
        st.html(f'<h2 class="av-section">{escape(say(f"heads-{name}"))}</h2>')
        SECTIONS[name](trace, say)
        st.button(say("heads-back"), key=page.BACK, on_click=inputs.later(lambda: page.turn(page.PICTURE)))
    n, to = page.turned()
    if n:
        mount.turn(n, to)
