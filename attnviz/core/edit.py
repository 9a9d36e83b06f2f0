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


class Edit:
    """A change made to a running model: `change(name, value)` gives what to use instead, or None to leave it.

    The value is a tensor, and a copy: `change` may write into it and return it. Under the name `call` it is what an
    attention is given beside q, k and v (`attnviz.core.ops.Call`: scale, mask, bias, …), with all of its mask in `mask`
    [..., T_q, T_k], True = can attend, or additive: `call._replace(scale=1.0)`, `call.allowing(allowed)`.

    `pattern` chooses the names, with * for anything: `"decoder.*.self.weights"`; `"weights"` alone are those of every
    attention. A `call` is chosen by a pattern that ends in it. It acts each time that a place runs, so in every step
    of a generation. One that matches nothing is refused when the recording ends. `label` says in a few words what was
    changed; every trace of that run carries it and shows it in its title.

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

    def __repr__(self) -> str:
        return f"Edit({self.pattern!r}, {self.label!r})"

    def is_of(self, full_name: str) -> bool:
        """Whether it may change the value of that name, whichever run of its place that is."""
        full_name = RUN.sub("", full_name)
        pattern = f"*.{self.pattern}" if self.pattern in EDITABLE else self.pattern
        is_named = pattern.endswith(".call") or not full_name.endswith(".call")
        return is_named and fnmatchcase(full_name, pattern)

    def applied(self, full_name: str, value: Tensor) -> Tensor | None:
        """The value to use instead, or None where the edit leaves it; one that cannot be used is refused."""
        given = value.clone()  # in-place writes of the edit must not reach q, k, v or their version counters
        at = f"{full_name}, {shape(value)}"
        changed = self._changed(at, full_name, given)
        if changed is None and torch.equal(given, value):
            return None
        if changed is None:
            fault = "wrote into its copy and returned None, which leaves the value as it is. Return the tensor."
        elif not isinstance(changed, Tensor):
            kind = type(changed).__name__
            fault = f"returned {kind}. Return a tensor (torch.from_numpy(array)), or None to leave it."
        elif changed.shape != value.shape:
            fault = f"returned {shape(changed)}. Return a tensor of the same shape, or None to leave it."
        elif changed.dtype != value.dtype or changed.device != value.device:
            fault = f"returned {changed.dtype} on {changed.device}. Return {value.dtype} on {value.device}."
        elif changed.isnan().any() and not value.isnan().any():
            fault = "returned NaN. Look for a division by zero in it."
        else:
            return changed
        raise CaptureError(f"The edit {self.label!r} of {at}, {fault}")

    def applied_to_call(self, full_name: str, call: Call) -> Call:
        """The call as it leaves it."""
        changed = self._changed(full_name, full_name, call)
        if changed is None:
            return call
        if not isinstance(changed, Call):
            raise CaptureError(
                f"The edit {self.label!r} of {full_name}, returned {type(changed).__name__}. Return "
                "call._replace(scale=…, mask=…), or None to leave it."
            )
        return changed

    def _changed(self, at: str, full_name: str, given: Any) -> Any:
        try:
            return self.change(RUN.sub("", full_name), given)
        except AttnvizError:
            raise
        except Exception as error:
            raise CaptureError(f"The edit {self.label!r} failed at {at}: {type(error).__name__}: {error}") from error


Edits = Edit | Sequence[Edit]  # one or several


def as_edits(edits: Edits) -> tuple[Edit, ...]:
    """One edit or several, as a person gives them; anything else is refused."""
    if isinstance(edits, Edit):
        return (edits,)
    if not isinstance(edits, Sequence) or not all(isinstance(edit, Edit) for edit in edits):
        raise CaptureError(f"edits came as {edits!r}; expected a list of Edit(pattern, change, label).")
    return tuple(edits)


def refuse_unmatched(edits: Sequence[Edit], names: Collection[str]) -> None:
    """Refuse an edit whose pattern matches none of these names of a run."""
    for edit in edits:
        if not any(map(edit.is_of, names)):
            known = dict.fromkeys(re.sub(r"\.\d+\.", ".{layer}.", RUN.sub("", name)) for name in names)
            raise CaptureError(
                f"The edit {edit.label!r} changes nothing: no value matches {edit.pattern!r}. Expected a name such as "
                f"{', '.join(known) or 'none: nothing was recorded'}."
            )
