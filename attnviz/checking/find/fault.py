"""What a known mistake is: what to change in `Variant` to make it, the sentence that names it, and the fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One mistake."""

    id: str
    changes: Mapping[str, str | int]  # fields of Variant
    sentence: str
    fix: str

    def clashes(self, other: Fault) -> bool:
        """Whether both change the same field, so that they cannot be made together."""
        return bool(self.changes.keys() & other.changes.keys())


def row(id: str, sentence: str, fix: str, **changes: str | int) -> Fault:
    return Fault(id, changes, sentence, fix)
