"""The widgets of the Training page: the task, a text of one's own, what to change, and the buttons that train."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st
from attnviz_app.host import events
from attnviz_app.host.events import later
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.settings import settings
from attnviz_app.shell import controls, lines, visitor
from attnviz_app.train import state as page
from attnviz_app.train.request import HEADS, LAYERS, RATES, offered_steps
from attnviz_app.train.state import TRAIN
from attnviz_app.train.training_names import sentences, settings_line, task_name

from attnviz.text import Strings
from attnviz.training import TASKS

T = TypeVar("T", int, float)


def task_menu(say: Strings) -> None:
    controls.menu(
        page.TASK, TRAIN.asked.task, tuple(TASKS), page.choose_task, say, label=say("training-task"),
        name_of=lambda name: task_name(name, say),
    )  # fmt: skip


def text_box(say: Strings) -> None:
    label, hint = say("training-text"), say("training-text-hint")
    controls.text_box(page.TEXT, page.text(), lambda text: TRAIN.change(text=text), say, label=label, hint=hint)


def example_menu(say: Strings) -> None:
    controls.example_menu(page.EXAMPLES, examples_of(TRAIN.asked.task), _take_example, say)


def change_menu(say: Strings) -> None:
    """What teaches something when it is changed; the rest is the task's own."""
    ask, limits = page.ask(), settings()
    with st.popover(say("training-change"), key=page.CHANGE):
        _segments(page.HEADS, ask.heads, HEADS, say("training-heads"), "heads")
        _segments(page.LAYERS, ask.layers, LAYERS, say("training-layers"), "layers")
        label = say("training-positions")
        controls.switch(page.POSITIONS, ask.has_positions, _changes("has_positions"), label=label)
        label = say("training-feed-forward")
        controls.switch(page.FEED_FORWARD, ask.has_feed_forward, _changes("has_feed_forward"), label=label)
        rates = tuple(sorted({*RATES, ask.rate}))
        _slider(page.RATE, ask.rate, rates, say("training-rate"), "rate", lambda rate: f"{rate:g}")
        steps = offered_steps(limits.training_steps, ask.steps)
        _slider(page.STEPS, ask.steps, steps, say("training-steps"), "steps", lambda n: f"{n:,}")
        limit = say("training-limit", steps=limits.training_steps, seconds=round(limits.training_seconds))
        lines.note(sentences(say("training-preset-help"), limit))
        st.button(say("training-reset"), key=page.RESET, on_click=later(page.reset_ask))


def start_buttons(say: Strings) -> None:
    """Train what the controls say; or, in one click, the same without positions. One training a person at a time."""
    if not settings().training:
        lines.note(say("error-training-off"))
        return
    lines.note(settings_line(page.ask(), say))
    is_busy = trainings().queue.of(visitor.name()) is not None
    st.button(say("training-start"), key=page.START, on_click=later(page.start), disabled=is_busy)
    st.button(say("training-preset"), key=page.PRESET, on_click=later(_start_bare), disabled=is_busy)


def _segments(name: str, value: int, choices: tuple[int, ...], label: str, field: str) -> None:
    controls.segments(name, value, choices, _changes(field), label=label, name_of=str, is_labelled=True)


def _slider(name: str, value: T, choices: tuple[T, ...], label: str, field: str, said: Callable[[T], str]) -> None:
    key = events.put(name, value)
    st.select_slider(label, choices, value, key=key, format_func=said, on_change=events.changed(_changes(field), name))


def _changes(field: str) -> Callable[[object], None]:
    return lambda value: page.change_ask(**{field: value})


def _start_bare() -> None:
    page.change_ask(has_positions=False)
    page.start()


def _take_example(name: str) -> None:
    if name in examples_of(TRAIN.asked.task):
        TRAIN.change(text=text_of(name, visitor.say()))
