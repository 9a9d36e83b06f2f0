"""The widgets all pages share. Each writes to `state` in its callback and draws nothing else."""

from __future__ import annotations

from html import escape

import streamlit as st
from attnviz_app import page_state
from attnviz_app.heads.query import SIZES
from attnviz_app.host import events
from attnviz_app.host.events import later
from attnviz_app.serving import model_menu as choice
from attnviz_app.serving.examples import text_of
from attnviz_app.train.names import model_label

from attnviz.text import LANGUAGES, NATIVE_NAMES, Language, Strings
from attnviz.trace.trace import Trace
from attnviz.views.heads.parts import parts_of, shown_part


def language(say: Strings) -> None:
    """The language of the page, each in its own script."""
    st.session_state.setdefault(page_state.LANGUAGE, page_state.read().language)
    st.segmented_control(
        say("control-language"),
        LANGUAGES,
        key=page_state.LANGUAGE,
        required=True,
        format_func=lambda code: NATIVE_NAMES[code],
        label_visibility="collapsed",
        on_change=later(_choose_language, page_state.LANGUAGE),
    )


def size(say: Strings) -> None:
    """Larger text and drawings, for a projector."""
    st.session_state.setdefault(page_state.SIZE, page_state.read().size != "normal")
    st.toggle(say("control-size-projector"), key=page_state.SIZE, on_change=later(_choose_size, page_state.SIZE))


def model_menu(say: Strings) -> None:
    """The models there are here, those this person trained among them."""
    events.put(page_state.MODEL, page_state.wanted().model, language=page_state.read().language)
    st.selectbox(
        say("model-label"),
        choice.models(),
        key=page_state.MODEL,
        format_func=lambda name: model_label(name, say),
        label_visibility="collapsed",
        on_change=later(choice.want_model, page_state.MODEL),
    )


def part_switch(trace: Trace, say: Strings) -> None:
    """Whose attention is shown, of a model that reads one text and writes another."""
    parts = parts_of(trace)
    if len(parts) == 1:
        return
    events.put(page_state.PART, shown_part(trace, page_state.read().part), language=page_state.read().language)
    st.segmented_control(
        say("part-label"),
        parts,
        key=page_state.PART,
        required=True,
        format_func=lambda part: say(f"view-heads-part-{part}"),
        label_visibility="collapsed",
        on_change=later(_choose_part, page_state.PART),
    )


def text_box(say: Strings) -> None:
    """The sentence; Enter or the button shows it. While it differs from the one drawn, a line under it says so."""
    st.text_input(
        say("text-label"),
        key=page_state.TEXT,
        placeholder=say("training-text-hint" if choice.task(page_state.wanted().model) else "text-placeholder"),
        label_visibility="collapsed",
        on_change=later(page_state.want, page_state.TEXT),
        autocomplete="off",
    )
    st.button(say("text-show"), key=page_state.SHOW, on_click=later(page_state.want, page_state.TEXT))
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def target_box(trace: Trace, say: Strings) -> None:
    """What a model that writes is to write, for its attention over a text of the person's own."""
    if trace.tokens.target is None:
        return
    events.put(page_state.TARGET, page_state.wanted().target)
    st.text_input(
        say("target-label"),
        key=page_state.TARGET,
        placeholder=say("target-placeholder"),
        label_visibility="collapsed",
        on_change=later(_submit_target, page_state.TARGET),
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
        key=page_state.EXAMPLE_MENU,
        format_func=lambda name: say(f"example-{name}"),
        on_click=later(_choose_example, page_state.EXAMPLE_MENU),
        args=(say,),
    )


def _example(name: str, say: Strings) -> None:
    key = f"example-{name}"
    st.button(say(key), key=key, on_click=later(_choose_example), args=(name, say))


def _choose_language(language: Language) -> None:
    page_state.prefer(language=language)


def _choose_size(is_projector: bool) -> None:
    page_state.prefer(size=SIZES[is_projector])


def _submit_target(target: str) -> None:
    page_state.want_target(target.strip())


def _choose_example(name: str, say: Strings) -> None:
    if name not in choice.examples():  # those of the model before
        return
    text = text_of(name, say)
    events.put(page_state.TEXT, text)
    page_state.want_target("")
    page_state.want(text, choice.examples()[name])


def _choose_part(part: str) -> None:
    page_state.select(part=part, token=None, released=False, key=None)
