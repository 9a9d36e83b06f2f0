"""What Home and Heads are asked, which pick the picture begins with, and what is open under it."""

from collections.abc import Mapping
from dataclasses import replace

from attnviz_app.heads.query import NAMES, PICKED, Picked, Question, fitted, from_link, picked_in, to_link
from attnviz_app.host import session
from attnviz_app.jobs.trainings import trainings
from attnviz_app.notice import Notice
from attnviz_app.page_state import Beginning, PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.truncation import Cut
from attnviz_app.settings import settings
from attnviz_app.shell import visitor

from attnviz.trace.trace import Trace
from attnviz.views import Pick

BEGINNING: Beginning[Picked] = Beginning("heads")
IS_LED = session.Value("heads-is-led", bool)  # whether the picture led to another sentence or part


def first(model: str | None = None) -> Question:
    """A model, the first unless one is named, on the first of its examples."""
    model = model or settings().models[0]
    name = next(iter(model_menu.examples(model)))
    return Question(model, text_of(name, visitor.say()))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    model = query.get("model", default.model)
    own = first(model) if model != default.model and model in model_menu.ALLOWED else default
    question, notices = from_link(query, own, model_menu.ALLOWED, trainings().store.removed)
    picked, more = picked_in(query)
    BEGINNING.bring(picked if any(query.get(name) for name in PICKED) else None)
    return question, notices + more


HEADS = PageState("heads", NAMES, PICKED, first=first, from_link=_from_link, to_link=to_link)


def base(trace: Trace) -> Picked:
    """What the picture of a run begins with: numbers of that head come with the picture.

    The browser keeps what is picked since.
    """

    def choose(brought: Picked | None, before: Picked | None) -> Picked:
        if brought:
            _, picked, notices = fitted(HEADS.shown, brought, trace)
            for id, arguments in notices:
                HEADS.tell(id, **dict(arguments))
            return picked
        kept = replace(before, token=None, released=False, key=None) if before else None
        return fitted(HEADS.shown, kept or Picked.of(example_pick(HEADS.shown)) or Picked(), trace)[1]

    return BEGINNING.of((HEADS.shown.of_run, HEADS.shown.part), choose)


def example_pick(question: Question) -> Pick | None:
    """The head and the token that show what an example is about; None of another text."""
    own = model_menu.examples(question.model)
    return next((pick for name, pick in own.items() if text_of(name, visitor.say()) == question.text), None)


# --------------------------------------------------------------------------------------------------- what is asked


def want(text: str, picked: Picked | None = None) -> None:
    """Ask for another text, as it was typed; the head that is picked stays unless another one is brought."""
    HEADS.change(text=text, cut=None)
    if picked is not None:
        BEGINNING.bring(picked)


def want_part_of(cut: Cut) -> None:
    """Ask for the first part of a text; the box keeps the whole of it, as it was typed."""
    HEADS.change(text=cut.part, cut=cut)


def typed() -> str:
    """The text as the box holds it: whole, also where only its first part is shown."""
    cut = HEADS.asked.cut
    return HEADS.asked.text if cut is None else cut.typed


def want_model(model: str, text: str, picked: Picked | None) -> None:
    """Ask for another model, with a head of its own if it has one."""
    HEADS.ask(Question(model, text))
    BEGINNING.bring(picked)
