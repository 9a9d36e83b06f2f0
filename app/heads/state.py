"""What Home and Heads are asked, the run that answers it, and which pick its picture begins with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from attnviz_app.heads.query import Picked, Question, fitted, from_link, picked_in, to_link
from attnviz_app.host import session, visitor
from attnviz_app.jobs.training_request import RUN
from attnviz_app.jobs.trainings import trainings
from attnviz_app.notice import Notice
from attnviz_app.page_state import Beginning, PageState
from attnviz_app.serving import long_texts, model_menu
from attnviz_app.serving.examples import Examples, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.truncation import Cut, cut_of
from attnviz_app.shell import panels

from attnviz.core.errors import AttnvizError, InputError
from attnviz.trace.trace import Trace
from attnviz.views import Moment, Pick, standout
from attnviz.views.heads.attention_parts import parts_of, sites_of
from attnviz.views.heads.first_pick import telling_head
from attnviz.views.heads.tokens import is_mostly_unknown

BEGINNING: Beginning[Picked] = Beginning("heads")
IS_LED = session.Value("heads-is-led", bool)  # whether the picture led to another sentence or part
_is_switched = session.Value("heads-is-switched", bool)  # another model was chosen, with the text that was there


def first(model: str | None = None) -> Question:
    """A model, the first unless one is named, on the first of its examples."""
    model = model or model_menu.first()
    name = next(iter(model_menu.examples(model)))
    return Question(model, text_of(name, visitor.say()))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    model = query.get("model", default.model)
    of_model = first(model) if model != default.model and model in model_menu.ALLOWED else default
    return from_link(query, of_model, model_menu.ALLOWED, trainings().store.removed)


def _bring(query: Mapping[str, str], question: Question) -> list[Notice]:
    picked, notices = picked_in(query)
    BEGINNING.bring(picked if any(query.get(name) for name in HEADS.picked) else None)
    return notices


HEADS = PageState("heads", first=first, from_link=_from_link, to_link=to_link, bring=_bring)


def base(trace: Trace) -> Picked:
    """What the picture of a run begins with: numbers of that head come with the picture.

    The browser keeps what is picked since.
    """

    def choose(brought: Picked | None, before: tuple[Any, Picked] | None) -> Picked:
        if brought:
            first = None if brought.is_placed else first_pick(HEADS.shown, trace)
            if first is not None:  # the link says something else of the picture
                is_placed = example_pick(HEADS.shown) is not None
                has_row = brought.token is not None or brought.key is not None or brought.released
                row = brought.token if has_row else first.token
                brought = replace(brought, layer=first.layer, head=first.head, token=row, is_placed=is_placed)
            _, picked, notices = fitted(HEADS.shown, brought, trace)
            for id, arguments in notices:
                HEADS.tell(id, **dict(arguments))
            return picked
        kept = None
        if before and before[0][0] == HEADS.shown.model:  # a head of another model says nothing here
            kept = replace(before[1], token=None, released=False, key=None)
        return fitted(HEADS.shown, kept or _first_picked(trace), trace)[1]

    return BEGINNING.of((*HEADS.shown.of_run, HEADS.shown.part), choose)


def _first_picked(trace: Trace) -> Picked:
    """What stands out, where nobody chose; an example has a pick of its own."""
    picked = Picked.of(first_pick(HEADS.shown, trace)) or Picked()
    return replace(picked, is_placed=example_pick(HEADS.shown) is not None)


def first_pick(question: Question, trace: Trace) -> Pick | None:
    """The head and the token of an example; of any other text those that stand out in it."""
    pick = example_pick(question)
    if pick is not None or question.model in long_texts.MODELS:
        return pick
    if len(parts_of(trace)) > 1:
        return telling_head(trace, sites_of(trace, question.part))
    return standout(trace)


def example_pick(question: Question) -> Pick | None:
    """The head and the token that show what an example is about; None of another text."""
    examples = model_menu.examples(question.model)
    return next((pick for name, pick in examples.items() if text_of(name, visitor.say()) == question.text), None)


# ------------------------------------------------------------------------------------------------------------- the run


def current() -> tuple[Trace, AttnvizError | None]:
    """Trace the text that is asked for; where that fails, the one in the picture before it, and why.

    Raises:
        AttnvizError: there is no picture before it either.
    """
    _leave_removed()
    asked, shown = HEADS.asked, HEADS.shown
    is_switched = _is_switched.take()
    try:
        trace = runs().trace(*asked.of_run)
    except AttnvizError as problem:
        if asked.model != shown.model and isinstance(problem, InputError) and not cut_of(problem, asked.text):
            _use_example("notice-other-text", why=panels.reason(problem, visitor.say()))
        if asked.of_run == shown.of_run:
            raise
        return runs().trace(*shown.of_run), problem
    if is_switched and is_mostly_unknown(trace.tokens.source):
        _use_example("notice-unknown-text")
    question, _, notices = fitted(asked, Picked(), trace)
    for id, arguments in notices:
        HEADS.tell(id, **dict(arguments))
    HEADS.answered(question)
    base(trace)  # says what of the link lies outside this model
    return trace, None


def _use_example(id: str, **arguments: str) -> None:
    """Put an example of the asked model in the place of a text that does not suit it, say so, and run again.

    The example's own head belongs to the first part of the model; who asked for another part keeps that, and its head.
    """
    asked = HEADS.asked
    name, pick = next(iter(examples().items()))
    text = text_of(name, visitor.say())
    if text == asked.text:
        return
    HEADS.ask(replace(asked, text=text, target="", cut=None, written=""))
    if not asked.part:
        BEGINNING.bring(Picked.of(pick))
    HEADS.tell(id, model=runs().model(asked.model).card.name, **arguments)
    session.rerun()


def _leave_removed() -> None:
    """Go to the first model where a trained one had to make room while somebody looked at it."""
    gone = next(
        (question.model for question in (HEADS.shown, HEADS.asked) if question.model not in model_menu.ALLOWED), None
    )
    if gone is None:
        return
    question = first()
    HEADS.answered(question)
    BEGINNING.bring(Picked.of(example_pick(question)))
    HEADS.tell("notice-removed", name=gone, shown=question.model)


# --------------------------------------------------------------------------------------------------- what is asked


def want(text: str, picked: Picked | None = None) -> None:
    """Ask for another text, as it was typed; the head that is picked stays unless another one is brought."""
    HEADS.change(text=text, cut=None, written="")
    if picked is not None:
        BEGINNING.bring(picked)


def want_part_of(cut: Cut) -> None:
    """Ask for the first part of a text; the box keeps the whole of it, as it was typed."""
    HEADS.change(text=cut.part, cut=cut, written="")


def typed() -> str:
    """The text as the box holds it: whole, also where only its first part is shown."""
    cut = HEADS.asked.cut
    return HEADS.asked.text if cut is None else cut.typed


def want_model(model: str, text: str, picked: Picked | None) -> None:
    """Ask for another model, with a head of its own if it has one."""
    HEADS.ask(Question(model, text))
    BEGINNING.bring(picked)


def examples() -> Examples:
    """The prepared texts of the model that is asked for."""
    return model_menu.examples(HEADS.asked.model)


def choose_model(model: str) -> None:
    """Ask for another model with the text that is there; see current() for a text that does not suit it."""
    if model not in model_menu.ALLOWED or model == HEADS.asked.model:
        return
    picked = Picked.of(next((pick for pick in model_menu.examples(model).values() if pick), None))
    want_model(model, typed(), picked and replace(picked, token=None))
    _is_switched.set(True)


def show_model(model: str) -> None:
    """Ask for another model: with its first text where a prepared one is there, else with what was typed."""
    if not model_menu.is_example(typed(), HEADS.asked.model, visitor.say()):
        choose_model(model)
        return
    question = first(model)
    want_model(model, question.text, Picked.of(example_pick(question)))


def choose_example(name: str) -> None:
    """Ask for a prepared text, with the head and the token that show what it is about."""
    if name in examples():  # else it is one of the model before
        HEADS.change(target="")
        want(text_of(name, visitor.say()), Picked.of(examples()[name]))


def open_model(model: str, text: str, at: Moment) -> None:
    """Ask for a model with a text, a head and a row of its own: what was looked at while it was trained."""
    want_model(model, text, Picked(at.layer or 0, at.head or 0, at.query))
    if RUN.fullmatch(model):
        model_menu.saw(model)
