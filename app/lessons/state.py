"""Which step of which lesson is on the page, what was predicted in it, and what its picture then shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.state import HEADS
from attnviz_app.host import session, url
from attnviz_app.lessons.content import Step, lessons
from attnviz_app.notice import Notice
from attnviz_app.page_state import PageState
from attnviz_app.shell import visitor
from attnviz_app.step.query import CELL
from attnviz_app.step.state import STEP
from attnviz_app.train.state import TRAIN

NAMES = ("lesson", "step")  # what a link says, both counted from 1
PICTURES: dict[str, PageState] = {"step": STEP, "heads": HEADS, "compare": COMPARE, "train": TRAIN}
IN_PICTURE = frozenset(name for state in PICTURES.values() for name in (*state.names, *state.picked))
COUNTED = re.compile("[1-9]", re.ASCII)
LESSON, POINT, WHAT_IF = "lesson-menu", "lesson-point", "lesson-what-if"  # widgets
_predicted: session.Value[dict[Question, str]] = session.Value("lesson-predicted", dict)
_visit = session.Value("lesson-visit", lambda: -1)  # the last one whose picture was brought


@dataclass(frozen=True)
class Question:
    """A step of a lesson, counted from 0."""

    lesson: int = 0
    step: int = 0


def _to_link(question: Question) -> dict[str, str]:
    return {"lesson": str(question.lesson + 1), "step": str(question.step + 1)}


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    """A link that says nothing of the picture shows it as the step does; one without a step begins at the first."""
    said = [int(query[name]) - 1 if COUNTED.fullmatch(query.get(name, "")) else 0 for name in NAMES]
    lesson = min(said[0], len(lessons()) - 1)
    question = Question(lesson, min(said[1], len(lessons()[lesson].steps) - 1))
    _visit.set(url.visit())
    if not query.keys() & IN_PICTURE:
        show(question)
    return question, []


LESSONS = PageState("lessons", NAMES, (), first=Question, from_link=_from_link, to_link=_to_link)


def step() -> Step:
    """The step on the page."""
    asked = LESSONS.asked
    return lessons()[asked.lesson].steps[asked.step]


def begin() -> None:
    """Who comes to the page sees its step where no link says otherwise; the link says what the page asks."""
    if _visit.get() != url.visit():
        _visit.set(url.visit())
        show(LESSONS.asked)
    own = PICTURES[step().page]
    others = IN_PICTURE - {*own.names, *own.picked}
    url.beside({**dict.fromkeys(sorted(others), ""), **_to_link(LESSONS.asked)})


def show(question: Question, shown: str = "") -> None:
    """Bring a step's picture; see Step.link for `shown`."""
    now = lessons()[question.lesson].steps[question.step]
    PICTURES[now.page].open(now.link(shown, visitor.language()))


def go(lesson: int, step: int = 0) -> None:
    """Go to a step; what was predicted there stays."""
    question = Question(lesson, step)
    LESSONS.ask(question)
    show(question, "then" if predicted() else "")


def predicted() -> str:
    """What was predicted in the step on the page; "" before that."""
    return _predicted.get().get(LESSONS.asked, "")


def predict(said: str) -> None:
    """Keep what was predicted, and show what there is to see."""
    _predicted.set({**_predicted.get(), LESSONS.asked: said})
    show(LESSONS.asked, "then")


def point(picked: Mapping[str, str]) -> None:
    """Predict the cell that is picked in the picture; a browser may say anything."""
    cell = CELL.fullmatch(picked.get("cell", ""))
    if cell is not None and cell[2]:
        predict(f"{cell[2]},{cell[3]}")
