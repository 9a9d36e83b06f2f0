"""Recording: `with record() as run:` keeps what code built on `attend` computes; nothing else has to know.

The active recorder lives in a ContextVar, so it is inert when nobody records, two threads over one model never mix,
and nothing stays behind after an exception. Recording never chooses a kernel and never changes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
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

    The tensor is a copy, which may be written into and given back.

    `pattern` chooses the names, with * for anything: `"decoder.*.self.weights"`. `label` says in a few words what was
    changed; it travels with every trace of that run and stands in its title.
    """

    pattern: str
    change: Callable[[str, Tensor], Tensor | None]
    label: str


_ACTIVE: ContextVar[Recorder | None] = ContextVar("attnviz_recorder", default=None)
_SCOPE: ContextVar[str] = ContextVar("attnviz_scope", default="")


class Recorder:
    """What one `with record()` block listens for, and the `Recording` it fills; a block of its own for each `with`."""

    __slots__ = ("edits", "keep", "recording", "token")

    def __init__(self, keep: Keep, edits: Sequence[Edit]) -> None:
        self.keep, self.edits = keep, tuple(edits)
        self.token: Token[Recorder | None] | None = None  # what ends the recording; None while there is none

    def __enter__(self) -> Recording:
        if self.token is not None:
            raise CaptureError(
                "This recorder is already recording; expected one that is free. Call record() again for the inner "
                "block, or for the other thread."
            )
        self.recording = Recording(edits=tuple([edit.label for edit in self.edits]))
        self.token = _ACTIVE.set(self)
        return self.recording

    def __exit__(self, kind: type[BaseException] | None, *fault: object) -> None:
        token, self.token = self.token, None
        assert token is not None
        _ACTIVE.reset(token)
        self.recording.complete = kind is None

    def wants(self, *names: str) -> bool:
        """Whether one of these values must exist as a tensor of its own: it is kept, or an edit may change it."""
        return self.keep == "all" or self.edits_any(*names)

    def edits_any(self, *names: str) -> bool:
        """Whether an edit may change one of these values."""
        if not self.edits:
            return False
        full_names = [self.recording.full_name(_SCOPE.get(), name) for name in names]
        return any(fnmatchcase(name, edit.pattern) for edit in self.edits for name in full_names)

    def open_call(self, call: Call) -> None:
        """Note the mask and scale of an attention that is about to run, so that it can be replayed."""
        self.recording.open_call(_SCOPE.get(), call)

    def receive(self, name: str, value: Tensor) -> Tensor:
        """Apply the edits that match, keep the value, and give back the one to go on with."""
        full_name = self.recording.full_name(_SCOPE.get(), name)
        if self.edits:
            value = self._edited(full_name, value)
        self.recording.keep(full_name, value)
        return value

    def _edited(self, full_name: str, value: Tensor) -> Tensor:
        for edit in self.edits:
            # A copy: what an edit writes into may share its memory, and its count of writes, with q, k and v.
            changed = edit.change(full_name, value.clone()) if fnmatchcase(full_name, edit.pattern) else None
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
        return value


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


class at:
    """Name the taps inside: `with at(Site("encoder", "self", 2)):` makes `"encoder.2.self.weights"`."""

    __slots__ = ("place", "tokens")

    def __init__(self, place: Site | str) -> None:
        self.place = str(place)
        self.tokens: list[Token[str]] = []  # one for each time it was entered and not yet left

    def __enter__(self) -> None:
        self.tokens.append(_SCOPE.set(self.place))

    def __exit__(self, *fault: object) -> None:
        _SCOPE.reset(self.tokens.pop())


def record(keep: Keep = "weights", edits: Sequence[Edit] = ()) -> Recorder:
    """Record every attention that runs inside the block, in this thread: `with record() as run:`.

    Of recordings inside each other the innermost records, and the outer ones go without what ran in it.

    Values are kept by reference. One that the recorded code writes into afterwards (`y += x`) is refused when it is
    read, except under torch.inference_mode, where torch does not count writes: it then reads as what was written.
    Inside `torch.func.vmap` they live no longer than its call: read them there. Gradient checkpointing runs what it
    checkpoints once more on the way back, which is recorded as well where the block is still open: close it before.

    Args:
        keep: `"weights"` keeps q, k, v, weights, context, out and the residual stream; raw, scores and masked are
            recomputed when read. `"all"` keeps those too.
        edits: changes to make on the way; their labels travel with the recording.
    Returns:
        what `with` takes; it gives a `Recording`: `run["weights"]` with one attention, else
        `run["encoder.2.self.weights"]`.
    Raises:
        CaptureError: keep is misspelled, or edits are no list of Edit; what it gave is entered a second time while it
            records; inside the block, an edit aims at a value that the kernel in use never makes.
    """
    if keep not in ("weights", "all"):
        raise CaptureError(f"keep={keep!r} is not known. Expected 'weights' or 'all'.", id="bad-keep", keep=str(keep))
    if edits and not (isinstance(edits, Sequence) and all(isinstance(edit, Edit) for edit in edits)):
        raise CaptureError(f"edits came as {edits!r}; expected a list of Edit(pattern, change, label).")
    return Recorder(keep, edits)


__all__ = ["ATTENTION_NAMES", "Edit", "Recorder", "active_recorder", "at", "record", "tap"]
