"""The widgets all pages share. Each writes to `state` in its callback and draws nothing else."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from attnviz_app import state
from attnviz_app.selection import SIZES

from attnviz.text import LANGUAGES, NATIVE_NAMES, Strings


def language(say: Strings) -> None:
    """The language of the page, each in its own script."""
    st.session_state.setdefault(state.LANGUAGE, state.read().language)
    st.segmented_control(
        say("control-language"),
        LANGUAGES,
        key=state.LANGUAGE,
        required=True,
        format_func=lambda code: NATIVE_NAMES[code],
        label_visibility="collapsed",
        on_change=_choose_language,
    )


def size(say: Strings) -> None:
    """Larger text and drawings, for a projector."""
    st.session_state.setdefault(state.SIZE, state.read().size != "normal")
    st.toggle(say("control-size-projector"), key=state.SIZE, on_change=_choose_size)


def text_box(say: Strings) -> None:
    """The sentence; Enter shows it."""
    st.text_input(
        say("text-label"),
        key=state.TEXT,
        placeholder=say("text-placeholder"),
        label_visibility="collapsed",
        on_change=_submit,
        autocomplete="off",
    )


def example_pills(say: Strings) -> None:
    """The prepared examples as quiet buttons in a row."""
    with st.container(key="examples", horizontal=True, gap="small"):
        for name in state.EXAMPLES:
            _example(name, say, "secondary")


def example_menu(say: Strings) -> None:
    """The prepared examples behind one button."""
    with st.popover(say("example-label"), key="example-menu"):
        for name in state.EXAMPLES:
            _example(name, say, "tertiary")


def _example(name: str, say: Strings, look: Literal["secondary", "tertiary"]) -> None:
    key = f"example-{name}"
    st.button(say(key), key=key, type=look, on_click=_choose_example, args=(name, say(f"{key}-text")))


def _choose_language() -> None:
    state.select(language=st.session_state[state.LANGUAGE])


def _choose_size() -> None:
    state.select(size=SIZES[bool(st.session_state[state.SIZE])])


def _submit() -> None:
    state.want(st.session_state[state.TEXT])


def _choose_example(name: str, text: str) -> None:
    st.session_state[state.TEXT] = text
    state.want(text, state.EXAMPLES[name])
