"""What every model of this project can do, whoever wrote it: the protocol that analysis and pages rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from .capture import Edit
from .trace import Card, Trace


@runtime_checkable
class Model(Protocol):
    """A model that can be traced. Safe to share between threads; a trace never changes it."""

    @property
    def card(self) -> Card:
        """What the model is."""
        ...

    def trace(self, text: str, target: str | None = None, edits: Sequence[Edit] = ()) -> Trace:
        """Run over one text and keep what happened.

        Args:
            text: the source text, whole; it is never cut.
            target: the decoder's own text, for encoder-decoder models.
            edits: changes to make on the way.
        Raises:
            InputError: the text is empty, too long or not usable; the message says which and what to do.
        """
        ...

    def traces(self, texts: Sequence[str]) -> tuple[Trace, ...]:
        """Run over several texts as one padded batch: a trace each, padding removed, equal to single runs."""
        ...
