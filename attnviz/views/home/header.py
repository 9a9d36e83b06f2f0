"""The header of Home."""

from typing import TypedDict

from attnviz.views.headers import Picture, Token


class HomeSelection(TypedDict):
    layer: int
    head: int
    token: int


class HomeHeader(Picture):
    text: str
    links: dict[str, str]
    model: str
    layers: int
    heads: int
    tokens: list[Token]
    hidden: int
    shares: list[float]  # of a model that continues its text: the probability of what each token's row writes
    compares: str  # what the way to Compare shows of the head: "training", or "texts"
    selection: HomeSelection
