"""What the header of each payload holds: for mypy here, and for the JavaScript that reads it.

`scripts/make_header_types.py` writes `headers.d.ts` from these classes, which `tsc` holds the views to.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Lang = Literal["en", "zh-CN", "zh-TW"]
Size = Literal["normal", "projector"]
Place = list[int]  # [layer, head], counted from 0 as all places are


class Token(TypedDict):
    """One token as it is labelled; see `heads.tokens.token_rows`."""

    text: str
    word: NotRequired[int]  # the number of its word in the text, −1 for none
    special: NotRequired[bool]
    continues: NotRequired[bool]  # the word before it goes on
    unknown: NotRequired[bool]
    read: NotRequired[str]  # what the model saw in place of an unknown one
    n: NotRequired[int]  # which occurrence of a repeated one, from 1
    space: NotRequired[int]  # what stands before it: 1 a blank, 2 the end of a line
    written: NotRequired[bool]  # the model wrote it
    hidden: NotRequired[bool]  # crossed out; the view's own filter says so


class TokenRows(TypedDict):
    """The tokens of both sides; `target` only where the rows are other tokens than the columns."""

    source: list[Token]
    target: NotRequired[list[Token]]


class Kind(TypedDict):
    """A kind of head, as a legend shows it."""

    name: str
    title: str
    says: NotRequired[str]
    glyph: tuple[str, ...]
    light: str
    dark: str


class Link(TypedDict):
    """What the dashboard adds on the link: see app/host/url.py."""

    session: str
    asked: dict[str, str]
    heard: int
    brings: int
    carry: NotRequired[str | None]


class Message(TypedDict):
    """What every header begins with."""

    view: str
    revision: str  # the same text, model and edits give the same one, whatever is selected


class Picture(Message):
    """What every view has; the optional ones are added on the way by the dashboard."""

    lang: str
    size: str
    strings: dict[str, str]  # templates by message id
    link: NotRequired[Link]
    question: NotRequired[dict[str, object]]  # what its requests for numbers say of the picture
    is_heard: NotRequired[bool]
    picked: NotRequired[object]  # a selection in place of the payload's own


class HeadsModel(TypedDict):
    """Whose heads these are."""

    name: str
    layers: int
    heads: int
    part: str | None  # encoder, decoder or cross, where a model has several
    edits: list[str]
    untrained: NotRequired[str]
    seed: NotRequired[str]


class Shifted(TypedDict):
    """Which rows wrote which tokens; see `heads.written_tokens`."""

    rows: list[int]
    tokens: list[Token]
    shares: list[float | None]  # the probability of each
    is_named: bool  # rows bear the name of what they write
    is_continued: bool  # it is one text


class HeadsSelection(TypedDict):
    """What is picked in the heads view; the words are those of a link."""

    layer: int
    head: int
    token: int | None
    released: bool
    key: int | None
    view: str  # one of the ways to look at it; "" leaves it to the view
    also: list[Place]  # further heads
    together: str
    filter: str
    overview: str


class KindFacts(TypedDict):
    """What was measured of all heads, or how far that is."""

    source: str  # sentence or many
    n: int
    kinds: NotRequired[list[Kind]]
    metrics: NotRequired[list[MetricFacts]]
    share: NotRequired[float]
    reason: NotRequired[str | None]


class MetricFacts(TypedDict):
    """One metric of the overview."""

    name: str
    title: str
    says: str
    unit: str
    why: NotRequired[str]  # why it means nothing here


class NeuronFacts(TypedDict):
    """One head's scores taken apart; only `why` where they cannot be."""

    layer: int
    head: int
    why: NotRequired[str]
    first: NotRequired[int]
    keys: NotRequired[list[int]]
    more: NotRequired[int]
    scale: NotRequired[float]
    softcap: NotRequired[float | None]
    sink: NotRequired[float | None]
    key_head: NotRequired[int]
    shares: NotRequired[int]
    adds: NotRequired[bool]


class HeadsHeader(Picture):
    """The heads view."""

    model: HeadsModel
    text: str
    tokens: TokenRows
    written: Shifted | None
    selection: HeadsSelection
    keeps_head: bool
    notice: str | None
    seen: list[int]  # which of the masks in `seen` each layer has, −1 for none
    neurons: NotRequired[NeuronFacts]  # of a file of its own
    kinds: NotRequired[KindFacts]


class ExactHeader(Message):
    """The numbers of one head."""

    group: str
    layer: int
    head: int


class WindowHeader(ExactHeader):
    """A part of one head of a long text."""

    rows: tuple[int, int]
    columns: tuple[int, int]


class NeuronsHeader(Message, NeuronFacts):
    """Queries and keys of one head."""

    group: str


class KindsHeader(Message, KindFacts):
    """Kinds and metrics of all heads."""

    group: str


