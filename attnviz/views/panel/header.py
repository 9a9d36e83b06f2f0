"""The headers of a panel."""

from typing import Literal, TypedDict

from attnviz.views.headers import Picture


class PanelProse(TypedDict):
    kind: Literal["prose"]
    text: str


class PanelFact(TypedDict):
    name: str
    value: str
    note: str


class PanelFacts(TypedDict):
    kind: Literal["facts"]
    facts: list[PanelFact]


class PanelTable(TypedDict):
    kind: Literal["table"]
    title: str
    columns: list[str]
    rows: list[list[str]]
    marked: int | None
    bars: list[float]
    leads: list[list[int | str | None] | None]


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
    leads: bool


class PanelMaps(TypedDict):
    kind: Literal["maps"]
    maps: list[PanelMap]


class PanelCurve(TypedDict):
    """One line of a chart; None is left out of it."""

    name: str
    y: list[float | None]


class PanelChart(TypedDict):
    kind: Literal["chart"]
    title: str
    x: list[float]
    curves: list[PanelCurve]
    xTitle: str
    logX: bool
    logY: bool


PanelBlock = PanelProse | PanelFacts | PanelTable | PanelMaps | PanelChart


class PanelHeader(Picture):
    text: str
    blocks: list[PanelBlock]
