"""Recording: `with record() as run:` keeps what code built on `attend` computes; nothing else has to know.

The active recorder lives in a ContextVar, so it is inert when nobody records, two threads over one model never mix,
and nothing stays behind after an exception. Recording never chooses a kernel and never changes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from torch import Tensor

from .errors import CaptureError
from .recording import ATTENTION_NAMES, Call, Recording
from .site import Site

Keep = Literal["weights", "all"]


@dataclass(frozen=True)
class Edit:
    """A change made to a running model: `change(name, tensor)` gives the tensor to use instead, or None to leave it.

    `pattern` chooses the names, with * for anything: `"decoder.*.self.weights"`. `label` says in a few words what was
    changed; it travels with every trace of that run and stands in its title.
    """

    pattern: str
    change: Callable[[str, Tensor], Tensor | None]
    label: str


class Recorder:
    """What one `with record()` block listens for, and the `Recording` it fills."""

    def __init__(self, keep: Keep, edits: Sequence[Edit]) -> None:
        self.keep = keep
        self.edits = tuple(edits)
        self.recording = Recording(edits=tuple(edit.label for edit in edits))

    def wants(self, name: str) -> bool:
        """Whether this value must exist as a tensor of its own: it is kept, or an edit may change it."""
        if self.keep == "all" or not self.edits:
            return self.keep == "all"
        full_name = self.recording.full_name(_SCOPE.get(), name)
        return any(fnmatchcase(full_name, edit.pattern) for edit in self.edits)

    def open_call(self, call: Call) -> None:
        """Note the mask and scale of an attention that is about to run, so that it can be replayed."""
        self.recording.open_call(_SCOPE.get(), call)

    def receive(self, name: str, value: Tensor) -> Tensor:
        """Apply the edits that match, keep the value, and give back the one to go on with."""
        full_name = self.recording.full_name(_SCOPE.get(), name)
        for edit in self.edits:
            if fnmatchcase(full_name, edit.pattern):
                changed = edit.change(full_name, value)
                if changed is None:
                    continue
                if changed.shape != value.shape:
                    raise CaptureError(
                        f"The edit {edit.label!r} gave {tuple(changed.shape)} for {full_name}; expected "
                        f"{tuple(value.shape)}. Return a tensor of the same shape, or None to leave it.",
                        id="edit-shape", label=edit.label, name=full_name,
                    )  # fmt: skip
                value = changed
                self.recording.edited_names.add(full_name)
        self.recording.keep(full_name, value)
        return value


_ACTIVE: ContextVar[Recorder | None] = ContextVar("attnviz_recorder", default=None)
_SCOPE: ContextVar[str] = ContextVar("attnviz_scope", default="")


def active_recorder() -> Recorder | None:
    """The recorder of the innermost `with record()` of this thread, or None."""
    return _ACTIVE.get()


def tap(name: str, value: Tensor) -> Tensor:
    """Offer a value to whoever records: `weights = tap("weights", weights)`. Costs nothing when nobody does.

    Args:
        name: one of q k v raw scores masked weights context out inside an attention; else a free name such as
            `"encoder.2.in"`.
        value: any tensor.
    Returns:
        the same tensor, or the edited one.
    """
    recorder = _ACTIVE.get()
    return value if recorder is None else recorder.receive(name, value)


@contextmanager
def at(place: Site | str) -> Iterator[None]:
    """Name the taps inside: `with at(Site("encoder", "self", 2)):` makes `"encoder.2.self.weights"`."""
    token = _SCOPE.set(str(place))
    try:
        yield
    finally:
        _SCOPE.reset(token)


@contextmanager
def record(keep: Keep = "weights", edits: Sequence[Edit] = ()) -> Iterator[Recording]:
    """Record every attention that runs inside the block, in this thread.

    Args:
        keep: `"weights"` keeps q, k, v, weights, context, out and the residual stream; raw, scores and masked are
            recomputed when read. `"all"` keeps those too.
        edits: changes to make on the way; their labels travel with the recording.
    Returns:
        a `Recording`: `run["weights"]` with one attention, else `run["encoder.2.self.weights"]`.
    Raises:
        CaptureError: an edit aims at a value that the kernel in use never makes.
    """
    if keep not in ("weights", "all"):
        raise CaptureError(f"keep={keep!r} is not known. Expected 'weights' or 'all'.", id="bad-keep", keep=str(keep))
    recorder = Recorder(keep, edits)
    token = _ACTIVE.set(recorder)
    try:
        yield recorder.recording
        recorder.recording.complete = True
    finally:
        _ACTIVE.reset(token)


__all__ = ["ATTENTION_NAMES", "Edit", "Recorder", "active_recorder", "at", "record", "tap"]
