"""A closer look in a dialog over the steps: the picture or the link opens it, Escape closes it, the look draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import component, events
from attnviz_app.shell import panels
from attnviz_app.step import state as page
from attnviz_app.step.looks.buttons import Look, Seen

from attnviz import views
from attnviz.text import Strings
from attnviz.views.panel import Block


def open_asked(looks: Sequence[Look], seen: Callable[[], Seen]) -> None:
    """Open the look that the page asks for, if the tab has it; one that it has not is forgotten.

    Args:
        looks: those of the tab.
        seen: what is on the page. Called by the dialog, which may run again by itself: Streamlit keeps its arguments,
            and traces belong to the bounded cache.
    """
    asked = page.stepping().look
    look = next((look for look in looks if look.key == asked), None)
    if look is None:
        if asked:
            page.put(replace(page.stepping(), look=""))
        return

    def content() -> None:
        with panels.error_boundary():
            events.take()
            now = seen()
            st.html(f'<p class="av-look">{escape(now.say(f"look-{look.key}-about"))}</p>')
            look.show(now)

    st.dialog(page_state.say()(f"look-{look.key}"), width="large", on_dismiss=events.later(_close))(content)()


def draw(blocks: Sequence[Block], key: str, title: str, say: Strings) -> None:
    """Show a look's blocks.

    Args:
        key: of the widget; another one for each panel of a look.
        title: what a screen reader calls it.
    """
    size = page_state.read().size
    made = views.panel(blocks, title=title, strings=say.view("panel"), lang=say.language, size=size)
    component.panel(made.payload, key)


def _close() -> None:
    page.change(look="")
