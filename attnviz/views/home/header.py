"""The headers of Home."""

from typing import NotRequired, TypedDict

from attnviz.views.headers import HeadIndex, Message, Picture, Token


class HomeSelection(TypedDict):
    layer: int
    head: int
    token: int  # the row, of the tokens that are shown


class Candidate(TypedDict):
    """A word that may come next."""

    text: str
    share: float


class HomeHeader(Picture):
    text: str
    links: dict[str, str]
    model: str
    heads: int  # of the model
    tokens: list[Token]
    before: int  # tokens of the text before those that are shown
    after: int
    steps: list[str]  # of the story, in order
    candidates: list[Candidate]  # for the place that the story is about; none where nothing is predicted there
    is_next: bool  # whether that place is after the text; else it is a blank in it
    writes: str  # what a model that writes wrote of the text
    is_trained: bool
    compares: str  # what the way to Compare shows of the head: "training", or "texts"
    selection: HomeSelection


class Score(TypedDict):
    """The arithmetic of one weight."""

    raw: float | None  # q·k; None where the score is no such product
    scale: float
    score: float  # as softmax reads it
    share: float  # e to its distance from the largest of the row
    total: float  # the sum of these over the row
    weight: float


class Added(TypedDict):
    """One part of a lead: a head, or all others, all feed-forward layers, all the rest."""

    kind: str
    value: float
    n: int
    place: NotRequired[HeadIndex]


class Measured(TypedDict):
    """A word that is among the likeliest of a run."""

    text: str
    shares: list[float]  # in the untouched run, then in each of `without`


class Without(TypedDict):
    """What a run without some heads predicts."""

    heads: list[HeadIndex]
    link: str  # the same, as a link says which heads are silenced
    text: str  # the likeliest
    share: float
    is_other: bool


class Moved(TypedDict):
    """What a run without one head changed."""

    place: HeadIndex
    after: float  # a probability, or the cosine with the vector before


class HomeStory(Message):
    selection: HomeSelection
    key: int  # what the row looks at most, of the tokens that are shown
    score: Score
    lead: NotRequired[float]  # of the likeliest candidate over the next
    moved: NotRequired[float]  # what the head wrote into it from that token
    added: NotRequired[list[Added]]  # they sum to the lead, the largest first
    is_same_place: NotRequired[bool]  # in a poem: `key` has the place in the line before of the character to come
    without: NotRequired[list[Without]]
    candidates: NotRequired[list[Measured]]  # those of the picture first
    measure: NotRequired[str]  # "probability" or "cosine": what `effects` are of
    watched: NotRequired[str]  # whose probability
    start: NotRequired[float]  # before anything was silenced
    effects: NotRequired[list[Moved]]  # of this head, then of others drawn by chance
    reason: NotRequired[str]  # why there are no such numbers
