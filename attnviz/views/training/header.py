"""The headers of the training view."""

from typing import TypedDict

from attnviz.views.headers import Picture, Token


class Phase(TypedDict):
    """Where a loss fell while a head formed."""

    layer: int
    head: int
    first: int
    last: int
    drop: float
    low: float
    high: float


class Run(TypedDict):
    """One training; see `training.picture.run_header`."""

    label: str
    task: str
    counted: str  # what a share of right answers is a share of: texts, symbols or characters
    outcome: str
    planned: int
    layers: int
    heads: int
    sites: list[str]
    checkpoints: list[int]
    measured: list[int]  # steps at which each head was measured, the checkpoints among them
    accuracy: dict[str, list[tuple[int, float]]]
    answers: list[str]
    even: list[float]  # of each answer, what even weights would give it
    answered: list[str]  # at each checkpoint, what the model writes for the text
    right: str  # what it should write; "" where nothing says so
    examples: int
    phase: Phase | None
    queries: list[Token]
    keys: list[Token]
    isCausal: bool
    expected: list[list[tuple[int, list[int]]]]


class Moment(TypedDict):
    """What is picked in the training view; None is left to it."""

    step: int | None
    layer: int | None
    head: int | None
    query: int | None
    key: int | None
    run: int


class TrainingHeader(Picture):
    identity: str
    text: str
    runs: list[Run]
    selection: Moment
    notice: str | None
