"""The widgets of the frame, and those that pages have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import streamlit as st
from attnviz_app.host import events, visitor

from attnviz.text import LANGUAGES, NATIVE_NAMES, Strings

LANGUAGE, SIZE = "language-box", "size-box"
T = TypeVar("T")


def language(say: Strings) -> None:
    """The language of the page, each in its own script."""
    segments(
        LANGUAGE, visitor.language(), LANGUAGES, visitor.choose_language, label=say("control-language"),
        name_of=lambda code: NATIVE_NAMES[code],
    )  # fmt: skip


def size(say: Strings) -> None:
    switch(SIZE, visitor.size() != "normal", visitor.choose_size, label=say("control-size-projector"))


def switch(name: str, value: bool, choose: Callable[[bool], None], *, label: str) -> None:
    st.toggle(label, value, key=events.put(name, value), on_change=events.changed(choose, name))


def segments(
    name: str, value: T, options: Sequence[T], choose: Callable[[T], None], *, label: str, name_of: Callable[[T], str],
    language: str = "", is_labelled: bool = False,
) -> None:  # fmt: skip
    """One of a few that stand beside each other; see events.put for `language`."""
    st.segmented_control(
        label, options, default=value, key=events.put(name, value, language), required=True, format_func=name_of,
        label_visibility="visible" if is_labelled else "collapsed", on_change=events.changed(choose, name),
    )  # fmt: skip


def menu(
    name: str, value: T, options: tuple[T, ...], choose: Callable[[T], None], say: Strings, *, label: str,
    name_of: Callable[[T], str],
) -> None:  # fmt: skip
    """One of several. A value that left the options since is shown as none of them."""
    at = options.index(value) if value in options else None
    st.selectbox(
        label, options, at, key=events.put(name, value, say.language), format_func=name_of,
        label_visibility="collapsed", on_change=events.changed(choose, name),
    )  # fmt: skip


def example_menu(
    name: str, examples: Iterable[str], choose: Callable[[str], None], say: Strings, *, is_off: bool = False
) -> None:
    """The prepared texts behind one button; the menu closes with the choice."""
    st.menu_button(
        say("example-label"), tuple(examples), key=name, format_func=lambda example: say(f"example-{example}"),
        on_click=events.later(choose, name), disabled=is_off,
    )  # fmt: skip
