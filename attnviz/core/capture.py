"""Recording: inside `with record() as run:` every `tap` hands its value to a recorder, which keeps or edits it.

`record` itself is in trace/traceable.py, since its recordings can be made into a Trace.

The active recorder lives in a ContextVar: a tap costs one look-up when nobody records, two threads that share a model
never mix, and nothing stays behind after an exception. Recording our own models changes no number; torch's own
attention runs torch's own lines while it is recorded (trace/torch_calls.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar, Token
from typing import Any, Generic, Literal, TypeVar, get_args

import torch
from torch import Tensor

from .callers import Callers
from .edit import EDITABLE, Edits, as_edits
from .errors import CaptureError
from .ops import Call
from .recording import Recording
from .site import Site
from .tensor_checks import check_choice

Keep = Literal["weights", "all"]
R = TypeVar("R", bound=Recording)
INTERMEDIATES = ("raw", "scores", "masked")  # kept only with keep="all", or where an edit may change one


_ACTIVE: ContextVar[Recorder[Any] | None] = ContextVar("attnviz_recorder", default=None)
_PLACE: ContextVar[str] = ContextVar("attnviz_place", default="")  # a Site's key, or any name


class Recorder(Generic[R]):
    """What `with` takes: it fills one recording for each block, `with Recorder(Recording) as run:`.

    Args:
        recording_class: Recording, or a class that adds to it.
        keep: "weights" drops raw, scores and masked, which are recomputed when they are read; "all" keeps them.
        edits: changes to make on the way.
    """

    def __init__(self, recording_class: Callable[..., R], keep: Keep = "weights", edits: Edits = ()) -> None:
        check_choice("keep", keep, get_args(Keep))
        self.recording_class, self.keep, self.edits = recording_class, keep, as_edits(edits)
        self.token: Token[Recorder[Any] | None] | None = None  # ends the recording; None while there is none
        self.callers, self.unnamed = Callers(), ""  # the sites of attentions without a name, and that of the last one
        self.is_inside = False  # from begin to context: torch's kernel, called by `attend`, is no attention of its own

    def __enter__(self) -> R:
        if self.token is not None:
            raise CaptureError(id="already-recording")
        self.recording = self.recording_class(edits=self.edits)
        self.callers, self.unnamed = Callers(), ""
        self.token = _ACTIVE.set(self)
        return self.recording

    def __exit__(self, error_type: type[BaseException] | None, *error: object) -> None:
        token, self.token = self.token, None
        assert token is not None
        _ACTIVE.reset(token)
        self.callers = Callers()  # lets the model's frame go
        self.recording.complete = error_type is None
        if (outer := active_recorder()) is not None and self.recording.names:
            outer.recording.has_inner = True

    def edits_any(self, *names: str) -> bool:
        """Whether an edit may change one of these values, in this run of the place or in another."""
        if not self.edits:
            return False
        return any(edit.is_of(name, in_any_run=True) for edit in self.edits for name in map(self.full_name, names))

    def place(self, call: Call) -> str:
        """Where the attention is that runs now: as `at` says, else the site that the module has that calls it."""
        if not (place := _PLACE.get()):
            place = self.unnamed = self.callers.site(lambda: call.hides_later_keys, self.recording.places).key
        return place

    def full_name(self, name: str) -> str:
        """The name a value is kept under: `place.name`; of code outside any place, the name alone."""
        place = _PLACE.get()
        if name in EDITABLE and (place or self.unnamed):
            return f"{self.recording.newest(place or self.unnamed)}.{name}"
        return f"{place}.{name}" if place else name

    def begin(self, call: Call, q: Tensor | None = None, k: Tensor | None = None) -> Call:
        """Note what an attention is given that is about to run, so that it can be replayed, as the edits leave it."""
        place = self.place(call)
        name = f"{self.recording.next(place)}.call"
        edits = [edit for edit in self.edits if edit.is_of(name)]
        if edits and q is not None and k is not None:
            everywhere = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device)  # [T_q, T_k]
            call = call.written_out(q.shape[-2], k.shape[-2], q.device).allowing(everywhere)
            for edit in edits:
                call = edit.applied_to_call(name, call)
        self.is_inside = True
        self.recording.begin(place, call)
        return call

    def receive(self, name: str, value: Tensor) -> Tensor:
        """Apply the edits that match, keep the value, and return the one to go on with."""
        self.is_inside = self.is_inside and name != "context"
        if name in INTERMEDIATES and self.keep != "all" and not self.edits_any(*INTERMEDIATES):
            return value
        full_name = self.full_name(name)
        if self.edits:
            value = self._edited(full_name, value)
        self.recording.keep(full_name, value)
        return value

    def offer(self, name: str, value: Tensor) -> Tensor:
        """Apply the edits that match to a value that is not kept, and return the one to go on with."""
        full_name = self.full_name(name)
        self.recording.edit_points.add(full_name)
        return self._edited(full_name, value) if self.edits else value

    def _edited(self, full_name: str, value: Tensor) -> Tensor:
        for edit in self.edits:
            if not edit.is_of(full_name):
                continue
            changed = edit.applied(full_name, value)
            if changed is not None:
                value = changed
                self.recording.edited_names.add(full_name)
        return value


def active_recorder() -> Recorder[Any] | None:
    """The recorder of the innermost `with record()` of this thread, or None."""
    return _ACTIVE.get()


@contextmanager
def unrecorded() -> Iterator[None]:
    """What runs inside is recorded by nobody."""
    token = _ACTIVE.set(None)
    try:
        yield
    finally:
        _ACTIVE.reset(token)


def begin_attention(call: Call, q: Tensor | None = None, k: Tensor | None = None, *, has_weights: bool) -> Call:
    """Tell whoever records that an attention begins, and refuse edits of values that its kernel does not make.

    Args:
        q, k: [..., T_q, d_k], [..., T_k, d_k], where an edit may change the call.
    Returns:
        the call to go on with.
    """
    recorder = _ACTIVE.get()
    if recorder is None:
        return call
    call = recorder.begin(call, q, k)
    if not has_weights and recorder.edits_any(*INTERMEDIATES, "weights"):
        raise CaptureError(id="edit-of-fused")
    return call


def has_edits() -> bool:
    """Whether whoever records may change values."""
    recorder = _ACTIVE.get()
    return recorder is not None and bool(recorder.edits)


def keeps_intermediates() -> bool:
    """Whether whoever records keeps or edits raw, scores or masked, so that each must be a tensor of its own."""
    recorder = _ACTIVE.get()
    return recorder is not None and (recorder.keep == "all" or recorder.edits_any(*INTERMEDIATES))


def tap(name: str, value: Tensor) -> Tensor:
    """Offer a value to whoever records: `weights = tap("weights", weights)`. Costs nothing when nobody does.

    >>> import torch, attnviz as av
    >>> with av.record() as run:
    ...     total = av.tap("total", torch.ones(2) + 1)
    >>> run["total"]
    tensor([2., 2.])

    Args:
        name: one of q k v raw scores masked weights context out inside an attention; else a free name such as
            `"encoder.2.in"`. Inside `at(place)` it is kept as `place.name`.
        value: any tensor.
    Returns:
        the same tensor, or the edited one.
    """
    recorder = _ACTIVE.get()
    return value if recorder is None else recorder.receive(name, value)


def edit_point(name: str, value: Tensor) -> Tensor:
    """Offer a value to edits alone: one that follows from what is kept, and is too large to be kept beside it.

    Args:
        name: a free name, as of `tap`.
        value: any tensor.
    Returns:
        the same tensor, or the edited one.
    """
    recorder = _ACTIVE.get()
    return value if recorder is None else recorder.offer(name, value)


class at(ContextDecorator):
    """Name the taps inside: `with at("encoder.2.self"):` makes `"encoder.2.self.weights"`. It decorates a function too.

    An inner `at` replaces the outer name.

    >>> import torch, attnviz as av
    >>> with av.record() as run, av.at("encoder.2.self"):
    ...     context, weights = av.attend(*torch.randn(3, 1, 2, 5, 8))  # q, k, v: [B, H, T, d]
    >>> run["encoder.2.self.weights"].shape
    torch.Size([1, 2, 5, 5])
    """

    __slots__ = ("place", "tokens")

    def __init__(self, place: Site | str) -> None:
        self.place = str(place)
        self.tokens: list[Token[str]] = []  # one for each time it was entered and not yet left

    def __enter__(self) -> None:
        self.tokens.append(_PLACE.set(self.place))

    def __exit__(self, *fault: object) -> None:
        _PLACE.reset(self.tokens.pop())
