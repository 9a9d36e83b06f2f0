"""Queues widget events; the next run applies them, so an interrupted run loses none.

Streamlit stops a run when the next event comes, at any access to the session's state, also inside a callback, and never
calls that callback again. So callbacks only queue, which takes no such access.

A widget whose value we set gets a new key. A browser that has not heard of it yet goes on sending the value of the old
one: what we gave a widget ourselves is nobody's choice, anything else is what the person chose there meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from attnviz_app.host import url

_QUEUE, _VERSIONS, _PLACES, _KNOWN = (f"attnviz.{name}" for name in ("events", "versions", "places", "known"))
_REMEMBERED = 16  # versions of a widget
Event = tuple[Callable[..., None], tuple[Any, ...], tuple[str, int]]  # what to do, with what, and where: url.place


def later(act: Callable[..., None], name: str | None = None) -> Callable[..., None]:
    """A callback that has `act` done by the next run.

    Args:
        act: called with the value of the widget, if one is named, and with what the callback is given.
        name: the widget; its value is read when the callback is called.
    """

    def queue(*arguments: Any) -> None:
        state = st.session_state.to_dict()  # unlike a look-up by key, this cannot be stopped
        said = () if name is None else (state.get(_key(state.get(_VERSIONS, {}), name)),)
        state[_QUEUE].append((act, (*said, *arguments), url.place(state)))

    return queue


def changed(act: Callable[[Any], None], name: str) -> Callable[..., None]:
    """A callback of a widget that `put` named: the next run calls `act` with the value that the person chose in it."""
    widget = _key(st.session_state.get(_VERSIONS, {}), name)

    def queue() -> None:
        state = st.session_state.to_dict()
        known: dict[str, Any] = state[_KNOWN]
        if widget not in state or widget not in known or state[widget] == known[widget]:
            return
        known[widget] = state[widget]
        state[_QUEUE].append((act, (state[widget],), url.place(state)))

    return queue


def apply() -> None:
    """Do what is queued, in order; what a stopped run left is done again from its beginning.

    What was pressed in a picture that was left by Back before it could be done is not done in the one that opened.
    Where one message brings both what was typed and Back, nothing says which was first: Back is taken for the later.
    """
    queue: list[Event] = st.session_state.setdefault(_QUEUE, [])
    while queue:
        first = queue[0]
        act, arguments, (page, heard) = first
        try:
            if not url.is_left(heard):
                with url.on(page):
                    act(*arguments)
        except Exception:
            _drop(queue, first)
            raise
        _drop(queue, first)


def put(name: str, value: Any, language: str = "") -> str:
    """The key of a widget that is drawn with this value; a new one where the widget says something else.

    The widget has to be given the value too: what is set in the session's state alone reaches the browser once, and is
    lost where the next run follows at once.

    Args:
        language: of its choices, where the value is one of several: in another one it is a new widget.
    """
    state = st.session_state
    versions, places = state.setdefault(_VERSIONS, {}), state.setdefault(_PLACES, {})
    known = state.setdefault(_KNOWN, {})
    place = (url.page(), language)  # on another page Streamlit makes another widget of it, without its value
    now = _key(versions, name)
    if places.get(name) != place or now not in state or state[now] != value:
        versions[name] = versions.get(name, -1) + 1
        known.pop(f"{name}--{versions[name] - _REMEMBERED}", None)
        now = _key(versions, name)
    places[name], known[now] = place, value
    return now


def selected(said: object, name: str) -> Sequence[Any]:
    """The rows, cells or points that a table or chart says are chosen; empty where a browser says anything else."""
    selection = said.get("selection") if isinstance(said, Mapping) else None
    chosen = selection.get(name) if isinstance(selection, Mapping) else None
    return chosen if isinstance(chosen, list | tuple) else ()


def _key(versions: dict[str, int], name: str) -> str:
    return f"{name}--{versions[name]}" if name in versions else name  # in style sheets: [class*="st-key-name--"]


def _drop(queue: list[Event], one: Event) -> None:
    with suppress(ValueError):  # a run that was stopped may still have done it
        queue.remove(one)
