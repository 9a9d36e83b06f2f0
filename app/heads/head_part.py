"""The part of a head over a long text that the browser asked for last; it is sent until another one is asked for.

It is no part of the link: a link says what is looked at, not how far a picture was zoomed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from attnviz.views.heads.windows import Span

_ASKED = "attnviz.head-part"
LARGEST = 1 << 24  # beyond any text; numbers inside are put inside the head where the part is made


@dataclass(frozen=True)
class Part:
    """Which cells of which head, in which picture."""

    revision: str
    layer: int
    head: int
    rows: Span
    columns: Span


def note(said: Mapping[str, object]) -> None:
    """Take over what a view asked for; a browser may say anything."""
    part = part_of(said)
    if part is not None:
        st.session_state[_ASKED] = part


def asked(revision: str, layer: int, head: int) -> Part | None:
    """What was asked for of this head in this picture."""
    part: Part | None = st.session_state.get(_ASKED)
    return part if part is not None and (part.revision, part.layer, part.head) == (revision, layer, head) else None


def part_of(said: Mapping[str, object]) -> Part | None:
    """Read {revision, layer, head, window: [row, end, column, end]}; None where that is not what it says."""
    revision, layer, head, window = (said.get(name) for name in ("revision", "layer", "head", "window"))
    if not isinstance(revision, str) or not isinstance(window, Sequence) or len(window) != 4:
        return None
    numbers = [value for value in (layer, head, *window) if type(value) is int and 0 <= value < LARGEST]
    if len(numbers) != 6:
        return None
    return Part(revision, numbers[0], numbers[1], (numbers[2], numbers[3]), (numbers[4], numbers[5]))
