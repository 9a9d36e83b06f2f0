"""What a closer look is made of: sentences, facts, tables, maps, curves and dials, one under the other.

A panel knows nothing about attention: who computed the numbers also says what stands beside them. But for maps, the
browser gets them as they are declared here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from torch import Tensor

# Layer and number of a head, its part where another one is shown (else ""), and the row that shows what is said of it.
Lead = tuple[int, int, str, int | None]


@dataclass(frozen=True)
class Prose:
    """One paragraph, in the reader's language."""

    text: str
    lead: Lead | None = None  # the head that it leads to
    kind: Literal["prose"] = field(default="prose", init=False)


@dataclass(frozen=True)
class Fact:
    """One number with its name."""

    name: str
    value: str  # as it is printed
    note: str = ""  # in smaller letters under it


@dataclass(frozen=True)
class Facts:
    """Numbers side by side."""

    facts: Sequence[Fact]
    kind: Literal["facts"] = field(default="facts", init=False)


@dataclass(frozen=True)
class Table:
    """Rows under column heads; numbers come as they are printed."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    marked: int | None = None  # the row that is pointed out
    bars: Sequence[float] = ()  # a number for each row, drawn from one zero line
    leads: Sequence[Lead | None] = ()  # of each row the head that it leads to
    kind: Literal["table"] = field(default="table", init=False)


@dataclass(frozen=True, eq=False)
class Map:
    """One matrix as colour, each number readable on hover and by keyboard."""

    title: str
    values: Tensor  # [R, C]
    rows: Sequence[str]  # R names
    columns: Sequence[str]  # C names
    scale: Literal["share", "signed"]  # 0 to 1, or both signs with 0 in the middle
    limit: float | None = None  # |value| of the strongest colour; None: 1 for shares, else the largest there is
    row_axis: str = ""  # what a row is: "token that looks"
    column_axis: str = ""
    marked: tuple[int, int] | None = None  # a cell that is pointed out
    # Where a cell is a head, and leads to it, which way the layers go; "token" where a row is how many layers were
    # passed and a column a token, from `first` on: a cell leads to both.
    leads: Literal["", "down", "across", "token"] = ""
    first: int = 0
    texts: Sequence[Sequence[str]] = ()  # R × C words that stand in the cells in place of their numbers


@dataclass(frozen=True, eq=False)
class Maps:
    """Matrices side by side, wrapped where there is no room."""

    maps: Sequence[Map]


@dataclass(frozen=True)
class Curve:
    """One line of a chart."""

    name: str
    y: Sequence[float | None]  # what is None, infinite or no number is left out of the line


@dataclass(frozen=True)
class Chart:
    """Numbers that depend on one: a figure in the dashboard with its numbers under it, a table of them in a file."""

    title: str
    x: Sequence[float]
    curves: Sequence[Curve]
    x_title: str
    log_x: bool = False
    log_y: bool = False
    marked: int | None = None  # the point that is pointed out
    names: Sequence[str] = ()  # of each x whose it is, where it is something's; under `names_title`
    names_title: str = ""
    figure: str = ""  # plotly's JSON where a figure stands over its numbers
    kind: Literal["chart"] = field(default="chart", init=False)


@dataclass(frozen=True)
class Dial:
    """A circle with arrows from its middle, all of one length."""

    name: str
    angles: Sequence[float]  # of each arrow, in radians from the right, against the clock
    value: str  # under it, as it is printed


@dataclass(frozen=True)
class Dials:
    """Circles side by side, wrapped where there is no room; the arrows of each are in the order of `arrows`."""

    title: str
    arrows: Sequence[tuple[Literal["q", "k"], str]]  # the ink of each arrow, and its name
    dials: Sequence[Dial]
    kind: Literal["dials"] = field(default="dials", init=False)


Block = Prose | Facts | Table | Maps | Chart | Dials
