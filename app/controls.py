"""The widgets all pages share. Each writes to `state` in its callback and draws nothing else."""

from __future__ import annotations

from html import escape

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
    """The sentence; Enter or the button shows it. While it differs from the one drawn, a line under it says so."""
    st.text_input(
        say("text-label"),
        key=state.TEXT,
        placeholder=say("text-placeholder"),
        label_visibility="collapsed",
        on_change=_submit,
        autocomplete="off",
    )
    st.button(say("text-show"), key=state.SHOW, on_click=_submit)
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def example_pills(say: Strings) -> None:
    """The prepared examples as quiet buttons in a row."""
    with st.container(key="examples", horizontal=True, gap="small"):
        for name in state.EXAMPLES:
            _example(name, say)


def example_menu(say: Strings) -> None:
    """The prepared examples behind one button; the menu closes with the choice."""
    st.menu_button(
        say("example-label"),
        tuple(state.EXAMPLES),
        key=state.EXAMPLE_MENU,
        format_func=lambda name: say(f"example-{name}"),
        on_click=_choose_from_menu,
        args=(say,),
    )


def _example(name: str, say: Strings) -> None:
    key = f"example-{name}"
    st.button(say(key), key=key, on_click=_choose_example, args=(name, say))


def _choose_from_menu(say: Strings) -> None:
    name = st.session_state[state.EXAMPLE_MENU]
    if name in state.EXAMPLES:
        _choose_example(name, say)


def _choose_language() -> None:
    state.prefer(language=st.session_state[state.LANGUAGE])


def _choose_size() -> None:
    state.prefer(size=SIZES[bool(st.session_state[state.SIZE])])


def _submit() -> None:
    state.want(st.session_state[state.TEXT])


def _choose_example(name: str, say: Strings) -> None:
    text = say(f"example-{name}-text")
    st.session_state[state.TEXT] = text
    state.want(text, state.EXAMPLES[name])
