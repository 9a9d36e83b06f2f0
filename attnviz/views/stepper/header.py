"""The headers of the stepper."""

from typing import NotRequired, TypedDict

from attnviz.views.headers import Picture, TokenRows


class StepAxis(TypedDict):
    """One axis of a matrix; `start` and `count` where a part of it travels."""

    kind: str
    n: int
    letter: str
    start: NotRequired[int]
    count: NotRequired[int]
    tokens: NotRequired[str]  # source or target
    labels: NotRequired[list[str]]


class StepMatrix(TypedDict):
    """One matrix of a chain: its name, its axes by their ids, and how it is coloured."""

    name: str
    rows: str
    columns: str
    kind: str
    max: float
    role: NotRequired[str]
    turned: NotRequired[str]  # its name where a step reads it transposed
    stored: NotRequired[bool]


class Reading(TypedDict):
    """A matrix as a step reads it, where that is transposed."""

    id: str
    turned: bool


class StepWords(TypedDict):
    """What is said of a step, the same for all heads."""

    title: str
    stop: str  # on the rail
    section: str  # of a block: masked-self, self, cross or ff; "" around it
    says: str
    exercise: str  # one thing to try
    code: str
    where: str


class Question(TypedDict):
    """What the reader guesses before a step shows its result."""

    row: int | None  # the row it is about
    text: str
    answers: tuple[tuple[int, int], ...]  # the cells that are right
    wrong: NotRequired[str]  # what a wrong guess is told, a message about its token and position


class ChainStep(TypedDict):
    """One step by the ids of what it reads and writes."""

    name: str
    kind: str
    group: str
    rule: str
    part: str
    words: int  # of the header's `words`
    result: str
    operands: list[str | Reading]
    formula: str
    question: Question | None
    bias: NotRequired[str]
    rest: NotRequired[str]
    extras: NotRequired[dict[str, str]]
    facts: NotRequired[dict[str, object]]
    factors: NotRequired[dict[str, float]]
    ids: NotRequired[list[int]]


class StepSelection(TypedDict):
    step: str
    row: int
    key: int
    feature: int


class ModelMap(TypedDict):
    """The blocks of the whole model, and the one that is on the stage, counted from 0."""

    encoder: int
    decoder: int
    stack: str
    layer: int


class Word(TypedDict):
    """One word that a model wrote, with its probability."""

    text: str
    share: float


class WrittenText(TypedDict):
    """What the model wrote, and what it writes in a changed run; `now` is None where nothing is changed."""

    before: list[Word]
    now: list[Word] | None
    is_cut: bool  # whether that goes on


class StepperModel(TypedDict):
    name: str
    edits: list[str]


class StepperHeader(Picture):
    model: StepperModel
    text: str
    tokens: TokenRows
    tab: str
    selection: StepSelection
    controls: dict[str, object] | None
    map: ModelMap | None
    written: WrittenText | None
    notice: str | None
    notes: list[str]
    formula: list[dict[str, object]] | None
    axes: dict[str, StepAxis]
    matrices: dict[str, StepMatrix]
    words: list[StepWords]
    steps: list[ChainStep]
    place: NotRequired[dict[str, str]]  # added by the dashboard: what is picked, as a link says it
    is_free: NotRequired[bool]  # whether the cell is the server's choice: the person picked none
    keeps_place: NotRequired[bool]  # added in the browser: another run of the same place
