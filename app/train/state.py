"""What the Training page is asked, and what is to be trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from attnviz_app.host import url
from attnviz_app.jobs.trainings import Training, trainings
from attnviz_app.notice import Notice, notice
from attnviz_app.page_state import PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.settings import settings
from attnviz_app.shell import visitor
from attnviz_app.train.query import LONGEST, NAMES, PICKED, Question, from_link, moment_in, to_link
from attnviz_app.train.request import Ask, own_ask

from attnviz.core.errors import AttnvizError
from attnviz.training import TASKS
from attnviz.views import Moment

# Widgets
TASK, TEXT, EXAMPLES = "train-task", "train-text", "train-examples"
CHANGE, RESET, START, PRESET = "train-change", "train-reset", "train-start", "train-preset"
HEADS, LAYERS, POSITIONS, FEED_FORWARD = "train-heads", "train-layers", "train-positions", "train-feed-forward"
RATE, STEPS, STOP, USE = "train-rate", "train-steps", "train-stop", "train-use"
VIEW = "training-view"
MINE = 1  # the place of a person's own training beside the one that ships
_MOMENT, _BASE, _ASKS, _PROBLEM = (f"attnviz.training-{it}" for it in ("moment", "base", "asks", "problem"))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    question, at = from_link(query, default), moment_in(query)
    if at is None and question.run:  # a link to a training shows that one first
        at = Moment(run=MINE)
    bring(at)
    wrong = query.get("task", question.task)
    missing = wrong not in TASKS
    return question, [notice("notice-task", name=wrong[:LONGEST])] if missing else []


TRAIN = PageState("train", NAMES, PICKED, first=Question, from_link=_from_link, to_link=to_link)


def begin() -> None:
    """A page that was loaded again finds its training."""
    own = trainings().queue.of(visitor.name())
    if own is not None and not TRAIN.asked.run and own.asked.task == TRAIN.asked.task:
        TRAIN.change(run=own.asked.id)


def bring(at: Moment | None) -> None:
    """The next picture begins at this moment; None lets it choose one."""
    st.session_state[_MOMENT] = at
    url.bring()


def base() -> Moment:
    """The moment that the picture begins with: the same until another is brought or something else is asked."""
    key = (TRAIN.asked.task, TRAIN.asked.run, url.brings())
    kept = st.session_state.get(_BASE)
    if kept is None or kept[0] != key:
        at: Moment | None = st.session_state.pop(_MOMENT, None)
        kept = st.session_state[_BASE] = (key, at or Moment())
    first: Moment = kept[1]
    return first


def choose_task(task: str) -> None:
    """Another task, with the training that belongs to it."""
    own = trainings().queue.of(visitor.name())
    TRAIN.ask(Question(task, run=own.asked.id if own is not None and own.asked.task == task else ""))
    bring(None)


def text() -> str:
    """The text the heads are shown on, as it was typed; else the task's first example."""
    return TRAIN.asked.text or first_text(TRAIN.asked.task)


def first_text(task: str) -> str:
    return text_of(next(iter(examples_of(task))), visitor.say())


def good_text(task: str) -> str:
    """The last text that could be read."""
    shown = TRAIN.shown
    return shown.text if shown.task == task and shown.text else first_text(task)


# ------------------------------------------------------------------------------------------- what is to be trained


def ask() -> Ask:
    """What the controls say."""
    task = TRAIN.asked.task
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    shown = trainings().store.ask(TRAIN.asked.run)
    own = own_ask(task, settings().training_steps)
    return asks.get(task, shown if shown is not None and shown.task == task else own)


def change_ask(**changes: Any) -> None:
    """Change what is to be trained."""
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    asks[TRAIN.asked.task] = replace(ask(), **changes)


def reset_ask() -> None:
    """As the task ships."""
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    asks[TRAIN.asked.task] = own_ask(TRAIN.asked.task, settings().training_steps)


def start() -> None:
    """Ask for the training that the controls say, and look at it."""
    st.session_state.pop(_PROBLEM, None)
    try:
        job = trainings().submit(visitor.name(), ask())
    except AttnvizError as problem:
        st.session_state[_PROBLEM] = problem
        return
    TRAIN.change(run=job.asked.id)
    bring(Moment(run=MINE))
    model_menu.saw(job.asked.id)


def stop() -> None:
    """Give up one's own training."""
    st.session_state.pop(_PROBLEM, None)
    trainings().queue.leave(TRAIN.asked.run, visitor.name())


def problem() -> AttnvizError | None:
    """Why the last thing asked for was refused."""
    kept: AttnvizError | None = st.session_state.get(_PROBLEM)
    return kept


def job() -> Training | None:
    """The training on the page, as far as this server remembers it."""
    return trainings().queue.job(TRAIN.asked.run)
