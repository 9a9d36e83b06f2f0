"""What a teacher shows is read before the class sees it: a link that its page could not answer goes no further."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl

from attnviz_app.host.url import FIELDS
from attnviz_app.lessons.content import lessons
from attnviz_app.serving.runs import runs
from attnviz_app.serving.trace_files import traced
from attnviz_app.serving.training_names import task_name
from attnviz_app.step import query as step
from attnviz_app.step import runs as step_runs
from attnviz_app.train import head_formation
from attnviz_app.train import query as train

from attnviz.core.errors import InputError, UnknownWords
from attnviz.text import Strings
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.views import link
from attnviz.views.heads.tokens import MOST_NAMED, shorten

SENTENCES = ("", "heads", "step", "compare")  # pages whose picture is of a sentence, and whose link says it

LONGEST = 4000  # characters of a link: all who follow are sent it whenever something changes


class Shown(NamedTuple):
    """A page, and what its link asks; what is picked in its picture needs no run."""

    page: str
    asked: tuple[tuple[str, str], ...]

    @property
    def query(self) -> dict[str, str]:
        return dict(self.asked)


def shown(page: str, query: str) -> Shown:
    """What a link asks. A step of a lesson asks what the page of its picture would.

    Raises:
        InputError: its page shows a sentence, and it does not say which, or of which model; or it is too long.
    """
    if len(query) > LONGEST:
        raise InputError(id="room-long-link", n=len(query), most=LONGEST)
    said = dict(parse_qsl(query, max_num_fields=FIELDS)) if query.count("&") < FIELDS else {}
    if page == "lessons":
        page = _page_of_step(said) if {"model", "task"} & said.keys() else ""
        if not page:
            return Shown("lessons", ())  # the step's own picture, or none
    page = page or "heads"  # Home asks what Heads does
    names = link.asked_by(page)
    if page in SENTENCES and not all(said.get(name) for name in ("model", "text", "model2") if name in names):
        raise InputError(id="room-no-sentence")
    return Shown(page, tuple((name, said[name]) for name in names if name in said))


def read(now: Shown, say: Strings) -> None:
    """Run what a link asks, which is kept for those who follow it.

    Raises:
        AttnvizError: a model cannot read all of its text; in a class, one sentence that names the words.
    """
    try:
        for model, tokens in _run(now.page, now.query, say):
            if unknown := tokens.unknown_texts:
                words = tuple(shorten(word) for word in unknown[:MOST_NAMED])
                raise _not_known(model, words if len(unknown) <= MOST_NAMED else (*words, "…"))
    except UnknownWords as problem:
        raise _not_known(problem.arguments["model"], problem.arguments["words"]) from problem


def _not_known(model: object, words: object) -> InputError:
    return InputError(id="room-unknown-words", model=model, words=words)


def _run(page: str, said: Mapping[str, str], say: Strings) -> Iterator[tuple[str, Tokens]]:
    """What was read, and the name of the model that read it."""
    traces: list[Trace] = []
    match page:
        case "heads":
            traces = [runs().trace(said["model"], said["text"], said.get("target", ""))]
        case "step":
            traces = [step_runs.base(step.Question(said["model"], said["text"], said.get("words") == "1"))]
        case "compare":
            traces = [
                traced(said["model"], said["text"]), traced(said["model2"], said.get("text2") or said["text"])
            ]  # fmt: skip
        case "train" if said.get("text"):
            asked = train.from_link(said, train.Question())
            sources = head_formation.shipped(asked.task, say), head_formation.of_run(asked.run, asked.task, say)
            for source in filter(None, sources):
                yield task_name(asked.task, say), head_formation.formed(source, asked.text, "").keys
    for trace in traces:
        for tokens in filter(None, (trace.tokens.source, trace.tokens.target)):
            yield trace.card.name, tokens


def _page_of_step(said: Mapping[str, str]) -> str:
    """The page whose picture a step of a lesson shows; "" of the short test."""
    places = [int(said[name]) - 1 if said.get(name, "").isdecimal() else 0 for name in ("lesson", "step")]
    if not said.get("lesson", "1").isdecimal():
        return ""
    lesson = lessons()[max(0, min(places[0], len(lessons()) - 1))]
    return lesson.steps[max(0, min(places[1], len(lesson.steps) - 1))].page
