"""The headers of the heads view and of the messages with its numbers."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from attnviz.views.headers import HeadIndex, Kind, Message, Picture, Token, TokenRows
from attnviz.views.panel.header import PanelBlock


class HeadsModel(TypedDict):
    name: str
    layers: int
    heads: int
    part: str | None  # encoder, decoder or cross, where a model has several
    parts: list[str]  # all it has
    edits: list[str]
    untrained: NotRequired[str]
    seed: NotRequired[str]


class WrittenTokens(TypedDict):
    """Which rows wrote which tokens; see `heads.written_tokens`."""

    rows: list[int]
    tokens: list[Token]
    shares: list[float | None]  # the probability of each
    ranks: list[int | None]  # its place among the likeliest of its row, from 0
    chosen: list[bool]  # whether a person chose it in place of what the model would have written
    how: list[str]  # the model drew it, in words; "" where it is the likeliest
    is_continued: bool  # it is one text


class PredictedWords(TypedDict):
    """What each row holds for likeliest; see `heads.written_tokens`."""

    rows: list[list[tuple[str, float]]]  # the five likeliest words of each, with their probabilities
    is_next: bool  # of the token that follows, else of the one that stands there
    goes_on: bool  # whether a text is read, which may go on with any of them
    first: int | None  # the row that is said where none is picked


class TextVector(TypedDict):
    """What a model without a head for words gives: the mean of the last vectors of its tokens."""

    width: int


class HeadsSelection(TypedDict):
    """What is picked in the heads view; the words are those of a link."""

    layer: int
    head: int
    token: int | None
    released: bool
    key: int | None
    view: str  # one of the ways to look at it; "" leaves it to the view
    also: list[HeadIndex]  # further heads
    together: str
    filter: str
    overview: str
    beside: str  # what stands in place of all heads; "" is these


class KindFacts(TypedDict):
    """What was measured of all heads, or how far that is."""

    source: str  # sentence, many or own
    n: int
    kinds: NotRequired[list[Kind]]
    metrics: NotRequired[list[MetricFacts]]
    share: NotRequired[float]
    reason: NotRequired[str | None]
    without_sinks: NotRequired[bool]  # metrics of what the sinks of this text leave


class MetricFacts(TypedDict):
    name: str
    title: str
    says: str
    unit: str
    formula: str
    source: str  # where it was published
    even: NotRequired[float]  # of a known answer: what equal weights give the same keys
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
    model: HeadsModel
    text: str
    tokens: TokenRows
    sink_share: float  # of all the weight, what its sinks take
    written: WrittenTokens | None
    predicted: PredictedWords | None
    vector: TextVector | None  # of a model that predicts nothing
    selection: HeadsSelection
    notice: str | None
    seen: list[int]  # which of the masks in `seen` each layer has, −1 for none
    keeps_head: NotRequired[bool]  # added in the browser: the head that is picked in the picture before stays picked
    is_open: NotRequired[bool]  # added by the dashboard: nobody chose a head
    neurons: NotRequired[NeuronFacts]  # of a file of its own
    kinds: NotRequired[KindFacts]


class ExactHeader(Message):
    layer: int
    head: int


class WindowHeader(ExactHeader):
    rows: tuple[int, int]
    columns: tuple[int, int]


class NeuronsHeader(Message, NeuronFacts): ...


class KindsHeader(Message, KindFacts): ...


class LookHeader(Message):
    """One look beside a head; `asked` is what it was asked for with."""

    asked: dict[str, object]
    blocks: list[PanelBlock]
    share: float  # of it that is done; it has no blocks before
    reason: str | None  # why there will be none


class ExcitedSentence(TypedDict):
    """A sentence, and how a row of it that tells something looks at its tokens; see `heads.excited`."""

    sentence: str
    value: float
    row: Token
    index: int | None  # where that row's token stands among the tokens; None where they are of another text
    tokens: list[Token]


class ExcitedHeader(Message):
    asked: dict[str, object]
    said: list[str]
    each: list[ExcitedSentence]
