"""What Home and Heads are asked, which pick the picture begins with, and what is open under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from attnviz_app.compare.files import File
from attnviz_app.heads.query import NAMES, PICKED, Picked, Question, fitted, from_link, picked_in, to_link
from attnviz_app.heads.sections.table import ShownHead
from attnviz_app.host import session
from attnviz_app.jobs.surveys import surveys
from attnviz_app.jobs.trainings import trainings
from attnviz_app.notice import Notice
from attnviz_app.page_state import Beginning, PageState
from attnviz_app.serving import model_menu
from attnviz_app.serving.allowed_models import allowed_models
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.truncation import Cut
from attnviz_app.settings import settings
from attnviz_app.shell import visitor

from attnviz.analysis.heads.sentences import decoded, listed
from attnviz.core.errors import InputError
from attnviz.trace.trace import Trace
from attnviz.views import Pick

# Widgets
TEXT, TARGET, SHOW, EXAMPLES, MODEL, PART, VIEW, WRITE_ON = (
    "text-box", "target-box", "text-show", "example-menu", "model-box", "part-box", "heads-view", "heads-write-on",
)  # fmt: skip
SECTION, BACK, SOURCE, TABLE, SCATTER, X, Y, CSV, FOLLOW = (
    f"heads-{it}" for it in ("section", "back", "source", "table", "scatter", "x", "y", "csv", "follow")
)
OWN_TEXT, OWN_FILE, OWN_START = (f"heads-own-{it}" for it in ("text", "file", "start"))
ROLLOUT, ROLLOUT_CSV = "heads-rollout-panel", "heads-rollout-file"
EFFECT, EFFECT_START, EFFECT_CSV, HOW, FROM, TO, POSITION = (
    f"heads-effect-{it}" for it in ("panel", "button", "file", "way", "query", "key", "place")
)
WHY, WHY_CSV, WROTE = "heads-why-panel", "heads-why-file", "heads-wrote-panel"
OPEN, PICTURE = "heads-open", "bar"  # places of the page

BEGINNING: Beginning[Picked] = Beginning("heads")
ASKED_EFFECT: session.Value[object] = session.Value("heads-asked-effect", session.nothing)
ASKED_BELOW = session.Value("heads-asked-below", bool)  # asked under the picture, for the whole page to draw
TURNS: session.Value[tuple[int, str]] = session.Value("heads-turns", lambda: (0, ""))
OWN: session.Value[tuple[str, ...]] = session.Value("heads-own", tuple)  # the person's own list of sentences
PROBLEM: session.Value[InputError | None] = session.Value("heads-problem", session.nothing)  # with the last list
TYPED = session.Value("heads-typed", str)  # the list as its box holds it
_before_file: session.Value[str | None] = session.Value("heads-before-file", session.nothing)


def _first() -> Question:
    model = settings().models[0]
    name = next(iter(model_menu.examples(model)))
    return Question(model, text_of(name, visitor.say()))


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    question, notices = from_link(query, default, allowed_models(), trainings().store.removed)
    picked, more = picked_in(query)
    BEGINNING.bring(picked if any(query.get(name) for name in PICKED) else None)
    return question, notices + more


HEADS = PageState("heads", NAMES, PICKED, first=_first, from_link=_from_link, to_link=to_link)


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


def picked(trace: Trace, told: Mapping[str, str]) -> Picked:
    """What is picked, as the browser told what is open under the picture; before that, what the picture began with."""
    return fitted(HEADS.shown, picked_in(told)[0], trace)[1] if told else base(trace)


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
    HEADS.ask(Question(model, text, below=HEADS.asked.below))
    BEGINNING.bring(picked)


def show_text(text: str) -> None:
    """Show a sentence of a list in the picture, with the head that is there."""
    want(text)
    turn(PICTURE)
    ASKED_BELOW.set(True)


def choose(head: ShownHead) -> None:
    """Show another head in the picture."""
    if head.part and head.part != HEADS.asked.part:
        HEADS.change(part=head.part)
        ASKED_BELOW.set(True)
    BEGINNING.bring(Picked(head.layer, head.head))


def is_chosen(head: ShownHead, now: Picked) -> bool:
    """Whether this head is in the picture."""
    is_here = not head.part or head.part == HEADS.shown.part
    return (head.layer, head.head) == (now.layer, now.head) and is_here


# ------------------------------------------------------------------------------------------- what is under the picture


def section() -> str:
    """What is open under the picture; "" for nothing."""
    return HEADS.asked.below


def open_section(name: str | None) -> None:
    """Open a part of the page under the picture and go there; None closes it."""
    if (name or "") != section():
        HEADS.change(below=name or "")
        if name:
            turn(OPEN)


def turn(to: str) -> None:
    """Bring a place of the page into view, once."""
    TURNS.set((TURNS.get()[0] + 1, to))


def take_sentences(typed: object) -> None:
    """Measure the list in the box, or say what is wrong with it; what is wrong with a file beside it stays said."""
    box = typed if isinstance(typed, str) else ""
    problem, is_as_before = None, box == _before_file.get()
    try:
        sentences = listed(box)
        if sentences != OWN.get():
            surveys().give_up(HEADS.shown.model, OWN.get())
            OWN.set(sentences)
    except InputError as error:
        problem = error
    if not is_as_before:
        PROBLEM.set(problem)


def take_file(file: File | None) -> None:
    """Put what a file says into the box, or say why it cannot be read, for as long as the box stays as it was."""
    PROBLEM.set(None)
    _before_file.set(None)
    if file is None:
        return
    try:
        text = decoded(file.name, file.getvalue())
        listed(text)  # refuses a file that is no list before a browser gets it all
        TYPED.set(text)
    except InputError as problem:
        PROBLEM.set(problem)
        _before_file.set(TYPED.get())
