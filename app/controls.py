"""The widgets all pages share. Each writes to `state` in its callback and draws nothing else."""

from __future__ import annotations

from html import escape

import streamlit as st
from attnviz_app import choice, inputs, state
from attnviz_app.examples import text_of
from attnviz_app.inputs import later
from attnviz_app.selection import SIZES
from attnviz_app.training_words import model_label

from attnviz.text import LANGUAGES, NATIVE_NAMES, Language, Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import parts_of, shown_part


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
        on_change=later(_choose_language, state.LANGUAGE),
    )


def size(say: Strings) -> None:
    """Larger text and drawings, for a projector."""
    st.session_state.setdefault(state.SIZE, state.read().size != "normal")
    st.toggle(say("control-size-projector"), key=state.SIZE, on_change=later(_choose_size, state.SIZE))


def model_menu(say: Strings) -> None:
    """The models there are here, those this person trained among them."""
    inputs.put(state.MODEL, state.wanted().model, language=state.read().language)
    st.selectbox(
        say("model-label"),
        choice.models(),
        key=state.MODEL,
        format_func=lambda name: model_label(name, say),
        label_visibility="collapsed",
        on_change=later(choice.want_model, state.MODEL),
    )


def part_switch(trace: Trace, say: Strings) -> None:
    """Whose attention is shown, of a model that reads one text and writes another."""
    parts = parts_of(trace)
    if len(parts) == 1:
        return
    inputs.put(state.PART, shown_part(trace, state.read().part), language=state.read().language)
    st.segmented_control(
        say("part-label"),
        parts,
        key=state.PART,
        required=True,
        format_func=lambda part: say(f"view-heads-part-{part}"),
        label_visibility="collapsed",
        on_change=later(_choose_part, state.PART),
    )


def text_box(say: Strings) -> None:
    """The sentence; Enter or the button shows it. While it differs from the one drawn, a line under it says so."""
    st.text_input(
        say("text-label"),
        key=state.TEXT,
        placeholder=say("training-text-hint" if choice.task(state.wanted().model) else "text-placeholder"),
        label_visibility="collapsed",
        on_change=later(state.want, state.TEXT),
        autocomplete="off",
    )
    st.button(say("text-show"), key=state.SHOW, on_click=later(state.want, state.TEXT))
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def target_box(trace: Trace, say: Strings) -> None:
    """What a model that writes is to write, for its attention over a text of the person's own."""
    if trace.tokens.target is None:
        return
    inputs.put(state.TARGET, state.wanted().target)
    st.text_input(
        say("target-label"),
        key=state.TARGET,
        placeholder=say("target-placeholder"),
        label_visibility="collapsed",
        on_change=later(_submit_target, state.TARGET),
        autocomplete="off",
    )


def example_pills(say: Strings) -> None:
    """The prepared examples as quiet buttons in a row."""
    with st.container(key="examples", horizontal=True, gap="small"):
        for name in choice.examples():
            _example(name, say)


def example_menu(say: Strings) -> None:
    """The prepared examples behind one button; the menu closes with the choice."""
    st.menu_button(
        say("example-label"),
        tuple(choice.examples()),
        key=state.EXAMPLE_MENU,
        format_func=lambda name: say(f"example-{name}"),
        on_click=later(_choose_example, state.EXAMPLE_MENU),
        args=(say,),
    )


def _example(name: str, say: Strings) -> None:
    key = f"example-{name}"
    st.button(say(key), key=key, on_click=later(_choose_example), args=(name, say))


def _choose_language(language: Language) -> None:
    state.prefer(language=language)


def _choose_size(is_projector: bool) -> None:
    state.prefer(size=SIZES[is_projector])


def _submit_target(target: str) -> None:
    state.want_target(target.strip())


def _choose_example(name: str, say: Strings) -> None:
    if name not in choice.examples():  # those of the model before
        return
    text = text_of(name, say)
    inputs.put(state.TEXT, text)
    state.want_target("")
    state.want(text, choice.examples()[name])


def _choose_part(part: str) -> None:
    state.select(part=part, token=None, released=False, key=None)
