"""What the lessons say, read from `lesson-N.json`, and the numbers of the runs that they speak of.

A claim is one number of one run. It fills the texts, so that a lesson says what the run on the screen says;
`tests/unit/app/test_lessons.py` holds every claim to what the lesson says of it.
"""

import re
from functools import cache
from pathlib import Path
from typing import Literal

from attnviz_app.step import runs
from attnviz_app.step.query import Question, picked_in
from pydantic import BaseModel, ConfigDict, TypeAdapter
from torch import Tensor

from attnviz.explanation import chain
from attnviz.explanation.matrices import Matrix
from attnviz.text import Language

FOLDER = Path(__file__).parent
HEAD = re.compile(r"((?:encoder|decoder)\.[0-9]+\.(?:self|cross))(?:\.h([0-9]+))?")  # how a matrix's key begins
IN_TRADITIONAL = {"translate-en-zh": "translate-en-zh-tw"}  # the same weights, which write the reader's script
ASKED = {"step": ("on", "say"), "heads": ("model", "text"), "compare": ("a", "both"), "train": ("task", "input")}
Link = dict[str, str]
FormName = Literal["A", "B"]


class Part(BaseModel):
    """A part of a lesson's file; what it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(Part):
    """A cell of a run, or what a run writes; rows and columns count from 0. What is claimed of it is for the test."""

    name: str  # in the texts
    at: str = ""  # the key of a matrix, as "encoder.1.self.h5.weights"; "" is the text that is written
    row: int | None = None  # None is the mean over all rows
    key: int = 0
    digits: int = 2  # after the point, as the strip prints it where the cell is picked
    change: str = ""  # what is switched, in the words of a link's `if`
    model: str = ""  # "" is that of the step's picture
    text: str = ""
    most: bool = False  # it is the largest of its row; the texts then say the token
    above: float | None = None
    below: float | None = None
    like: str = ""  # another claim, with the same number
    sum_of: tuple[str, ...] = ()  # other claims, whose numbers add up to this one
    rest: tuple[str, ...] = ()  # other claims, whose numbers add up to 1 with this one
    rows: int | None = None  # of the matrix
    written: str = ""  # what is written, in the simplified script


class Words(Part):
    """What a step says, in one language; {names} are those of claims."""

    title: str
    say: str  # what the teacher says, in two sentences
    ask: str
    options: tuple[str, ...] = ()
    see: str  # what is to be seen, once it was predicted
    believe: str  # a misconception
    refute: str  # what the what-if shows against it


class Asked(Part):
    """What is asked of a run."""

    page: Literal["step", "heads", "compare", "train"] = "step"
    show: Link = {}  # the picture, in the words of a link
    right: int = 0  # of a choice: which option, from 0
    claims: tuple[Claim, ...] = ()


class Step(Asked):
    """One step: a picture, a question, and what the picture then shows."""

    id: str
    minutes: int
    then: Link = {}  # what is otherwise once it was predicted
    what_if: Link = {}  # what is otherwise in the what-if
    kind: Literal["choice", "key", "cell"] = "choice"  # of options, of the keys of the first claim, of a cell
    paper: tuple[Claim, ...] = ()  # the rows of a worksheet, where the picture's cell is in none
    words: dict[Language, Words]

    def link(self, shown: str, language: Language) -> Link:
        """The picture at the start (""), once it was predicted ("then"), or in the what-if ("what_if")."""
        changes = {"": {}, "then": self.then, "what_if": {**self.then, **self.what_if}}[shown]
        return {name: _script(value, language) for name, value in {**self.show, **changes}.items()}


class Lesson(Part):
    """A lesson of about 45 minutes."""

    titles: dict[Language, str]
    goals: dict[Language, str]
    steps: tuple[Step, ...]

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)


class FormWords(Part):
    """What a form of an item says, in one language."""

    ask: str
    options: tuple[str, str, str]
    why: str  # the right one is right


class Form(Asked):
    """One of two forms of an item of the short test: both ask the same of another case."""

    scores: tuple[float, ...] = ()  # of a row that it speaks of
    words: dict[Language, FormWords]


@cache
def short_test() -> tuple[dict[FormName, Form], ...]:
    """The items of the test before and after the lessons."""
    file = (FOLDER / "short-test.json").read_bytes()
    return TypeAdapter(tuple[dict[FormName, Form], ...]).validate_json(file)


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in order."""
    paths = sorted(FOLDER.glob("lesson-*.json"))
    return tuple(Lesson.model_validate_json(path.read_bytes()) for path in paths)


def matrix(claim: Claim, step: Asked) -> Matrix:
    """The matrix that a claim's number stands in."""
    named = HEAD.match(claim.at)
    site, head = (named[1], int(named[2] or 0)) if named else (step.show["site"].rpartition(".")[0], 0)
    tab = step.show.get("tab", "self")
    source = runs.source(Question(*_run(claim, step)), tab)
    switches = picked_in({"if": claim.change}).switches
    trace = runs.changed(source, switches) if claim.change else source.untouched
    return chain(trace, tab, site, head=head).matrices[claim.at]


def values(claim: Claim, step: Asked) -> Tensor:
    """The row of a claim, or the mean over all rows. Shape: [columns]"""
    numbers = matrix(claim, step).values
    return numbers.mean(0) if claim.row is None else numbers[claim.row]


def written(claim: Claim, step: Asked, language: Language) -> str:
    """What the run writes, in the reader's script."""
    model, text = _run(claim, step)
    source = runs.source(Question(_script(model, language), text), "decoder")
    switches = picked_in({"if": claim.change}).switches
    said = runs.written(source, switches)
    words = (said["now"] if claim.change else said["before"]) if said else None
    return "".join(word["text"] for word in words or [])


def told(step: Asked, language: Language) -> dict[str, str]:
    """What each claim says, by its name: a token, a number as the picture prints it, or a text."""
    words = {}
    for claim in step.claims:
        if not claim.at:
            words[claim.name] = written(claim, step, language)
        elif claim.most:
            words[claim.name] = matrix(claim, step).columns.label(int(values(claim, step).argmax()))
        else:
            words[claim.name] = printed(float(values(claim, step)[claim.key]), claim.digits)
    return words


def printed(value: float, digits: int = 2) -> str:
    """A number as a picture prints it."""
    said = f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")
    return said if value else "0"


def options(step: Step, language: Language) -> tuple[str, ...]:
    """What can be chosen: sentences, or the tokens that the first claim's row has weights on."""
    if step.kind == "key":
        axis = matrix(step.claims[0], step).columns
        return tuple(axis.label(index) for index in range(axis.size))
    numbers = told(step, language)
    return tuple(option.format_map(numbers) for option in step.words[language].options)


def right(step: Step) -> str:
    """What the run says is right: the place of an option from 0, or a cell as "row,column" from 1."""
    first = step.claims[0]
    if step.kind == "cell":
        return f"{(first.row or 0) + 1},{first.key + 1}"
    return str(int(values(first, step).argmax()) if step.kind == "key" else step.right)


def _run(claim: Claim, step: Asked) -> tuple[str, str]:
    model, text = ASKED[step.page]
    return claim.model or step.show[model], claim.text or step.show[text]


def _script(value: str, language: Language) -> str:
    return IN_TRADITIONAL.get(value, value) if language == "zh-TW" else value
