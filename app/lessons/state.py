"""Which step of which lesson is on the page, what was predicted in it, and what its picture then shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from attnviz_app.byhand import BY_HAND
from attnviz_app.compare.state import COMPARE
from attnviz_app.heads.state import HEADS
from attnviz_app.host import session, url, visitor
from attnviz_app.lessons.content import READS, FormName, Step, lessons
from attnviz_app.notice import Notice
from attnviz_app.page_state import PageState
from attnviz_app.serving.model_menu import ALLOWED
from attnviz_app.settings import SHIPPED
from attnviz_app.step.state import STEP
from attnviz_app.train.state import TRAIN

from attnviz.text import LANGUAGES
from attnviz.views import link

NAMES = link.asked_by("lessons")  # what a link says; a lesson and its step are counted from 1
Time = Literal["before", "after"]  # the lessons: when the short test is taken
FORMS: dict[Time, FormName] = {"before": "A", "after": "B"}  # which form of it comes first
PICTURES: dict[str, PageState] = {
    "step": STEP, "heads": HEADS, "compare": COMPARE, "train": TRAIN, "byhand": BY_HAND,
}  # fmt: skip
OWN = frozenset({"present"})  # of a link: how a person sees a picture, which says nothing of what it is of
# Of each page's picture, what the words of a step speak of: where one of these is another, its numbers are others.
SPOKEN_OF = {
    "step": ("model", "text", "words", "part", "layer", "head", "if", "draw"),
    "heads": ("model", "text", "target", "layer", "head", "together", "filter"),
    "compare": ("model", "model2", "text", "text2", "layer", "head", "layer2", "head2", "silenced"),
    "train": ("task", "text", "run", "train", "layer", "head"),
    "byhand": ("hand", "numbers", "named"),
}  # fmt: skip
PLACE = ("part", "layer", "head")
IN_PICTURE = frozenset(name for state in PICTURES.values() for name in (*state.names, *state.picked)) - OWN
COUNTED = re.compile("[1-9]", re.ASCII)
CHOSEN, POINTED = re.compile("[0-9]{1,2}", re.ASCII), re.compile("[0-9]{1,4},[0-9]{1,4}", re.ASCII)  # a prediction
LESSON, FORM, POINT, WHAT_IF = "lesson-menu", "lesson-form", "lesson-point", "lesson-what-if"  # widgets
_predicted: session.Value[dict[Question, str]] = session.Value("lesson-predicted", dict)
_told: session.Value[set[Question]] = session.Value("lesson-told", set)  # answered to all, not to a prediction
_tried: session.Value[set[Question]] = session.Value("lesson-tried", set)  # whose what-if was shown
_first: session.Value[Question | None] = session.Value("lesson-first", session.nothing)  # its picture asks, on the page
_visit = session.Value("lesson-visit", lambda: -1)  # the last one whose picture was brought


@dataclass(frozen=True)
class Question:
    """A step of a lesson, counted from 0, or the short test."""

    lesson: int = 0
    step: int = 0
    test: Time | None = None
    form: FormName = "A"
    model: str = ""  # of a step that can run on several, the one that it is about here


def _to_link(question: Question) -> dict[str, str]:
    if question.test:
        return {"lesson": question.test, "form": question.form}
    # In the address of who leads a class (address.js): that it is answered, and that its what-if was shown.
    told = "2" if is_tried(question) else "1" if is_told(question) else ""
    return {"lesson": str(question.lesson + 1), "step": str(question.step + 1), "told": told}


def _from_link(query: Mapping[str, str], default: Question) -> tuple[Question, list[Notice]]:
    """A link that says nothing of the picture shows that of the step, and asks anew; without a step it is the first.

    A class that begins (`told=0`) is asked every step anew. The cell that answers a step stays with who picked it.
    """
    if query.get("told") == "0":
        _predicted.set({})
        _told.set(set())
        _tried.set(set())
    for test, first in FORMS.items():
        if query.get("lesson") == test:
            return Question(
                test=test, form=next((form for form in FORMS.values() if form == query.get("form")), first)
            ), []
    said = [int(query[name]) - 1 if COUNTED.fullmatch(query.get(name, "")) else 0 for name in NAMES[:2]]
    lesson = min(said[0], len(lessons()) - 1)
    question = _question(lesson, min(said[1], len(lessons()[lesson].steps) - 1), query.get("model", ""))
    _told.set(_told.get() - {question} | ({question} if query.get("told") in ("1", "2") else set()))
    now = step_of(question)
    gives_away = now.kind == "cell" and all(query.get(name) == now.then[name] for name in ("token", "key"))
    _visit.set(-1 if gives_away and not is_told(question) else url.visit())
    if query.keys() & IN_PICTURE:
        PICTURES[now.page].open(query)
    else:
        if question not in _told.get():
            _predicted.set({each: said for each, said in _predicted.get().items() if each != question})
        show(question, own={name: query[name] for name in OWN & query.keys()})
    if query.get("told") == "2" or _is_of_what_if(query, now):
        _tried.set(_tried.get() | {question})
    elif not is_told(question):
        _tried.set(_tried.get() - {question})
    return question, []


def _is_of_what_if(query: Mapping[str, str], now: Step) -> bool:
    """Whether a link's picture is already that of the what-if."""
    shown = now.link("what_if", visitor.language())
    return bool(now.what_if) and all(query.get(name) == shown[name] for name in (*now.then, *now.what_if))


LESSONS = PageState("lessons", first=Question, from_link=_from_link, to_link=_to_link)


def step() -> Step:
    """The step on the page."""
    return step_of(LESSONS.asked)


def step_of(question: Question) -> Step:
    return lessons()[question.lesson].steps[question.step].of(question.model)


