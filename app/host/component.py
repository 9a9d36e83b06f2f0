"""Mounts AttnViz components in the page; what is pointed at inside one goes to `state`, nothing is drawn for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads import generation, head_part, kinds
from attnviz_app.heads.query import Selection, fitted, picked
from attnviz_app.host import events
from attnviz_app.host.mounted import mounted, view_key
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels

from attnviz import views
from attnviz.text import Strings, strings
from attnviz.trace.trace import Trace
from attnviz.views.heads import revision_of
from attnviz.views.pack import amended

# The module behind it picks the view by the payload's own header.
_view = st.components.v2.component(
    "attnviz.view", html='<div class="attnviz-mount"></div>', js="hosts/streamlit.js", css="hosts/waiting.css"
)

# The same without a shadow root: the Tab key in a dialog of Streamlit does not look into one.
_panel = st.components.v2.component(
    "attnviz.panel", html='<div class="attnviz-mount"></div>', js="hosts/streamlit.js", isolate_styles=False
)

_link = st.components.v2.component("attnviz.link", js="hosts/link.js", css="hosts/link.css")


_turn = st.components.v2.component("attnviz.turn", js="hosts/turn.js")


@st.fragment
def heads(page: str, below: Callable[[Trace], None] | None = None) -> None:
    """Show the heads of the trace on the screen; only this runs again when the person points inside the picture.

    It takes no trace: Streamlit keeps a fragment's arguments for the session, and traces belong to the bounded cache.

    Args:
        below: draws what follows the head that is picked, under the picture.
    """
    with panels.error_boundary():
        events.take()
        shown = page_state.read()
        trace = runs().trace(shown.model, shown.text, shown.target)
        base = mounted(page, shown)
        key = view_key()
        heard = events.later(lambda picture: _point(picture, key), key, is_picked=True)
        _view(data=_payload(trace, base), key=key, on_selection_change=heard)
        wanted = {page_state.EXACT: (shown.layer, shown.head)}
        wanted |= {f"{page_state.EXACT}-{layer}-{head}": (layer, head) for layer, head in shown.also}
        for place, (layer, head) in wanted.items():
            if (layer, head) != (base.layer, base.head):
                _view(data=_exact(trace, shown, layer, head), key=place)
        _part(trace, shown)
        if shown.view == "neurons":
            vectors = views.neurons(trace, shown.layer, shown.head, shown.token, part=shown.part)
            _view(data=vectors.payload, key=page_state.NEURONS)
        kinds.show(trace, shown, _send)
        if below is not None:
            below(trace)
    if events.is_part_of_page():
        events.finish()


def _send(payload: bytes, key: str) -> None:
    """Hand numbers to the picture; they say nothing back."""
    _view(data=payload, key=key)


def view(payload: bytes, key: str, on_selection: Callable[[], None], *, heard: int = 0) -> None:
    """Show a picture; what is picked inside it is in the widget's state under `key`.

    Args:
        heard: the number of the last pick that was heard of when the picture began; see heard.py.
    """
    data = amended(payload, heard=heard) if heard else payload
    _view(data=data, key=key, on_selection_change=on_selection)


def panel(payload: bytes, key: str) -> None:
    """Show a panel inside a dialog; it says nothing to Python."""
    _panel(data=payload, key=key, on_selection_change=lambda: None)


def turn(n: int, to: str) -> None:
    """Bring the place with this key into view: once for each `n`."""
    _turn(data={"n": n, "to": to}, key="turn")


def link(say: Strings) -> None:
    """The button that copies the link to this screen; the same component keeps language, size and an unshown text."""
    words = {"label": say("control-link-copy"), "copied": say("control-link-copied"), "help": say("control-link-help")}
    heard = events.later(_recall, page_state.LINK)
    _link(data={**words, **page_state.kept()}, key=page_state.LINK, width="content", on_remembered_change=heard)


def _recall(link: object) -> None:
    said = getattr(link, "remembered", None)
    if isinstance(said, Mapping):
        page_state.recall(said)


def _payload(trace: Trace, base: Selection) -> bytes:
    """The bytes of a picture; the same selection gives the same bytes, which the browser then has already."""
    written = generation.written_from(base.model, base.text)
    return runs().payloads.get((trace.card.revision, base, written), lambda: _packed(trace, base, written))


def _exact(trace: Trace, shown: Selection, layer: int, head: int) -> bytes:
    """The numbers of one head; each run of the page sends them again, and a long text's take a while to make."""
    key = ("exact", revision_of(trace, shown.part), layer, head)
    return runs().payloads.get(key, lambda: views.exact(trace, layer, head, part=shown.part).payload)


def _part(trace: Trace, shown: Selection) -> None:
    """The part of the picked head that the browser asked for, where it asked for one."""
    revision = revision_of(trace, shown.part)
    part = head_part.asked(revision, shown.layer, shown.head)
    if part is None:
        return

    def made() -> bytes:
        return views.window(trace, part.layer, part.head, part.rows, part.columns, part=shown.part).payload

    _view(data=runs().payloads.get(("part", part), made), key=page_state.HEAD_PART)


def _packed(trace: Trace, base: Selection, written: int | None) -> bytes:
    say = strings(base.language, strict=False)
    pick = views.Pick(base.layer, base.head, base.token, base.released, base.key)
    return views.heads(
        trace, pick, strings=say.view("heads"), lang=base.language, size=base.size, part=base.part, way=base.view,
        keeps_head=base.keeps_head, also=base.also, together=base.together, filters=base.filter,
        overview=base.overview, written_from=written,
    ).payload  # fmt: skip


def _point(picture: object, key: str) -> None:
    """Take over what the browser says is picked; a browser may say anything."""
    said = getattr(picture, "selection", None)
    if not isinstance(said, Mapping) or key != view_key():
        return
    with panels.error_boundary():
        shown = page_state.read()
        trace = runs().trace(shown.model, shown.text, shown.target)
        selection, _ = fitted(picked(shown, said), trace)
        page_state.point(selection, is_in_shown=said.get("revision") == revision_of(trace, shown.part))
        head_part.note(said)
