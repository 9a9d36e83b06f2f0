"""What is on the screen now: the trace of the wanted text, or, where that cannot be had, the last one that could."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz_app import state
from attnviz_app.runs import runs

from attnviz.core.errors import AttnvizError
from attnviz.core.trace import Trace


@dataclass(frozen=True)
class Current:
    """A picture's trace and what kept a newer one from being shown."""

    trace: Trace
    problem: AttnvizError | None = None


def current() -> Current:
    """Trace the wanted text and point at it; keep the picture before it when that fails.

    Raises:
        AttnvizError: there is no picture before it either.
    """
    wanted, shown = state.wanted(), state.read()
    try:
        trace = runs().trace(wanted.model, wanted.text)
    except AttnvizError as problem:
        if wanted.text == shown.text:
            raise
        return Current(runs().trace(shown.model, shown.text), problem)
    state.show(trace)
    return Current(trace)