class HomeSelection(TypedDict):
    """The head and the word that Home opens with."""

    layer: int
    head: int
    token: int


class HomeHeader(Picture):
    """The sentence on Home and its ways on."""

    links: dict[str, str]
    model: str
    layers: int
    heads: int
    tokens: list[Token]
    hidden: int
    selection: HomeSelection


class HomePairHeader(Message):
    """One head as it is and without training."""

    layer: int
    head: int


class HomeFormationHeader(Message):
    """One head at a few moments of a training."""

    steps: list[int]


class Side(TypedDict):
    """One of two models."""

    name: str
    sites: list[str]
    heads: list[int]  # of each layer


class Similarity(TypedDict):
    """Over what all heads were compared."""

    source: str  # many or text
    n: int
    skipped: int
    by_words: bool
    stress: float


class PairFacts(TypedDict):
    """What is said of two heads; `most` are [query, key, a, b]."""

    js: float | None
    cosine: float | None
    correlation: float | None
    largest: float
    most: list[tuple[int, int, float, float]]
    first: tuple[int, int]


class PairSelection(TypedDict):
    """A head of A, one of B, and a cell."""

    a: Place
    b: Place
    query: int | None
    key: int | None
    pair: PairFacts


class CompareHeader(Picture):
    """The compare view."""

    text: str
    a: Side
    b: Side
    units: list[Token]
    seen: dict[str, list[int]]
    are_tokens: bool
    left_out: list[list[str]]
    similarity: Similarity | None
    kinds: list[Kind] | None
    selection: PairSelection
    notice: str | None
    scale: float | None


class PairHeader(Message):
    """The maps of one pair of heads."""

    group: str
    a: Place
    b: Place
    pair: PairFacts


class Phase(TypedDict):
    """Where a loss fell while a head formed."""

    first: int
    last: int
    drop: float
    low: float
    high: float


class Run(TypedDict):
    """One training; see `training.picture.run_header`."""

    label: str
    task: str
    outcome: str
    planned: int
    layers: int
    heads: int
    sites: list[str]
    checkpoints: list[int]
    accuracy: dict[str, list[tuple[int, float]]]
    answers: list[str]
    examples: int
    phase: Phase | None
    queries: list[Token]
    keys: list[Token]
    isWriting: bool
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
    """The training view."""

    identity: str
    text: str
    runs: list[Run]
    selection: Moment
    notice: str | None


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
    says: str
    exercise: str  # one thing to try
    code: str
    where: str


class Question(TypedDict):
    """What the reader guesses before a step shows its result."""

    row: int | None  # the row it is about
    text: str
    answers: tuple[tuple[int, int], ...]  # the cells that are right


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
    """Where the stepper is."""

    step: str
    row: int
    key: int
    feature: int


class StepperModel(TypedDict):
    """Whose steps these are."""

    name: str
    edits: list[str]


class StepperHeader(Picture):
    """The stepper."""

    model: StepperModel
    text: str
    tokens: TokenRows
    tab: str
    selection: StepSelection
    controls: dict[str, object] | None
    notice: str | None
    notes: list[str]
    formula: list[dict[str, object]] | None
    axes: dict[str, StepAxis]
    matrices: dict[str, StepMatrix]
    words: list[StepWords]
    steps: list[ChainStep]
    keeps_place: NotRequired[bool]  # added in the browser: another run of the same place


class PanelProse(TypedDict):
    """One paragraph."""

    kind: Literal["prose"]
    text: str


class PanelFact(TypedDict):
    """One number with its name."""

    name: str
    value: str
    note: str


class PanelFacts(TypedDict):
    """Numbers side by side."""

    kind: Literal["facts"]
    facts: list[PanelFact]


class PanelTable(TypedDict):
    """Rows under column heads."""

    kind: Literal["table"]
    title: str
    columns: list[str]
    rows: list[list[str]]
    marked: int | None


class PanelMap(TypedDict):
    """One matrix; `values` names its array, `size` says how large the whole is."""

    title: str
    values: str
    rows: list[str]
    columns: list[str]
    size: list[int]
    scale: Literal["share", "signed"]
    limit: float
    rowAxis: str
    columnAxis: str
    marked: list[int] | None


class PanelMaps(TypedDict):
    """Matrices side by side."""

    kind: Literal["maps"]
    maps: list[PanelMap]


class PanelCurve(TypedDict):
    """One line of a chart; None is left out of it."""

    name: str
    y: list[float | None]


class PanelChart(TypedDict):
    """Lines over one axis."""

    kind: Literal["chart"]
    title: str
    x: list[float]
    curves: list[PanelCurve]
    xTitle: str
    yTitle: str
    logX: bool
    logY: bool


PanelBlock = PanelProse | PanelFacts | PanelTable | PanelMaps | PanelChart


class PanelHeader(Picture):
    """A panel."""

    text: str
    blocks: list[PanelBlock]
