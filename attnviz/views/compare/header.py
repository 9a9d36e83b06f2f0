"""The headers of the compare view and of a pair that comes later."""

from typing import TypedDict

from attnviz.views.headers import HeadIndex, Kind, Message, Picture, Token


class Side(TypedDict):
    name: str
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


class ShownPair(TypedDict):
    """Two heads beside the verdict, and how far they are apart."""

    a: HeadIndex
    b: HeadIndex
    value: float
    unit: str  # share: of a row's weight, what lies elsewhere; or bits


class Verdict(TypedDict):
    first: str  # the short answer: which head tells most
    said: str  # how much all heads differ
    pairs: list[ShownPair]


class NextWords(TypedDict):
    """What each side holds for likeliest after its text; `both` are words with their probability in A and in B."""

    a: list[tuple[str, float]]
    b: list[tuple[str, float]]
    both: list[tuple[str, float, float]]
    untrained: list[str]  # the sides whose weights are random: what is next would be chance


class PairSelection(TypedDict):
    """A head of A, one of B, and a cell."""

    a: HeadIndex
    b: HeadIndex
    query: int | None
    key: int | None
    pair: PairFacts


class Texts(TypedDict):
    """What both sides read, and the units that stand beside each other."""

    text: str
    text_b: str | None  # where B read another
    units: list[Token]
    first_tokens: list[int]  # of A, of each unit
    last_tokens: list[int]
    are_tokens: bool
    is_encoder: bool  # a side has a decoder too, which is not compared
    left_out: list[list[str]]
    sinks: list[int]  # units
    sink_share: float
    next_row: int | None  # the unit whose row writes the next word on both sides
    swapped: list[tuple[int, str, str]]  # units that are another word in B: A's word and B's


class CompareHeader(Picture, Texts):
    a: Side
    b: Side
    seen: dict[str, list[int]]
    asks: str
    next: NextWords | None
    verdict: Verdict | None
    similarity: Similarity | None
    kinds: list[Kind] | None
    selection: PairSelection
    notice: str | None
    scale: float | None


class PairHeader(Message):
    a: HeadIndex
    b: HeadIndex
    pair: PairFacts
