"""What the Training page is asked, what a link says is picked in its picture, and both in a link. No Streamlit."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviz_app.jobs.training_request import RUN, Ask, from_settings
from attnviz_app.settings import settings

from attnviz.training import TASKS
from attnviz.views import Moment, link

FIRST_TASK = "induction"
LONGEST = 60  # characters of a name that are said


@dataclass(frozen=True)
class Question:
    """A task, a text of one's own for it, and the training to look at beside the one that ships."""

    task: str = FIRST_TASK
    text: str = ""  # "" is the task's first example
    run: str = ""  # trained here; "" is none
    ask: Ask | None = None  # what is to be trained; None is what the run was trained with, or the task's own


def to_link(question: Question) -> dict[str, str]:
    ask = question.ask.settings if question.ask else ""
    return {"task": question.task, "text": question.text, "run": question.run, "train": ask}


def from_link(query: Mapping[str, str], default: Question) -> Question:
    """Read a question; what a link lacks or says wrongly comes from `default`. No value can raise."""
    if not query.keys() & set(link.asked_by("train")):
        return default
    task = query.get("task", default.task)
    text = query.get("text", "").encode("utf-8", "replace").decode()
    task, run = task if task in TASKS else default.task, query.get("run", "")
    ask = from_settings(task, query.get("train", ""), settings().training_steps)
    return Question(task, text, run if RUN.fullmatch(run) else "", ask)


def moment_in(query: Mapping[str, str]) -> Moment | None:
    """The moment a link says is picked; None where it says none. No value can raise."""
    said, _ = link.read(query, link.picked_in("train"))
    layer, head, row, key = (
        None if said[name] is None else max(0, said[name]) for name in ("layer", "head", "token", "key")
    )
    if not said["update"] and layer is head is row is None:
        return None
    return Moment(int(said["update"]) if said["update"] else None, layer, head, row, key, int(said["side"] == "b"))
