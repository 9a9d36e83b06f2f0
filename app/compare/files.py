"""The trace files that a person opened on the Compare page, at most one for each side; they go with the session."""

import unicodedata
from dataclasses import dataclass, field
from typing import Protocol

from attnviz_app.host import session
from attnviz_app.serving.trace_files import trace_files

from attnviz.core.errors import AttnvizError
from attnviz.trace.trace import Trace

SHOWN = 40  # characters of a file's name


class File(Protocol):
    """A file that a person chose in the browser."""

    name: str

    def getvalue(self) -> bytes:
        """What is in it."""


@dataclass(frozen=True, eq=False)
class Opened:
    side: str  # its name as a side
    called: str  # as its owner calls it
    trace: Trace = field(repr=False)


_opened: session.Value[dict[str, Opened]] = session.Value("compare-files", dict)
_problem: session.Value[tuple[str, AttnvizError] | None] = session.Value("compare-file-problem", session.nothing)


def take(file: File | None, place: str) -> Opened | None:
    """Open the file that was chosen for a place, "a" or "b", or let go of the one there; a refused one is not kept."""
    _problem.set(None)
    if file is None:
        opened().pop(place, None)
        return None
    called = plain(file.name)
    try:
        side, trace = trace_files().opened(file.getvalue(), called)
    except AttnvizError as problem:
        _problem.set((place, problem))
        return None
    opened()[place] = one = Opened(side, called, trace)
    return one


def swap() -> None:
    """What was opened for A is B's now, and the other way round."""
    _opened.set({"b" if place == "a" else "a": one for place, one in opened().items()})


def opened() -> dict[str, Opened]:
    """What is open, by the place it was opened for."""
    return _opened.get()


def sides() -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.side for one in opened().values()))


def find(side: str) -> Opened | None:
    return next((one for one in opened().values() if one.side == side), None)


def problem(place: str) -> AttnvizError | None:
    """Why the last file for a place was refused."""
    kept = _problem.get()
    return kept[1] if kept is not None and kept[0] == place else None


def plain(name: str) -> str:
    """A file's name without what cannot be seen, cut where it is long."""
    seen = "".join(character for character in name if unicodedata.category(character)[0] != "C")
    return seen if len(seen) <= SHOWN else f"{seen[: SHOWN - 1]}…"
