"""The script that Streamlit runs for each visitor: settings, link, frame and page; an error ends as a card."""

from __future__ import annotations

import logging

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import events
from attnviz_app.host.unsent import keep_unsent
from attnviz_app.settings import binding_hint, check_binding, is_shared, not_served, say_once, settings
from attnviz_app.shell import frame, panels

from attnviz.core.errors import AttnvizError


def main() -> None:
    """Draw the page the person asked for."""
    try:
        limits = settings()
        address = st.get_option("server.address")
        check_binding(limits, address)
        if hint := binding_hint(limits, address):
            say_once(hint)
        selection = page_state.begin(limits)
    except AttnvizError as error:
        say_once(str(error), logging.ERROR)
        frame.refuse(not_served() if is_shared() else error)
        return
    page = frame.open_page(selection)
    with panels.error_boundary():
        page.run()
    events.finish()


keep_unsent()
main()
