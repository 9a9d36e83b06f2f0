"""The entry, `streamlit run app/main.py`: settings, link, frame and page, in this order; an error ends as a card."""

from __future__ import annotations

import logging

import streamlit as st
from attnviz_app import panels, shell, state
from attnviz_app.settings import check_binding, settings

from attnviz.core.errors import AttnvizError

log = logging.getLogger(__name__)


def main() -> None:
    """Draw the page the person asked for."""
    try:
        limits = settings()
        check_binding(limits, st.get_option("server.address"))
        selection = state.begin(limits)
    except AttnvizError as error:
        log.error("%s", error)
        shell.refuse(error)
        return
    page = shell.open_page(selection)
    with panels.error_boundary():
        page.run()


main()
