"""What every view returns: one payload for whichever host shows it, and the way to a file of its own."""

import tempfile
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnviz.files import write_whole
from attnviz.text import strings
from attnviz.views import notebook
from attnviz.views.html import standalone
from attnviz.views.pack import unpack


@dataclass(frozen=True)
class View:
    """A picture as data: the same bytes draw it in the dashboard, in a notebook and in a file."""

    name: str  # the folder of its module under views/
    payload: bytes = field(repr=False)  # framed by pack()
    revision: str  # the same text, model and edits give the same revision, whatever is selected
    title: str = ""
    complete: Callable[[], bytes] | None = field(default=None, repr=False)  # the payload with the numbers of every head
    check: Callable[[dict[str, Any]], None] | None = field(default=None, repr=False)  # of a selection

    def html(self) -> str:
        """Return a page that needs no server and no network."""
        return standalone(self.name, self.complete() if self.complete else self.payload, self.title)

    def to_html(self, path: str | Path) -> Path:
        """Write the page to a file, whose folder is made if need be, and return its path."""
        target = Path(path).expanduser()
        write_whole(target, self.html().encode())
        return target

    def show(self) -> Path:
        """Open the page in the default browser, and return the file that it was written to."""
        path = self.to_html(Path(tempfile.mkdtemp(prefix="attnviz-")) / f"{self.name}.html")
        webbrowser.open(path.as_uri())
        return path

    @property
    def selection(self) -> dict[str, Any]:
        """What is picked when the view opens; layers, heads and tokens count from 0."""
        return dict(unpack(self.payload)[0].get("selection") or {})

    def widget(self) -> Any:
        """A widget for a notebook, whose `selection` follows what a person picks and can be set.

        >>> import attnviz as av
        >>> w = av.views.heads(av.load("reverse").trace("a b c")).widget()
        >>> w.observe(lambda change: print(change["new"]), "selection")
        >>> w.selection["layer"], w.selection["head"]
        (0, 1)

        Raises:
            AttnvizError: anywidget is not installed.
        """
        return notebook.widget(self)

    def _repr_html_(self) -> str:
        say = strings(unpack(self.payload)[0]["lang"])
        return notebook.framed(self.html(), self.title, say("notebook-stripped"))
