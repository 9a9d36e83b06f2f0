"""The headers of Home and of its small pictures."""

from typing import TypedDict

from attnviz.views.headers import Message, Picture, Token


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
    selection: HomeSelection


class HomePairHeader(Message):
    layer: int
    head: int


class HomeFormationHeader(Message):
    steps: list[int]
