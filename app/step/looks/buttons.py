"""Closer looks: what each tab of Step through offers beside its steps, and who draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attnviz_app.step.query import Stepping

from attnviz.text import Strings
from attnviz.trace.model import Model
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Seen:
    """What was on the page when a closer look was asked for."""

    model: str  # its name, as the menu has it
    trace: Trace  # of the run on the page, with its switches
    untouched: Trace  # of the same text without them
    now: Stepping  # tab, place, head and cell
    say: Strings
    ran: Model | None = None  # what made these runs; None = the model of that name


Show = Callable[[Seen], None]


@dataclass(frozen=True)
class Look:
    """One closer look. Its name is the message `look-<key>`, what it shows `look-<key>-about`."""

    key: str
    show: Show