def _question(lesson: int, at: int, model: str = "") -> Question:
    """A step, on this model if it can run on it, else on the one of the reader's language."""
    now = lessons()[lesson].steps[at]
    return Question(lesson, at, model=now.named(model) or now.model(visitor.language(), ALLOWED.offered))


def not_here(now: Step) -> str:
    """The model of a step that ships and is not on this computer, or not offered here; "" for none."""
    name = now.link("", visitor.language()).get("model", "")
    return name if name in SHIPPED and name not in ALLOWED.offered else ""


def runs_instead(now: Question) -> str:
    """The language model of the reader's language that a step would run on, if it were here; "" if it does."""
    if not now.model.startswith("poems"):
        return ""
    names = lessons()[now.lesson].steps[now.step].on
    first = next((name for name in READS[visitor.language()] if name in names), "")
    return first if first != now.model and first not in ALLOWED.offered else ""


def begin() -> None:
    """Who comes to the page sees its step where no link says otherwise; the link says what the page asks."""
    if LESSONS.asked.test:
        return
    if _visit.get() != url.visit():
        _visit.set(url.visit())
        show(LESSONS.asked)
    picture = PICTURES[step().page]
    others = IN_PICTURE - {*picture.names, *picture.picked}
    url.beside({**dict.fromkeys((*sorted(others), *NAMES), ""), **_to_link(LESSONS.asked)})


def without_picture() -> dict[str, str] | None:
    """What the link of the short test says, which has no picture; None for a step of a lesson."""
    asked = LESSONS.asked
    return {**dict.fromkeys((*sorted(IN_PICTURE), *NAMES), ""), **_to_link(asked)} if asked.test else None


def show(question: Question, shown: str = "", own: Mapping[str, str] | None = None) -> None:
    """Bring a step's picture; see Step.link for `shown`: what is answered is shown with its answer. `own` is of OWN."""
    if not shown and is_told(question):
        shown = "then"
    _first.set(None if shown else question)
    now = step_of(question)
    PICTURES[now.page].open({**now.link(shown, visitor.language()), **(own or {})})


def go(lesson: int | Time, step: int = 0) -> None:
    """Go to a step, where what was predicted or told stays, or to the short test."""
    if isinstance(lesson, str):
        return take(lesson)
    question = _question(lesson, step)
    LESSONS.ask(question)
    show(question)


def take(test: Time, form: FormName | None = None) -> None:
    """Go to the short test."""
    LESSONS.ask(Question(test=test, form=form or FORMS[test]))


def predicted(question: Question) -> str:
    """What was predicted in a step; "" before that."""
    return _predicted.get().get(question, "")


def is_told(question: Question) -> bool:
    """Whether its answer was given, to a prediction or to the class."""
    return question in _told.get() or bool(predicted(question))


def is_tried(question: Question) -> bool:
    """Whether its what-if was shown since it was answered, so that what that shows can be said."""
    return is_told(question) and question in _tried.get()


def try_what_if() -> None:
    """Bring the picture of the what-if."""
    _tried.set(_tried.get() | {LESSONS.asked})
    show(LESSONS.asked, "what_if")


def asks() -> dict[str, str]:
    """What the link of the step says, beside its picture."""
    return _to_link(LESSONS.asked)


def spoken_of() -> list[dict[str, str]]:
    """Each picture that the words of the step speak of now, as a link says it; the last in the reader's language."""
    now = step()
    shown = ["then", "what_if"][: 1 + is_tried(LESSONS.asked)] if is_told(LESSONS.asked) else [""]
    names = [name for name in SPOKEN_OF[now.page] if name not in PLACE or name in now.placed_by]
    here = visitor.language()
    others = (language for language in LANGUAGES if language != here)  # a teacher's, whose weights are the same
    links = [now.link(name, language) for language in (*others, here) for name in shown]
    return [{name: link.get(name, "") for name in names} for link in links]


def back() -> None:
    """Bring the picture that the words of the step speak of."""
    show(LESSONS.asked, "what_if" if is_tried(LESSONS.asked) else "")


def given() -> dict[str, str]:
    """Every prediction by its lesson and step, for this tab of the browser to keep."""
    return {_name(place): said for place, said in _predicted.get().items()}


def _name(place: Question) -> str:
    """A step, counted from 1, and the model that it is about, if it can run on several."""
    return ".".join(filter(None, (str(place.lesson + 1), str(place.step + 1), place.model)))


def recall(kept: object) -> None:
    """Take over what the tab kept before a reload; it may say anything. What is predicted since stays."""
    if not isinstance(kept, Mapping):
        return
    before = {
        place: said
        for lesson, each in enumerate(lessons())
        for step, now in enumerate(each.steps)
        for place in (Question(lesson, step, model=model) for model in now.on or ("",))
        if isinstance(said := kept.get(_name(place)), str)
        and (POINTED if now.kind == "cell" else CHOSEN).fullmatch(said)
    }
    asked = LESSONS.asked
    is_new = not asked.test and asked in before and not predicted(asked)
    _predicted.set({**before, **_predicted.get()})
    if is_new and _first.get() == asked:
        show(asked)


def predict(said: str) -> None:
    """Keep what was predicted, and show what there is to see."""
    _predicted.set({**_predicted.get(), LESSONS.asked: said})
    _tried.set(_tried.get() - {LESSONS.asked})
    show(LESSONS.asked)


def point(picked: Mapping[str, str]) -> None:
    """Predict the cell that is picked in the picture; a browser may say anything."""
    said = f"{picked.get('token')},{picked.get('key')}"
    if POINTED.fullmatch(said):
        predict(said)
