"""The models that ship and are not on this computer yet: fetched one by one, beside the page on another model.

It begins by itself once a server. Given up or failed, it is fetched when somebody presses the button.
"""

from collections.abc import Callable, Collection

import streamlit as st
from attnviz_app.host import events, lines, session
from attnviz_app.open_model import panel
from attnviz_app.serving.openings import openings
from attnviz_app.serving.runs import runs
from attnviz_app.shell import panels

from attnviz.pretrained.known_models import FETCHED
from attnviz.text import Strings

_awaited = session.Value("first-use", str)  # the model whose coming this person saw; "" for none
_is_put_off = session.Value("first-use-put-off", bool)  # it is not here, and this person wants no more of it now


def line(models: Collection[str], choose: Callable[[str], None], say: Strings) -> None:
    """How far it is; once it is here, a button that shows it.

    Args:
        models: on the page now. choose: asks for a model.
    """
    name, came = runs().not_here, _awaited.get()
    if came and came != name and came not in models:  # the next one waits until this one was shown
        _beside(say("first-use-here", model=FETCHED[came].title), say("first-use-show"), choose, came)
        return
    _awaited.set(name or "")
    if name is not None:
        _coming(name, say)


def _coming(name: str, say: Strings) -> None:
    if openings().of(name) is None:
        panel.begin(name)
    job, row = openings().of(name), FETCHED[name]
    if job is not None and job.is_active:
        with st.container(key="first-use"):
            panel.progress(name, say)
    elif job is not None and job.error is not None:
        reason = job.error.arguments.get("reason") or say.error(job.error)
        is_offline = job.error.id == "index-unreachable"
        said = say("first-use-offline" if is_offline else "first-use-failed", model=row.title, reason=reason)
        _beside(said, say("error-retry"), panel.begin, name, later=say("first-use-later"))
    else:
        fetch = say("first-use-fetch", size=panels.megabytes(row.package_bytes))
        _beside(say("notice-not-here", model=row.title), fetch, panel.begin, name, later=say("first-use-later"))


def _beside(said: str, label: str, act: Callable[[str], None], name: str, later: str = "") -> None:
    """A line and what can be done about it; with `later` the line can be sent away."""
    if later and _is_put_off.get():
        return
    with st.container(key="first-use", horizontal=True, vertical_alignment="center"):
        lines.quiet(said, role="note")
        st.button(label, key="first-use-act", on_click=events.later(act), args=(name,))
        if later:
            st.button(later, key="first-use-later", on_click=events.later(_is_put_off.set), args=(True,))
