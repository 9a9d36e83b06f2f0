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


def bar(say: Strings) -> None:
    """The task and a text of one's own."""
    task, label, hint = TRAIN.asked.task, say("training-text"), say("training-text-hint")
    controls.menu(
        "train-task", task, tuple(TASKS), page.choose_task, say, label=say("training-task"),
        name_of=lambda name: task_name(name, say),
    )  # fmt: skip
    controls.text_box("train-text", page.text(), lambda text: TRAIN.change(text=text), say, label=label, hint=hint)
    controls.example_menu("train-examples", examples_of(task), _take_example, say)


def change_menu(say: Strings) -> None:
    """What teaches something when it is changed; the rest is the task's own."""
    ask, limits = page.ask(), settings()
    with st.popover(say("training-change"), key="train-change"):
        _segments("heads", ask.heads, HEADS, say)
        _segments("layers", ask.layers, LAYERS, say)
        label = say("training-positions")
        controls.switch("train-positions", ask.has_positions, _changes("has_positions"), label=label)
        label = say("training-feed-forward")
        controls.switch("train-feed-forward", ask.has_feed_forward, _changes("has_feed_forward"), label=label)
        rates = tuple(sorted({*RATES, ask.rate}))
        _slider("rate", ask.rate, rates, lambda rate: f"{rate:g}", say)
        steps = offered_steps(limits.training_steps, ask.steps)
        _slider("steps", ask.steps, steps, lambda n: f"{n:,}", say)
        limit = say("training-limit", steps=limits.training_steps, seconds=round(limits.training_seconds))
        lines.note(sentences(say("training-preset-help"), limit))
        st.button(say("training-reset"), key="train-reset", on_click=later(page.reset_ask))


def start_buttons(say: Strings) -> None:
    """Train what the controls say; or, in one click, the same without positions. One training a person at a time."""
    if not settings().training:
        lines.note(say("error-training-off"))
        return
    lines.note(settings_line(page.ask(), say))
    is_busy = trainings().queue.of(visitor.name()) is not None
    st.button(say("training-start"), key="train-start", on_click=later(page.start), disabled=is_busy)
    st.button(say("training-preset"), key="train-preset", on_click=later(_start_bare), disabled=is_busy)


def _segments(field: str, value: int, choices: tuple[int, ...], say: Strings) -> None:
    name, label = f"train-{field}", say(f"training-{field}")
    controls.segments(name, value, choices, _changes(field), label=label, name_of=str, is_labelled=True)


def _slider(field: str, value: T, choices: tuple[T, ...], said: Callable[[T], str], say: Strings) -> None:
    name, label = f"train-{field}", say(f"training-{field}")
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
