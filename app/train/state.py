"""What the Training page is asked, and what is to be trained."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from attnviz_app.host import session, visitor
from attnviz_app.jobs.training_request import Ask, own_ask
from attnviz_app.jobs.trainings import Training, trainings
from attnviz_app.notice import Notice, notice
from attnviz_app.page_state import Beginning, PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.settings import settings
from attnviz_app.train.query import LONGEST, Question, from_link, moment_in, to_link

from attnviz.core.errors import AttnvizError
from attnviz.training import TASKS
from attnviz.views import Moment

MINE = 1  # the place of a person's own training beside the one that ships
BEGINNING: Beginning[Moment] = Beginning("train")
PROBLEM: session.Value[AttnvizError | None] = session.Value("training-problem", session.nothing)  # with what was asked


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    question = from_link(query, default)
    task = query.get("task", question.task)
    return question, [] if task in TASKS else [notice("notice-task", name=task[:LONGEST])]


def _bring(query: Mapping[str, str], question: Question) -> list[Notice]:
    at = moment_in(query)
    if at is None and question.run:  # a link to a training shows that one first
        at = Moment(run=MINE)
    BEGINNING.bring(at)
    return []


def _first() -> Question:
    """The task of the language model that reads this person's script, where it is offered; else the first one."""
    poet = model_menu.SPEAKS.get(visitor.language(), "")
    return Question(poet) if poet in runs().offered else Question()


TRAIN = PageState("train", first=_first, from_link=_from_link, to_link=to_link, bring=_bring)


def begin() -> None:
    """A page that was loaded again finds its training."""
    job = trainings().queue.of(visitor.name())
    if job is not None and not TRAIN.asked.run and job.asked.task == TRAIN.asked.task:
        TRAIN.change(run=job.asked.id)


def base() -> Moment:
    """The moment that the picture begins with."""
    return BEGINNING.of((TRAIN.asked.task, TRAIN.asked.run), lambda brought, before: brought or Moment())


def choose_task(task: str) -> None:
    """Another task, with the training that belongs to it."""
    job = trainings().queue.of(visitor.name())
    TRAIN.ask(Question(task, run=job.asked.id if job is not None and job.asked.task == task else ""))
    BEGINNING.bring(None)


def text() -> str:
    """The text the heads are shown on, as it was typed; else the task's first example."""
    return TRAIN.asked.text or first_text(TRAIN.asked.task)


def first_text(task: str) -> str:
    return text_of(next(iter(examples_of(task))), visitor.say())


def good_text(task: str) -> str:
    shown = TRAIN.shown
    return shown.text if shown.task == task and shown.text else first_text(task)


# ------------------------------------------------------------------------------------------- what is to be trained


def ask() -> Ask:
    """What Train trains: what was set, else the same as the training on the page, else what the task ships with."""
    asked, known = TRAIN.asked, job()
    run = known.asked if known is not None else trainings().store.ask(asked.run)
    of_run = run if run is not None and run.task == asked.task else None
    return asked.ask or of_run or own_ask(asked.task, settings().training_steps)


def change_ask(**changes: Any) -> None:
    TRAIN.change(ask=replace(ask(), **changes))


def reset_ask() -> None:
    """As the task ships."""
    TRAIN.change(ask=own_ask(TRAIN.asked.task, settings().training_steps))


def start() -> None:
    """Ask for the training that the controls say, and look at it."""
    PROBLEM.set(None)
    try:
        job = trainings().submit(visitor.name(), ask())
    except AttnvizError as problem:
        PROBLEM.set(problem)
        return
    TRAIN.change(run=job.asked.id, ask=job.asked)
    BEGINNING.bring(Moment(run=MINE))
    model_menu.saw(job.asked.id)


def stop() -> None:
    PROBLEM.set(None)
    trainings().queue.leave(TRAIN.asked.run, visitor.name())


def job() -> Training | None:
    """The training on the page, as far as this server remembers it."""
    return trainings().queue.job(TRAIN.asked.run)
