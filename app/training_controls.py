"""The widgets of the Training page: the task, a text of one's own, what to change, and the buttons that train."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st
from attnviz_app import state
from attnviz_app import training_state as page
from attnviz_app.examples import examples_of, text_of
from attnviz_app.settings import settings
from attnviz_app.training_ask import HEADS, LAYERS, RATES, Ask, offered_steps, own_ask
from attnviz_app.training_words import sentences, task_name
from attnviz_app.trainings import trainings

from attnviz.text import Strings
from attnviz.training import TASKS


def task_menu(say: Strings) -> None:
    """What is learned."""
    st.session_state[page.TASK] = page.lesson().task
    st.selectbox(
        say("training-task"),
        tuple(TASKS),
        key=page.TASK,
        format_func=lambda task: task_name(task, say),
        label_visibility="collapsed",
        on_change=lambda: page.choose_task(st.session_state[page.TASK]),
    )


def text_box(say: Strings) -> None:
    """The text all heads are shown on; while it differs from the one drawn, a line under it says so."""
    st.session_state[page.TEXT] = page.text()
    st.text_input(
        say("training-text"),
        key=page.TEXT,
        placeholder=say("training-text-hint"),
        label_visibility="collapsed",
        on_change=_submit,
        autocomplete="off",
    )
    st.button(say("text-show"), key=page.SHOW, on_click=_submit)
    with st.container(key="enter"):  # shell.css shows it while Streamlit holds the typed text back
        st.html(f'<p class="av-enter">{escape(say("text-enter"))}</p>')


def example_menu(say: Strings) -> None:
    """The prepared texts of the task."""
    names = tuple(examples_of(page.lesson().task))
    st.menu_button(
        say("example-label"),
        names,
        key=page.EXAMPLES,
        format_func=lambda name: say(f"example-{name}"),
        on_click=lambda: _take_example(names, say),
    )


def change_menu(say: Strings) -> None:
    """What teaches something when it is changed; the rest is the task's own."""
    ask, limits = page.ask(), settings()
    st.session_state.update({page.HEADS: ask.heads, page.LAYERS: ask.layers, page.RATE: ask.rate})
    st.session_state.update({page.POSITIONS: ask.has_positions, page.FEED_FORWARD: ask.has_feed_forward})
    st.session_state[page.STEPS] = ask.steps
    with st.popover(say("training-change"), key=page.CHANGE):
        _segments(page.HEADS, HEADS, say("training-heads"), "heads")
        _segments(page.LAYERS, LAYERS, say("training-layers"), "layers")
        _switch(page.POSITIONS, say("training-positions"), "has_positions")
        _switch(page.FEED_FORWARD, say("training-feed-forward"), "has_feed_forward")
        rates = tuple(sorted({*RATES, ask.rate}))
        st.select_slider(
            say("training-rate"), rates, key=page.RATE, format_func=lambda rate: f"{rate:g}",
            on_change=lambda: page.change_ask(rate=st.session_state[page.RATE]),
        )  # fmt: skip
        steps = offered_steps(limits.training_steps, ask.steps)
        st.select_slider(
            say("training-steps"), steps, key=page.STEPS, format_func=lambda n: f"{n:,}",
            on_change=lambda: page.change_ask(steps=st.session_state[page.STEPS]),
        )  # fmt: skip
        limit = say("training-limit", steps=limits.training_steps, seconds=round(limits.training_seconds))
        st.html(f'<p class="av-note">{escape(sentences(say("training-preset-help"), limit))}</p>')
        st.button(say("training-reset"), key=page.RESET, on_click=page.reset_ask)


def start_buttons(say: Strings) -> None:
    """Train what the controls say; or, in one click, the same without positions. One training a person at a time."""
    if not settings().training:
        st.html(f'<p class="av-note">{escape(say("error-training-off"))}</p>')
        return
    ask, own = page.ask(), trainings().of(state.visitor())
    is_busy = own is not None
    bare = replace(own_ask(ask.task, settings().training_steps), has_positions=False)
    st.button(say("training-start"), key=page.START, on_click=page.start, args=(ask,), disabled=is_busy)
    st.button(say("training-preset"), key=page.PRESET, on_click=_start_bare, args=(bare,), disabled=is_busy)


def _segments(key: str, choices: tuple[int, ...], label: str, field: str) -> None:
    st.segmented_control(
        label, choices, key=key, required=True, format_func=str,
        on_change=lambda: page.change_ask(**{field: st.session_state[key]}),
    )  # fmt: skip


def _switch(key: str, label: str, field: str) -> None:
    st.toggle(label, key=key, on_change=lambda: page.change_ask(**{field: st.session_state[key]}))


def _start_bare(bare: Ask) -> None:
    page.reset_ask()
    page.change_ask(has_positions=False)
    page.start(bare)


def _submit() -> None:
    page.change(text=st.session_state[page.TEXT])


def _take_example(names: tuple[str, ...], say: Strings) -> None:
    name = st.session_state[page.EXAMPLES]
    if name in names:
        page.change(text=text_of(name, say))
