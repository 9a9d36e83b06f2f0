"""What the lessons say, read from `lesson-N.json`, and the numbers of the runs that they speak of.

A claim is one number of one run. It fills the texts, so that a lesson says what the run on the screen says;
`tests/unit/app/test_lessons.py` holds every claim to what the lesson says of it.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import Literal

import torch
from attnviz_app.lessons import pencil
from attnviz_app.step import runs
from attnviz_app.step.query import Question, picked_in, read_draw
from pydantic import BaseModel, ConfigDict, TypeAdapter
from torch import Tensor

from attnviz.bounded_cache import BoundedCache
from attnviz.explanation import chain
from attnviz.explanation.closer_looks.cache import cache_sizes
from attnviz.explanation.matrices import Chain, Matrix
from attnviz.text import Language

FOLDER = Path(__file__).parent
HEAD = re.compile(r"((?:encoder|decoder)\.[0-9]+\.(?:self|cross))(?:\.h([0-9]+))?")  # how a matrix's key begins
PLACE = re.compile(r"(?:encoder|decoder)\.([0-9]+)(?:\.(?:self|cross)\.h([0-9]+))?")
# The models that a step may run on, the one that reads and writes the reader's language first.
READS: dict[Language, tuple[str, ...]] = {
    "en": ("smollm2-135m", "translate-en-zh", "poems-zh"),
    "zh-CN": ("poems-zh", "translate-zh-en", "smollm2-135m"),
    "zh-TW": ("poems-zh-tw", "translate-zh-en", "smollm2-135m"),
}
OF_VOCABULARY = ("logits", "tempered", "probabilities", "kept", "choice")  # what the tab Decoder has alone
CACHE = "cache"  # a claim about the numbers that one token adds to the key-value cache
BY_HAND = "hand."  # how a claim about a sheet of By hand begins
Link = dict[str, str]
FormName = Literal["A", "B"]
# A class comes to a step all at once: its numbers are computed for the first, and the others wait for them.
_chains: BoundedCache[Chain] = BoundedCache(16, lambda chain: 1)  # the claims of a step are of a few runs
_sayings: BoundedCache[dict[str, str]] = BoundedCache(512, lambda said: 1)  # of each step, in every language


class Part(BaseModel):
    """A part of a lesson's file; what it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Claim(Part):
    """A cell of a run, or what a run writes; rows and columns count from 0. What is claimed of it is for the test."""

    name: str  # in the texts
    at: str = ""  # the key of a matrix, as "encoder.1.self.h5.weights"; "" is the text that is written
    row: int | None = None  # None is the mean over all rows
    key: int = 0
    word: str = ""  # what the column is called, where its place depends on the run
    digits: int = 2  # after the point, as the strip prints it where the cell is picked
    draw: str = ""  # how the next token is chosen, in the words of a link's `draw`
    change: str = ""  # what is switched, in the words of a link's `if`
    model: str = ""  # "" is that of the step's picture
    text: str = ""  # "" is that of the picture; of a sheet of By hand its numbers
    most: bool = False  # it is the largest of its row; the texts then say the token
    # The row's token, how many rows or columns, √ of the latter, where it stands, how many heads its layer has, its
    # place in the row from 1; "" as `most` has it.
    says: Literal["", "token", "rows", "columns", "root", "layer", "head", "heads", "place", "word", "number"] = ""
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

    page: Literal["step", "heads", "compare", "train", "byhand"] = "step"
    show: Link = {}  # the picture, in the words of a link
    right: int = 0  # of a choice: which option, from 0
    claims: tuple[Claim, ...] = ()


class Run(Part):
    """What is otherwise in a step that runs on another model; of pictures what is not as in the step's own."""

    show: Link = {}
    then: Link = {}
    what_if: Link = {}
    right: int = 0
    claims: tuple[Claim, ...] = ()


class Step(Asked):
    """One step: a picture, a question, and what the picture then shows."""

    id: str
    minutes: int
    then: Link = {}  # what is otherwise once it was predicted
    what_if: Link = {}  # what is otherwise in the what-if
    kind: Literal["choice", "key", "cell"] = "choice"  # of options, of the keys of the first claim, of a cell
    paper: tuple[Claim, ...] = ()  # the rows of a worksheet, where the picture's cell is in none
    on: dict[str, Run] = {}  # by its name, each model that the step can run on, where it is not one alone
    words: dict[Language, Words]

    def of(self, model: str) -> Step:
        """The step as it runs on one of its models; with "" itself."""
        run = self.on.get(model)
        if run is None:
            return self
        links = {name: {**getattr(self, name), **getattr(run, name)} for name in ("show", "then", "what_if")}
        links["show"]["model"] = model
        return self.model_copy(update={**links, "right": run.right or self.right, "claims": run.claims, "on": {}})

    def model(self, language: Language, here: Container[str]) -> str:
        """The model that a reader of a language has it on: the first that is here, else the first; "" = one alone."""
        names = [name for name in READS[language] if name in self.on]
        return next((name for name in names if name in here), next(iter(names), ""))

    @property
    def placed_by(self) -> tuple[str, ...]:
        """What a link says of where its numbers stand: of a head, of a layer, or nothing, outside of all layers."""
        places = [found for claim in self.claims if (found := PLACE.match(claim.at))]
        is_of_head = self.page != "step" or any(found[2] for found in places)
        parts = ("part",) if self.show.get("model", "").startswith("translate") else ()  # else it has one alone
        return (*parts, "layer", "head")[: len(parts) + (2 if is_of_head else 1)] if is_of_head or places else ()

    def link(self, shown: str, language: Language) -> Link:
        """The picture at the start (""), once it was predicted ("then"), or in the what-if ("what_if")."""
        changes = {"": {}, "then": self.then, "what_if": {**self.then, **self.what_if}}[shown]
        return said_in(language, {**self.show, **changes})

    def to(self, language: Language) -> Step:
        """The step as a reader of this language has it."""
        return self.model_copy(update={"show": said_in(language, self.show)})

    def named(self, model: str) -> str:
        """Which of its models one is, in whatever script that writes; "" if it is none of them."""
        return next((name for name in self.on if model == name or model in _in_others(name)), "")


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
def _said_in() -> dict[Language, Link]:
    """What a link says otherwise to a reader of another language: the same weights write their script, and read it."""
    file = (FOLDER / "examples-by-language.json").read_bytes()
    return TypeAdapter(dict[Language, Link]).validate_json(file)


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in order."""
    paths = sorted(FOLDER.glob("lesson-*.json"))
    return tuple(Lesson.model_validate_json(path.read_bytes()) for path in paths)


def matrix(claim: Claim, step: Asked) -> Matrix:
    """The matrix that a claim's number stands in."""
    if claim.at.startswith(BY_HAND):
        return pencil.matrices(step.show, claim.text)[claim.at.removeprefix(BY_HAND)]
    named = HEAD.match(claim.at)
    site, head = (named[1], int(named[2] or 0)) if named else (picked_in(step.show).site, 0)
    is_of_vocabulary = claim.at.split(".")[1] in OF_VOCABULARY
    tab = "decoder" if is_of_vocabulary else step.show.get("tab", "self")
    asked = (*_run(claim, step), tab, site, head, claim.change, claim.draw)
    return _chains.get(asked, lambda: _chain(*asked)).matrices[claim.at]


