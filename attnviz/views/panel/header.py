"""The header of a panel: its blocks as they were given, and of maps all but their numbers, which are arrays."""

from typing import Literal, NotRequired, TypedDict

from attnviz.views.headers import Picture
from attnviz.views.panel.blocks import Chart, Dials, Facts, Prose, Table


class PanelMap(TypedDict):
    """One matrix; `values` names its array, `size` says how large the whole is."""

    title: str
    values: str
    rows: list[str]
    columns: list[str]
    size: list[int]
    scale: Literal["share", "signed"]
    limit: float
    row_axis: str
    column_axis: str
    marked: list[int] | None
    leads: str  # down or across: which way the layers go, where a cell leads to its head; or token
    first: int
    texts: list[list[str]]


class PanelMaps(TypedDict):
    kind: Literal["maps"]
    maps: list[PanelMap]


PanelBlock = Prose | Facts | Table | PanelMaps | Chart | Dials


class PanelHeader(Picture):
    text: str
    leads: NotRequired[bool]  # of a host that goes where a row or a cell leads
    blocks: list[PanelBlock]
