"""Queues widget events; the next run applies them, so an interrupted run loses none.

Streamlit stops a run when the next event comes, at any access to the session's state, also inside a callback, and never
calls that callback again. So callbacks only queue, which takes no such access.

A widget whose value we set gets a new key. A message that the browser sent before it heard of ours names the old key,
so an old value is never taken for one that the person chose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from attnviz_app.host import url

_QUEUE, _VERSIONS, _PLACES = "attnviz.events", "attnviz.versions", "attnviz.places"
Event = tuple[Callable[..., None], tuple[Any, ...]]


def later(act: Callable[..., None], name: str | None = None) -> Callable[..., None]:
    """A callback that has `act` done by the next run.

    Args:
        act: called with the value of the widget, if one is named, and with what the callback is given.
        name: the widget; its value is read when the callback is called.
    """

    def queue(*arguments: Any) -> None:
        state = st.session_state.to_dict()  # unlike a look-up by key, this cannot be stopped
        said = () if name is None else (state.get(_key(state.get(_VERSIONS, {}), name)),)
        state[_QUEUE].append((act, (*said, *arguments)))

    return queue


def apply() -> None:
    """Do what is queued, in order; what a stopped run left is done again from its beginning."""
    queue: list[Event] = st.session_state.setdefault(_QUEUE, [])
    while queue:
        first = queue[0]
        act, arguments = first
        try:
            act(*arguments)
        except Exception:
            _drop(queue, first)
            raise
        _drop(queue, first)


def key(name: str) -> str:
    """The key of a widget whose value we may set."""
    versions: dict[str, int] = st.session_state.setdefault(_VERSIONS, {})
    versions.setdefault(name, 0)
    return _key(versions, name)


def put(name: str, value: Any, language: str = "") -> str:
    """Give a widget a value where it has another, before it is drawn; returns its key.

    Args:
        language: of its choices, where the value is one of several: in another one it is a new widget.
    """
    now, places = key(name), st.session_state.setdefault(_PLACES, {})
    place = (url.page(), language)
    is_same_place = places.get(name) == place
    places[name] = place
    if is_same_place and now in st.session_state and st.session_state[now] == value:
        return now
    if now in st.session_state:  # on another page Streamlit makes another widget of it, without its value
        st.session_state[_VERSIONS][name] += 1
        now = key(name)
    st.session_state[now] = value
    return now


def value(name: str) -> Any:
    """What a widget whose value we set says now; None where it is not drawn."""
    return st.session_state.get(key(name))


def selected(said: object, name: str) -> Sequence[Any]:
    """The rows, cells or points that a table or chart says are chosen; empty where a browser says anything else."""
    selection = said.get("selection") if isinstance(said, Mapping) else None
    found = selection.get(name) if isinstance(selection, Mapping) else None
    return found if isinstance(found, list | tuple) else ()


def _key(versions: dict[str, int], name: str) -> str:
    return f"{name}--{versions[name]}" if name in versions else name  # in style sheets: [class*="st-key-name--"]


def _drop(queue: list[Event], one: Event) -> None:
    with suppress(ValueError):  # a run that was stopped may still have done it
        queue.remove(one)
