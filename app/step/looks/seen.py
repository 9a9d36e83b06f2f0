"""What a closer look is given."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz_app.step.query import Picked

from attnviz.text import Strings
from attnviz.trace.model import Model
from attnviz.trace.trace import Trace


@dataclass(frozen=True, eq=False)
class Seen:
    """What was on the page when a closer look was asked for."""

    model: str  # its name, as the menu has it
    trace: Trace  # of the run on the page, with its switches
    untouched: Trace  # of the same text without them
    now: Picked
    say: Strings
    ran: Model  # what made these runs
