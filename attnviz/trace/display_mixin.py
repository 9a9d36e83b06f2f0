"""Lets a run show itself. Views may import this package and not the reverse, so they are looked up when asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from pathlib import Path
from typing import Any


def room(name: str) -> Any:
    """A part of attnviz that may not be imported from here, as `attnviz` itself finds it."""
    return import_module(f"attnviz.{name}")


class Shown(ABC):
    """Shows itself in a browser and in a notebook, as the view that `view` gives."""

    @abstractmethod
    def view(self) -> Any:
        """The `View` it is shown as."""

    def show(self) -> Path:
        """Open it in the default browser as a page that needs no server, and return that page's file."""
        path: Path = self.view().show()
        return path

    def widget(self) -> Any:
        """A notebook's widget, whose `selection` can be observed and set; for `pip install 'attnviz[notebook]'`."""
        return self.view().widget()

    def _repr_html_(self) -> str:
        shown: str = self.view()._repr_html_()
        return shown
