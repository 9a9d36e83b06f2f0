"""What a person put in, noted until it is done, so that one input never undoes or swallows another.

Streamlit stops the run for one input when the next one comes, at any access to the session's state, also inside a
callback, and calls that callback never again. So callbacks only note, which takes no such access; each run first does
what is noted. And the browser sends all boxes with each message: one it sent before it heard that we changed a box
still holds the old value, which nobody typed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from attnviz_app.host import url
from streamlit.runtime.scriptrunner import get_script_run_ctx

_NOTED, _PUT = "attnviz.noted", "attnviz.put"


@dataclass(frozen=True, eq=False)
class _Noted:
    act: Callable[..., None]
    arguments: tuple[Any, ...]
    key: str | None  # the widget whose value is the first argument
    is_picked: bool = False


@dataclass(frozen=True)
class _Put:
    before: tuple[Any, ...]
    value: Any
    is_open: bool = True  # the run that put it has not come to its end

    def is_echo(self, value: Any, is_late: bool) -> bool:
        """Whether this value is one from before, of a browser that cannot have heard of ours."""
        return (self.is_open or is_late) and value in self.before and value != self.value


def later(act: Callable[..., None], key: str | None = None, *, is_picked: bool = False) -> Callable[..., None]:
    """A callback that has `act` done by the next take().

    Args:
        act: called with the value of the widget, if one is named, and with what the callback is given.
        key: the widget whose value counts as it is now.
        is_picked: the widget is a picture, and its value what is picked there. A press elsewhere tells of a pick first,
            but where both come in one message Streamlit calls back in the order of the page.
    """

    def note(*arguments: Any) -> None:
        kept = st.session_state.to_dict()  # unlike a look-up by key, this cannot be stopped
        said = () if key is None else (kept.get(key),)
        noted: list[_Noted] = kept[_NOTED]
        at = sum(it.is_picked for it in noted) if is_picked else len(noted)
        noted.insert(at, _Noted(act, (*said, *arguments), key, is_picked))

    return note


def take() -> None:
    """Do what is noted, in order; what a stopped run left is done again from its beginning."""
    is_late = url.is_late()
    noted: list[_Noted] = st.session_state.setdefault(_NOTED, [])
    puts: dict[str, _Put] = st.session_state.setdefault(_PUT, {})
    while noted:
        first = noted[0]
        put = puts.get(first.key or "")
        try:
            if not (put and put.is_echo(first.arguments[0], is_late)):
                first.act(*first.arguments)
        except Exception:
            _drop(noted, first)
            raise
        _drop(noted, first)
    for key, put in tuple(puts.items()):
        value = st.session_state.get(key)
        if put.is_echo(value, is_late):
            st.session_state[key] = put.value
        elif not (put.is_open or is_late):
            del puts[key]
        elif value != put.value:  # typed before the browser heard of our put, which will come over it: said again
            puts[key] = _Put((*put.before, put.value), value)
            st.session_state[key] = value


def put(key: str, value: Any, *, language: str = "") -> None:
    """Give a widget its value, where it has another: sent again, it would undo what the person does meanwhile.

    Args:
        key: the widget's.
        value: what it is to hold.
        language: of its choices, where they are words; in another one, as on another page, it is a new widget.
    """
    before, at = st.session_state.get(key), f"{key}.at"
    here = (getattr(get_script_run_ctx(), "page_script_hash", ""), language)
    if before == value and st.session_state.get(at) == here:
        return
    puts: dict[str, _Put] = st.session_state.setdefault(_PUT, {})
    earlier = puts[key].before if key in puts else ()
    puts[key] = _Put((*earlier, before), value)
    st.session_state[at] = here
    st.session_state[key] = value


def is_part_of_page() -> bool:
    """Whether a part of the page runs by itself, and not with the whole of it."""
    return bool(getattr(get_script_run_ctx(), "fragment_ids_this_run", None))


def finish() -> None:
    """Note that a run of the page, or of a part that runs by itself, came to its end: its puts are on their way."""
    puts: dict[str, _Put] = st.session_state.setdefault(_PUT, {})
    for key, put in tuple(puts.items()):
        puts[key] = replace(put, is_open=False)


def _drop(noted: list[_Noted], one: _Noted) -> None:
    with suppress(ValueError):  # a run that was stopped may still have done it
        noted.remove(one)
