"""The picture of heads on Home and Heads: its bytes, and where it is mounted."""

from collections.abc import Mapping

import streamlit as st
from attnviz_app.heads import generation
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked, picked_in
from attnviz_app.heads.state import HEADS
from attnviz_app.host import component, events
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels, visitor

from attnviz import views
from attnviz.trace.trace import Trace
from attnviz.views.heads.attention_parts import PARTS


@st.fragment
def show() -> None:
    """Show the heads of the run on the screen.

    It takes no trace: Streamlit keeps a fragment's arguments for the session, and traces belong to the bounded cache.
    """
    with panels.error_boundary():
        events.apply()
        if page.IS_LED.take():
            st.rerun()
        shown = HEADS.shown
        trace = runs().trace(*shown.of_run)
        question = {"model": shown.model, "text": shown.text, "target": shown.target, "part": shown.part}
        payload, go = _payload(trace, page.base(trace)), events.later(_go, "heads-view")
        component.view(payload, "heads-view", link=HEADS.link(visitor.link()), question=question, on_go=go)


def _go(said: object) -> None:
    """Show a sentence that was chosen in the picture, or a head of another part; a browser may say anything."""
    told = getattr(said, "go", None)
    match told:
        case {"to": str(text)} if text:
            page.want(text)
        case {"to": {"part": part}, "picked": Mapping() as picked} if part in PARTS:
            HEADS.change(part=part)
            page.BEGINNING.bring(picked_in({str(name): str(value) for name, value in picked.items()})[0])
        case _:
            return
    page.IS_LED.set(True)


def _payload(trace: Trace, base: Picked) -> bytes:
    """The bytes of a picture; the same pick gives the same bytes, which the browser then has already."""
    shown, language, size = HEADS.shown, visitor.language(), visitor.size()
    written = generation.written_from(shown.model, shown.text)

    def packed() -> bytes:
        return views.heads(
            trace, base.pick, lang=language, size=size, part=shown.part,
            way=base.view, also=base.also, together=base.together, filters=base.filter, overview=base.overview,
            beside=base.beside, written_from=written,
        ).payload  # fmt: skip

    key = (trace.card.revision, shown.of_run, shown.part, base, language, size, written)
    return runs().payloads.get(key, packed)
