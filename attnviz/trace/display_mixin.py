"""Lets a run show itself, and words of its one-screen report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas as pd

LINE = 90  # characters of a text in a report
ROWS = 10  # of a table in a report


class Pictures(Protocol):
    """What draws runs. This package knows none; `attnviz` gives it one."""

    def heads(self, trace: Any, selection: Any, **options: Any) -> Any: ...

    def steps(self, trace: Any, tab: str, site: str, head: int, **options: Any) -> Any: ...

    def compared(self, trace: Any, other: Any) -> Any: ...

    def comparison(self, compared: Any) -> Any: ...


pictures: Callable[[], Pictures]  # loaded when something is first shown
figures: Callable[[], Any]  # the module `attnviz.figures`, loaded with plotly when a figure is first asked for


class Shown(ABC):
    """Shows itself in a browser and in a notebook, as the view that `view` gives."""

    @abstractmethod
    def view(self) -> Any:
        """The `View` it is shown as."""

    def show(self) -> Path:
        """Open it in the default browser as a page that needs no server, and return that page's file."""
        return Path(self.view().show())

    def widget(self) -> Any:
        """A notebook's widget, whose `selection` can be observed and set; for `pip install 'attnviz[notebook]'`."""
        return self.view().widget()

    def _repr_html_(self) -> str:
        return str(self.view()._repr_html_())


class Tabled(ABC):
    """Prints as one screen: a line that says what it is, and the first rows of its table."""

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """The table. Columns, where they mean something: `kind` (head, feed-forward, …), `site`, `layer`, `head`,
        `token` (a position, from 0), and what was found of it, `value` first.
        """

    @abstractmethod
    def heading(self) -> str:
        """What the table is of, on one line."""

    def __repr__(self) -> str:
        frame = self.frame()
        return "\n".join([self.heading(), frame.head(ROWS).to_string(float_format="{:.4g}".format), *_left(len(frame))])

    def _repr_html_(self) -> str:
        frame = self.frame()
        lines = [f"<p>{escape(line)}</p>" for line in (self.heading(), *_left(len(frame)))]
        return lines[0] + frame.head(ROWS).to_html(float_format="{:.4g}".format) + "".join(lines[1:])


def _left(n: int) -> list[str]:
    return [f"… and {n - ROWS} more rows"] if n > ROWS else []


def shortened(text: str) -> str:
    """A text on one line of a report: its beginning and its end, if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= LINE else f"{text[: LINE // 2]} … {text[-LINE // 2 :]}"


def listed(names: Iterable[str]) -> str:
    """Names on one line: the first two and the last where there are many."""
    first, *rest = names
    return ", ".join([first, *rest]) if len(rest) < 4 else f"{first}, {rest[0]} … {rest[-1]}"
