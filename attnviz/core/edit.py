"""An edit: a change made to a running model, to a value by its name or to the scale and the mask of an attention."""

import re
from collections.abc import Callable, Collection, Sequence
from fnmatch import fnmatchcase
from typing import Any

import torch
from torch import Tensor

from .errors import AttnvizError, CaptureError
from .ops import Call
from .tensor_checks import shape

# What an attention has by name: what it is given, each line that it makes, and its output.
ATTENTION_NAMES = ("q", "k", "v", "raw", "scores", "masked", "weights", "context", "out")
EDITABLE = (*ATTENTION_NAMES, "call")
RUN = re.compile(r"#\d+(?=\.)")  # which run of its place: encoder.0.self#2.weights
LAYER = re.compile(r"\.(\d+)\.")


class Edit:
    """A change made to a running model: `change(name, value)` gives what to use instead, or None to leave it.

    The value is a tensor, and a copy: `change` may write into it and return it. Under the name `call` it is what an
    attention is given beside q, k and v (`attnviz.core.ops.Call`: scale, mask, bias, …), with all of its mask in `mask`
    [..., T_q, T_k], True = can attend, or additive: `call._replace(scale=1.0)`, `call.allowing(allowed)`.

    `pattern` chooses the names, with * for anything: `"decoder.*.self.weights"`; `"weights"` alone are those of every
    attention. A `call` is chosen by a pattern that ends in it. It acts each time that a place runs, so in every step
    of a generation; in a loop inside `record()`, `"decoder.0.self#2.context"` is that of its second run alone. One that
    matches nothing is refused when the recording ends. `label` says in a few words what was changed; every trace of
    that run carries it and shows it in its title.

    What is changed most often is in attnviz/trace/edits.py: `av.ablate`, `av.cut`. An edit there is data: a
    frozen dataclass with `pattern`, `label` and a method `change`, which can be compared and sent to another process.

    >>> import attnviz as av
    >>> def silence(name, context):  # [B, H, T_q, d_v]
    ...     context[:, 1] = 0
    ...     return context
    >>> silent = av.Edit("encoder.0.self.context", silence, "head 1 of the first layer silenced")
    >>> av.load("reverse").trace("a b c", edits=[silent])["encoder.0.self"].context(head=1).any().item()
    False
    """

    def __init__(self, pattern: str, change: Callable[[str, Any], Any], label: str) -> None:
        self._pattern, self.change, self._label = pattern, change, label

    @property
    def pattern(self) -> str:
        """The names of the values that it changes."""
        return self._pattern

    @property
    def label(self) -> str:
        """What was changed, in a few words."""
        return self._label

    @property
    def needs_whole_text(self) -> bool:
        """Whether it reads all tokens of a text at once, which no step of a generation has."""
        return False

    def __repr__(self) -> str:
        return f"Edit({self.pattern!r}, {self.label!r})"

    def is_of(self, full_name: str, *, in_any_run: bool = False) -> bool:
        """Whether it may change the value of that name, or the value of another run of its place."""
        pattern = f"*.{self.pattern}" if self.pattern in EDITABLE else self.pattern
        if in_any_run or "#" not in pattern:
            full_name, pattern = RUN.sub("", full_name), RUN.sub("", pattern)
        is_named = pattern.endswith(".call") or not full_name.endswith(".call")
        return is_named and fnmatchcase(full_name, pattern)

    def applied(self, full_name: str, value: Tensor) -> Tensor | None:
        """The value to use instead, or None where the edit leaves it; one that cannot be used is refused."""
        given = value.clone()  # in-place writes of the edit must not reach q, k, v or their version counters
        label, size = repr(self.label), shape(value)
        changed = self._changed(f"{full_name}, {size}", full_name, given)
        if changed is None and torch.equal(given, value):
            return None
        if changed is None:
            raise CaptureError(id="edit-gave-nothing", label=label, name=full_name, shape=size)
        if not isinstance(changed, Tensor):
            came = type(changed).__name__
            raise CaptureError(id="edit-gave-no-tensor", label=label, name=full_name, shape=size, came=came)
        if changed.shape != value.shape:
            came = shape(changed)
            raise CaptureError(id="edit-gave-other-shape", label=label, name=full_name, shape=size, came=came)
        if changed.dtype != value.dtype or changed.device != value.device:
            raise CaptureError(
                id="edit-gave-other-type", label=label, name=full_name, shape=size, came=str(changed.dtype),
                device=str(changed.device), expected=str(value.dtype), expected_device=str(value.device),
            )  # fmt: skip
        if changed.isnan().any() and not value.isnan().any():
            raise CaptureError(id="edit-gave-nan", label=label, name=full_name, shape=size)
        return changed

    def applied_to_call(self, full_name: str, call: Call) -> Call:
        """The call that attention is given after this edit."""
        changed = self._changed(full_name, full_name, call)
        if changed is None:
            return call
        if not isinstance(changed, Call):
            raise CaptureError(
                id="edit-gave-no-call", label=repr(self.label), name=full_name, came=type(changed).__name__
            )
        return changed

    def _changed(self, at: str, full_name: str, given: Any) -> Any:
        try:
            return self.change(RUN.sub("", full_name), given)
        except AttnvizError:
            raise
        except Exception as error:
            raise CaptureError(
                id="edit-failed", label=repr(self.label), place=at, kind=type(error).__name__, fault=str(error)
            ) from error


Edits = Edit | Sequence[Edit]  # one or several


def as_edits(edits: Edits) -> tuple[Edit, ...]:
    """One edit or several, as a person gives them; anything else is refused."""
    if isinstance(edits, Edit):
        return (edits,)
    if not isinstance(edits, Sequence) or not all(isinstance(edit, Edit) for edit in edits):
        raise CaptureError(id="no-edits", came=repr(edits))
    return tuple(edits)


def refuse_unmatched(edits: Sequence[Edit], names: Collection[str]) -> None:
    """Refuse an edit whose pattern matches none of these names of a run."""
    for edit in edits:
        if not any(map(edit.is_of, names)):
            raise _unmatched(edit, [RUN.sub("", name) for name in names])


def _unmatched(edit: Edit, names: Sequence[str]) -> CaptureError:
    """Says in which layers there is what the edit changes, or else under which names."""
    label, pattern = repr(edit.label), edit.pattern
    in_any_layer = LAYER.sub(".*.", pattern)
    alike = [layer for name in names if fnmatchcase(name, in_any_layer) and (layer := LAYER.search(name))]
    if layers := sorted({int(layer[1]) for layer in alike}):
        return CaptureError(id="edit-of-no-layer", label=label, pattern=repr(pattern), layers=_ranges(layers))
    known = dict.fromkeys(LAYER.sub(".{layer}.", name) for name in names)
    of_that_value = [name for name in known if name.rpartition(".")[2] == pattern.rpartition(".")[2]]
    return CaptureError(
        id="edit-matches-nothing" if known else "edit-of-nothing",
        label=label,
        pattern=repr(pattern),
        known=tuple(of_that_value or known),
    )


def _ranges(numbers: Sequence[int]) -> tuple[str, ...]:
    """Sorted numbers in words: ("0–4", "7")."""
    first = [number for number in numbers if number - 1 not in numbers]
    last = [number for number in numbers if number + 1 not in numbers]
    return tuple(str(a) if a == b else f"{a}–{b}" for a, b in zip(first, last, strict=True))
