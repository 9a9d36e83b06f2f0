"""Write on: a model that continues its text does so, and the page knows from which token on it did."""

from __future__ import annotations

import streamlit as st
from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked
from attnviz_app.heads.state import HEADS
from attnviz_app.host import events
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels

from attnviz.scratch.untrained import UntrainedModel
from attnviz.text import Strings
from attnviz.trace.generation import Continued
from attnviz.trace.trace import Trace

MENU = "heads-write-on"
COUNTS = (1, 4, 16, 32)  # new tokens at a time
MANY, FEW = 1024, 4  # of a text beyond so many tokens only a few are written at a time: each is a whole run
KEPT = 16  # continued texts of one session
_ASKED, _WRITTEN = "attnviz.heads-write-asked", "attnviz.heads-written"


def menu(trace: Trace, say: Strings) -> None:
    """How many tokens are to be written; nothing for a model that continues no text."""
    model = runs().model(HEADS.shown.model)
    if not getattr(model, "can_write_on", False):
        return
    counts = _counts(len(trace.tokens.source), _room(trace, is_untrained=isinstance(model, UntrainedModel)))
    st.menu_button(
        say("heads-write-on"),
        counts or COUNTS[:1],
        key=MENU,
        format_func=lambda n: say("heads-write-on-one") if n == 1 else say("heads-write-on-n", n=n),
        help=say("heads-write-on-hint" if counts else "heads-write-on-full"),
        disabled=not counts,
        on_click=events.later(_ask, MENU),
    )


def take(say: Strings) -> None:
    """Write what was asked for; called before the text's box is drawn, which then holds all of it."""
    asked: tuple[str, str, int] | None = st.session_state.pop(_ASKED, None)
    shown = HEADS.shown
    if asked is None or asked[:2] != (shown.model, shown.text):
        return
    with panels.error_boundary(), panels.placeholder(say("heads-writing")):
        continued = _written(*asked)
        name = runs().model(shown.model).card.name
        if continued.n:
            kept: dict[tuple[str, str], int] = st.session_state.setdefault(_WRITTEN, {})
            first = kept.get((shown.model, shown.text), continued.first)
            kept[shown.model, continued.text] = first
            for old in tuple(kept)[:-KEPT]:
                del kept[old]
            newest = continued.first + continued.n - 2  # the row before the last token wrote it
            page.want(continued.text)
            page.bring(Picked(token=newest), carry="head")
        if continued.has_ended or not continued.n:
            HEADS.tell("notice-wrote-end" if continued.has_ended else "notice-wrote-nothing", model=name)


def written_from(model: str, text: str) -> int | None:
    """The first token of a text that this model wrote in this session; None where a person wrote all of it."""
    kept: dict[tuple[str, str], int] = st.session_state.get(_WRITTEN, {})
    return kept.get((model, text))


def _ask(n: object) -> None:
    if n in COUNTS:
        now = HEADS.shown
        st.session_state[_ASKED] = (now.model, now.text, n)


def _written(name: str, text: str, n: int) -> Continued:
    model = runs().model(name)
    with runs().gate.entered():
        continued: Continued = model.write_on(text, n)  # type: ignore[attr-defined]  # only such models have the menu
    return continued


def _room(trace: Trace, *, is_untrained: bool) -> int:
    """How many more tokens the model and the operator take."""
    limits = [trace.card.max_tokens] + ([] if is_untrained else [runs().limits.max_tokens])
    return min(limit for limit in limits if limit) - len(trace.tokens.source)


def _counts(n_tokens: int, room: int) -> tuple[int, ...]:
    most = FEW if n_tokens > MANY else COUNTS[-1]
    return tuple(count for count in COUNTS if count <= min(room, most))