def _chain(model: str, text: str, tab: str, site: str, head: int, change: str, draw: str) -> Chain:
    source = runs.source(Question(model, text), tab)
    trace = runs.changed(source, picked_in({"if": change}).switches) if change else source.untouched
    return chain(trace, tab, site, head=head, sampling=read_draw(draw))


def place(claim: Claim, step: Asked) -> int:
    """The column of a claim's cell, from 0."""
    return matrix(claim, step).columns.labels.index(claim.word) if claim.word else claim.key


def values(claim: Claim, step: Asked) -> Tensor:
    """The row of a claim, or the mean over all rows. Shape: [columns]"""
    if claim.at == CACHE:
        sizes = cache_sizes(runs.source(Question(*_run(claim, step)), "decoder").untouched)
        return torch.tensor([float(sizes.numbers(1))])
    numbers = matrix(claim, step).values
    return numbers.mean(0) if claim.row is None else numbers[claim.row]


def written(claim: Claim, step: Asked, language: Language) -> str:
    """What the run writes, in the reader's script."""
    model, text = _run(claim, step)
    source = runs.source(Question(_said_in()[language].get(model, model), text), "decoder")
    switches = picked_in({"if": claim.change}).switches
    said = runs.written(source, switches)
    words = (said["now"] if claim.change else said["before"]) if said else None
    return "".join(word["text"] for word in words or [])


def told(step: Asked, language: Language) -> dict[str, str]:
    """What each claim says, by its name: a token, a number as the picture prints it, or a text."""
    asked = (step.claims, tuple(said_in(language, step.show).items()), language)
    return dict(_sayings.get(asked, lambda: _told(*asked)))


def _told(claims: tuple[Claim, ...], show: tuple[tuple[str, str], ...], language: Language) -> dict[str, str]:
    step = Asked(show=dict(show), claims=claims)
    return {claim.name: _said(claim, step, language) for claim in claims}


def _said(claim: Claim, step: Asked, language: Language) -> str:
    if not claim.at:
        return written(claim, step, language)
    if claim.says == "token":
        return matrix(claim, step).rows.label(claim.row or 0)
    if claim.says in ("rows", "columns", "root"):
        rows, columns = matrix(claim, step).values.shape
        return printed(columns**0.5) if claim.says == "root" else str(rows if claim.says == "rows" else columns)
    if claim.says in ("layer", "head"):
        return str(int(_place(claim.at)[claim.says == "head"]) + 1)
    if claim.says == "heads":
        source = runs.source(Question(*_run(claim, step)), step.show.get("tab", "self"))
        return str(source.untouched[picked_in(step.show).site].n_heads)
    if claim.says == "place":
        return str(place(claim, step) + 1)
    if claim.says == "word":
        return claim.word
    if claim.most and not claim.says:
        return matrix(claim, step).columns.label(int(values(claim, step).argmax()))
    return printed(float(values(claim, step)[place(claim, step)]), claim.digits)


def _place(at: str) -> tuple[str, ...]:
    """The layer and the head of a number, counted from 0."""
    found = PLACE.match(at)
    assert found is not None
    return found.groups()


def printed(value: float, digits: int = 2) -> str:
    """A number as a picture prints it."""
    said = f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")
    return said if value else "0"


def options(step: Step, language: Language) -> tuple[str, ...]:
    """What can be chosen: sentences, or the tokens that the first claim's row has weights on."""
    if step.kind == "key":
        axis = matrix(step.claims[0], step.to(language)).columns
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
    return claim.model or step.show["model"], claim.text or step.show["text"]


def said_in(language: Language, link: Link) -> Link:
    """A link as it is for a reader of this language."""
    return {name: _said_in()[language].get(value, value) for name, value in link.items()}


def _in_others(value: str) -> set[str]:
    return {said[value] for said in _said_in().values() if value in said}
