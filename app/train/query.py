"""What the Training page is asked, what a link says is picked in its picture, and both in a link. No Streamlit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from attnviz_app.settings import settings
from attnviz_app.train.request import RUN, Ask, from_settings

from attnviz.training import TASKS
from attnviz.views import Moment

NAMES = ("task", "input", "run", "train")  # what a question says in a link, in this order
PICKED = ("at", "log")  # what its picture says; log, and present as on Step through, are the browser's alone
FIRST_TASK = "induction"
LONGEST = 60  # characters of a name that are said
# step.layer.head.query.key.run: the step as it is, the others counted from 1, the run a or b.
AT = re.compile(r"([0-9]{1,6})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,4})\.([0-9]{1,4})\.([ab])", re.ASCII)


@dataclass(frozen=True)
class Question:
    """A task, a text of one's own for it, and the training to look at beside the one that ships."""

    task: str = FIRST_TASK
    text: str = ""  # "" is the task's first example
    run: str = ""  # trained here; "" is none
    ask: Ask | None = None  # what is to be trained; None is what the run was trained with, or the task's own


def to_link(question: Question) -> dict[str, str]:
    ask = question.ask.settings if question.ask else ""
    return dict(zip(NAMES, (question.task, question.text, question.run, ask), strict=True))


def from_link(query: Mapping[str, str], default: Question) -> Question:
    """Read a question; what a link lacks or says wrongly comes from `default`. No value can raise."""
    if not query.keys() & set(NAMES):
        return default
    task = query.get("task", default.task)
    text = query.get("input", "").encode("utf-8", "replace").decode()
    task, run = task if task in TASKS else default.task, query.get("run", "")
    ask = from_settings(task, query.get("train", ""), settings().training_steps)
    return Question(task, text, run if RUN.fullmatch(run) else "", ask)


def moment_in(query: Mapping[str, str]) -> Moment | None:
    """The moment a link says is picked; None where it says none. No value can raise."""
    match = AT.fullmatch(query.get("at", ""))
    if match is None:
        return None
    step, *counted = (int(part) for part in match.groups()[:5])
    layer, head, row, key = (max(0, number - 1) for number in counted)
    return Moment(step, layer, head, row, key, "ab".index(match[6]))
