"""Where the Training page keeps what a person points at, asked for and changed, and who they are to the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from attnviz_app import page_state
from attnviz_app.host import url
from attnviz_app.jobs.trainings import Job, trainings
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.settings import settings
from attnviz_app.train.request import Ask, own_ask
from attnviz_app.train.training_query import NAMES, Lesson, from_link, picked, to_link

from attnviz.core.errors import AttnvizError
from attnviz.views import Moment

# Widget keys
TASK, TEXT, EXAMPLES, SHOW = "train-task", "train-text", "train-examples", "train-show"
CHANGE, RESET, START, PRESET = "train-change", "train-reset", "train-start", "train-preset"
HEADS, LAYERS, POSITIONS, FEED_FORWARD = "train-heads", "train-layers", "train-positions", "train-feed-forward"
RATE, STEPS, STOP, USE = "train-rate", "train-steps", "train-stop", "train-use"
VIEW = "training-view"
MINE = 1  # the place of a person's own training beside the one that ships

OWN_LINK = url.Part("training", NAMES)
_LESSON, _ASKS, _GOOD, _PROBLEM, _MOUNTED, _DRAWN = (
    f"attnviz.training-{it}" for it in ("lesson", "asks", "good", "problem", "mounted", "drawn")
)


def begin() -> Lesson:
    """Bring the link and the session together; called at the start of every run of the page."""
    query = OWN_LINK.query()
    if OWN_LINK.is_opened(query):
        opened = from_link(query, lesson())
        if opened.run and "at" not in query:  # a link to a training shows that one first
            opened = replace(opened, at=Moment(run=MINE))
        _keep(opened)
        OWN_LINK.remember(query)
    own = trainings().of(page_state.visitor())
    if own is not None and not lesson().run and own.ask.task == lesson().task:
        _keep(replace(lesson(), run=own.id))  # a page that was loaded again finds its training
    _write()
    return lesson()


def lesson() -> Lesson:
    """What is on the page."""
    kept: Lesson = st.session_state.get(_LESSON, Lesson())
    return kept


def change(**changes: Any) -> None:
    """Look at something else."""
    _keep(replace(lesson(), **changes))
    _write()


def choose_task(task: str) -> None:
    """Another task, with the text and the training that belonged to it last."""
    own = trainings().of(page_state.visitor())
    _keep(Lesson(task, run=own.id if own is not None and own.ask.task == task else ""))
    _write()


def point(said: Mapping[str, object], n_runs: int) -> None:
    """Take over what a picture of so many trainings says is picked; a browser may say anything."""
    own = lesson().at.run
    at = picked(lesson(), said)
    change(at=at._replace(run=min(at.run, n_runs - 1) if n_runs > 1 else own))


def text() -> str:
    """The text the heads are shown on, as it was typed; else the task's first example."""
    return lesson().text or first_text(lesson().task)


def first_text(task: str) -> str:
    return text_of(next(iter(examples_of(task))), page_state.say())


def good_text(task: str) -> str:
    """The last text that could be read."""
    kept: dict[str, str] = st.session_state.setdefault(_GOOD, {})
    return kept.get(task, first_text(task))


def is_example(task: str, text: str) -> bool:
    """Whether a text is one of those prepared for the task."""
    return any(text == text_of(name, page_state.say()) for name in examples_of(task))


def read_well(task: str, text: str) -> None:
    """Note a text that could be read."""
    st.session_state.setdefault(_GOOD, {})[task] = text


# ------------------------------------------------------------------------------------------- what is to be trained


def ask() -> Ask:
    """What the controls say."""
    task = lesson().task
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    shown = trainings().store.ask(lesson().run)
    own = own_ask(task, settings().training_steps)
    return asks.get(task, shown if shown is not None and shown.task == task else own)


def change_ask(**changes: Any) -> None:
    """Change what is to be trained; None takes all changes back."""
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    asks[lesson().task] = replace(ask(), **changes)


def reset_ask() -> None:
    """As the task ships."""
    asks: dict[str, Ask] = st.session_state.setdefault(_ASKS, {})
    asks[lesson().task] = own_ask(lesson().task, settings().training_steps)


def start() -> None:
    """Ask for the training that the controls say, and look at it."""
    st.session_state.pop(_PROBLEM, None)
    try:
        job = trainings().submit(page_state.visitor(), ask())
    except AttnvizError as problem:
        st.session_state[_PROBLEM] = problem
        return
    change(run=job.id, at=Moment(run=MINE))
    model_menu.saw(job.id)


def stop() -> None:
    """Give up one's own training."""
    st.session_state.pop(_PROBLEM, None)
    trainings().cancel(page_state.visitor(), lesson().run)


def problem() -> AttnvizError | None:
    """Why the last thing asked for was refused."""
    kept: AttnvizError | None = st.session_state.get(_PROBLEM)
    return kept


def job() -> Job | None:
    """The training on the page, as far as this server remembers it."""
    return trainings().job(lesson().run)


def mounted(*key: object) -> Moment:
    """The moment a picture was mounted with: it stays while the person points inside, so that nothing is sent again."""
    kept = st.session_state.get(_MOUNTED)
    if kept is None or kept[0] != key:
        kept = st.session_state[_MOUNTED] = (key, lesson().at)
    moment: Moment = kept[1]
    return moment


def drew(moment: Moment) -> None:
    """Note what the picture shows where the person has picked nothing."""
    st.session_state[_DRAWN] = moment


def shown() -> Moment:
    """The moment, head and cell on the screen: those the person picked, else those the picture chose."""
    drawn: Moment = st.session_state.get(_DRAWN, Moment())
    picked = lesson().at
    return drawn if None in (picked.layer, picked.head) else picked


def _keep(new: Lesson) -> None:
    before = lesson()
    if (new.task, new.run) != (before.task, before.run) and new.at == before.at:
        new = replace(new, at=Moment())
    st.session_state[_LESSON] = new


def _write() -> None:
    """Put the lesson into the address bar, where it is not there already."""
    OWN_LINK.write(to_link(lesson()))
