"""Where a person brings a side of their own: a trace that was saved in a file."""

from __future__ import annotations

import streamlit as st
from attnviz_app.compare import files
from attnviz_app.compare import state as page
from attnviz_app.host.events import later
from attnviz_app.serving.trace_files import MOST_BYTES
from attnviz_app.shell import lines

from attnviz.text import Strings


def button(say: Strings) -> None:
    """The button, and behind it a place for a file of each side."""
    with st.popover(say("compare-bring"), key=page.FILES), st.container(key="compare-bring"):
        st.html(f'<style>.st-key-compare-bring{{--av-upload:"{say("compare-file-choose")}"}}</style>')
        lines.note(say("compare-bring-about"))
        for place in ("a", "b"):
            st.file_uploader(
                say(f"compare-file-{place}"), type=["safetensors"], key=page.FILE[place],
                max_upload_size=MOST_BYTES >> 20, on_change=later(page.take_file, page.FILE[place]), args=(place,),
            )  # fmt: skip
            lines.alert(files.problem(place), say)
        lines.note(say("compare-bring-link"))
