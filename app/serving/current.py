"""What is on the screen now: the trace of the wanted text, or, where that cannot be had, the last one that could."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz_app import page_state
from attnviz_app.serving import model_menu
from attnviz_app.serving.runs import runs
from attnviz_app.serving.truncation import cut_of
from attnviz_app.shell import panels

from attnviz.core.errors import AttnvizError, InputError
from attnviz.trace.trace import Trace
from attnviz.views.heads.tokens import unknown_notice


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
    wanted, shown = page_state.wanted(), page_state.read()
    is_switched = model_menu.is_switched()
    try:
        trace = runs().trace(wanted.model, wanted.text, wanted.target)
    except AttnvizError as problem:
        if wanted.model != shown.model and isinstance(problem, InputError) and not cut_of(problem, wanted.text):
            _use_example("notice-other-text", why=panels.reason(problem, page_state.say()))
        if (wanted.model, wanted.text, wanted.target) == (shown.model, shown.text, shown.target):
            raise
        return Current(runs().trace(shown.model, shown.text, shown.target), problem)
    if is_switched and unknown_notice(trace.tokens.source, page_state.say()) is not None:
        _use_example("notice-unknown-text")
    page_state.show(trace)
    return Current(trace)


def _use_example(id: str, **arguments: str) -> None:
    """The wanted model on a text that it can read, from the next run on, and why it is another than was there."""
    model_menu.use_example(id, model=runs().model(page_state.wanted().model).card.name, **arguments)
