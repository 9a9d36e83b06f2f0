"""What every view returns: one payload for whichever host shows it, and the way to a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from attnviz.views.html import standalone


@dataclass(frozen=True)
class View:
    """A picture as data: the same bytes draw it in the dashboard, in a notebook and in a file."""

    name: str  # the folder of its module under views/
    payload: bytes = field(repr=False)  # framed by pack()
    revision: str  # the same text, model and edits give the same revision, whatever is selected
    title: str = ""
    complete: Callable[[], bytes] | None = field(default=None, repr=False)  # the payload with the numbers of every head

    def html(self) -> str:
        """Return a page that needs no server and no network."""
        return standalone(self.name, self.complete() if self.complete else self.payload, self.title)

    def to_html(self, path: str | Path) -> Path:
        """Write the page to a file and return its path."""
        target = Path(path)
        target.write_text(self.html(), encoding="utf-8", newline="\n")  # the hashes in the page's policy count bytes
        return target
