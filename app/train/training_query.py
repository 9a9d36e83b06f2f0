"""What a person points at on the Training page, as one frozen value, and its form in a link. Knows no Streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviz_app.train.request import RUN

from attnviz.training import TASKS
from attnviz.views import Moment

NAMES = ("task", "input", "run", "at")  # of the link, in this order
FIRST_TASK = "induction"
# step.layer.head.query.key.run: the step as it is, the others counted from 1, the run a or b.
AT = re.compile(r"([0-9]{1,6})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,4})\.([0-9]{1,4})\.([ab])", re.ASCII)


@dataclass(frozen=True)
class Lesson:
    """A task, a text of one's own for it, and the training to look at beside the one that ships."""

    task: str = FIRST_TASK
    text: str = ""  # "" is the task's first example
    run: str = ""  # trained here; "" is none
    at: Moment = field(default_factory=Moment)


def to_link(lesson: Lesson) -> dict[str, str]:
    """The lesson as part of a link's query."""
    values = (lesson.task, lesson.text, lesson.run, _written(lesson.at))
    return {name: value for name, value in zip(NAMES, values, strict=True) if value}


def from_link(query: Mapping[str, str], default: Lesson) -> Lesson:
    """Read a link; what it lacks or says wrongly comes from `default`, or is left to the view. No value can raise."""
    if not query.keys() & set(NAMES):
        return default
    task = query.get("task", default.task)
    task = task if task in TASKS else default.task
    text = query.get("input", "").encode("utf-8", "replace").decode()
    run = query.get("run", "")
    return Lesson(task, text, run if RUN.fullmatch(run) else "", _read(query.get("at", "")))


def picked(lesson: Lesson, said: Mapping[str, object]) -> Moment:
    """The moment a view said is picked; what is no number is not taken over."""
    values = {name: said.get(name) for name in Moment._fields}
    whole = {name: value for name, value in values.items() if type(value) is int and 0 <= value < 10**6}
    return lesson.at._replace(**whole)


def _written(at: Moment) -> str:
    where = (at.layer, at.head, at.query, at.key)
    if at.step is None or None in where:
        return ""
    return ".".join([str(at.step), *(str((it or 0) + 1) for it in where), "ab"[min(at.run, 1)]])


def _read(written: str) -> Moment:
    match = AT.fullmatch(written)
    if match is None:
        return Moment()
    step, *counted = (int(part) for part in match.groups()[:5])
    layer, head, query, key = (max(0, it - 1) for it in counted)
    return Moment(step, layer, head, query, key, "ab".index(match[6]))
