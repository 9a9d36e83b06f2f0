"""Lets a run show itself, and words of its one-screen report."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

LINE = 90  # characters of a text in a report


class Pictures(Protocol):
    """What draws runs. This package knows none; `attnviz` gives it one."""

    def heads(self, trace: Any, selection: Any, **options: Any) -> Any: ...

    def steps(self, trace: Any, tab: str, site: str, head: int, **options: Any) -> Any: ...

    def compared(self, trace: Any, other: Any) -> Any: ...

    def comparison(self, found: Any) -> Any: ...


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


def shortened(text: str) -> str:
    """A text on one line of a report: its beginning and its end, if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= LINE else f"{text[: LINE // 2]} … {text[-LINE // 2 :]}"


def listed(names: Iterable[str]) -> str:
    """Names on one line: the first two and the last where there are many."""
    first, *rest = names
    return ", ".join([first, *rest]) if len(rest) < 4 else f"{first}, {rest[0]} … {rest[-1]}"
