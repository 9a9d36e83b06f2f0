"""What is on the screen now: the run of the text that is asked for, or, where there is none, the last there was."""

from dataclasses import replace

from attnviz_app.heads import state as page
from attnviz_app.heads.query import Picked, fitted
from attnviz_app.heads.state import HEADS
from attnviz_app.host import session
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import Examples, text_of
from attnviz_app.serving.runs import runs
from attnviz_app.serving.truncation import cut_of
from attnviz_app.shell import panels, visitor
from attnviz_app.train.request import RUN

from attnviz.core.errors import AttnvizError, InputError
from attnviz.trace.trace import Trace
from attnviz.views import Moment
from attnviz.views.heads.tokens import unknown_notice

_is_switched = session.Value("heads-is-switched", bool)  # another model was chosen, with the text that was there


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
    if is_switched and unknown_notice(trace.tokens.source, visitor.say()) is not None:
        _use_example("notice-unknown-text")
    question, _, notices = fitted(asked, Picked(), trace)
    for id, arguments in notices:
        HEADS.tell(id, **dict(arguments))
    HEADS.answered(question)
    page.base(trace)  # says what of the link lies outside this model
    return trace, None


def examples() -> Examples:
    """The prepared texts of the model that is asked for."""
    return model_menu.examples(HEADS.asked.model)


def choose_model(model: str) -> None:
    """Ask for another model with the text that is there; see current() for a text that does not suit it."""
    if model not in model_menu.ALLOWED or model == HEADS.asked.model:
        return
    picked = Picked.of(next((pick for pick in model_menu.examples(model).values() if pick), None))
    page.want_model(model, page.typed(), picked and replace(picked, token=None))
    _is_switched.set(True)


def choose_example(name: str) -> None:
    """Ask for a prepared text, with the head and the token that show what it is about."""
    if name in examples():  # else it is one of the model before
        HEADS.change(target="")
        page.want(text_of(name, visitor.say()), Picked.of(examples()[name]))


def want_target(target: str) -> None:
    """Ask for what the model is to write; with none it writes for itself."""
    HEADS.change(target=target.strip())


def open_model(model: str, text: str, at: Moment) -> None:
    """Ask for a model with a text, a head and a row of its own: what was looked at while it was trained."""
    page.want_model(model, text, Picked(at.layer or 0, at.head or 0, at.query))
    if RUN.fullmatch(model):
        model_menu.saw(model)


def _use_example(id: str, **arguments: str) -> None:
    """Put an example of the asked model in the place of a text that does not suit it, say so, and run again.

    The example's own head belongs to the first part of the model; who asked for another part keeps that, and its head.
    """
    asked = HEADS.asked
    name, pick = next(iter(examples().items()))
    text = text_of(name, visitor.say())
    if text == asked.text:
        return
    HEADS.ask(replace(asked, text=text, target="", cut=None))
    if not asked.part:
        page.BEGINNING.bring(Picked.of(pick))
    HEADS.tell(id, model=runs().model(asked.model).card.name, **arguments)
    session.rerun()


def _leave_removed() -> None:
    """Go to the first model where a trained one had to make room while somebody looked at it."""
    gone = next((it.model for it in (HEADS.shown, HEADS.asked) if it.model not in model_menu.ALLOWED), None)
    if gone is None:
        return
    first = page.first()
    HEADS.answered(first)
    page.BEGINNING.bring(Picked.of(page.example_pick(first)))
    HEADS.tell("notice-removed", name=gone, shown=first.model)
