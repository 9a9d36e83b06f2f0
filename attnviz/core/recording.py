"""The values of one recorded run, by name and batched as the code ran them.

Raw, scores and masked, and after the fused kernel the weights, are computed from q, k and the Call when they are read,
unless they were kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

import torch
from torch import Tensor

from . import ops
from .edit import ATTENTION_NAMES, Edit
from .errors import CaptureError
from .ops import Call, Line

COMPUTED: tuple[Line, ...] = get_args(Line)  # from q, k and the call, where they were not kept


@dataclass(repr=False, eq=False)
class Recording:
    """The values recorded by one `with record()` block, by name."""

    edits: tuple[Edit, ...] = ()
    edited_names: set[str] = field(default_factory=set)  # the values that an edit replaced
    edit_points: set[str] = field(default_factory=set)  # the values that were offered to edits and are not kept
    has_inner: bool = False  # whether a recording inside this one recorded something
    complete: bool = False  # False while the block runs, and for good when it ended by an exception
    # Each value with its version counter when it was kept; reading a value modified since then raises.
    _values: dict[str, tuple[Tensor, int]] = field(default_factory=dict)
    # By place, in order, with the versions of its mask and bias.
    _calls: dict[str, tuple[Call, int, int]] = field(default_factory=dict)
    _n_begun: dict[str, int] = field(default_factory=dict)  # by place: how many attentions began there

    # -- filled by the recorder -------------------------------------------------------------------------------

    def begin(self, place: str, call: Call) -> None:
        """A new attention begins at this place: a Site's key, or another name."""
        self._n_begun[place] = self._n_begun.get(place, 0) + 1
        self._calls[self.newest(place)] = call, _version(call.mask), _version(call.bias)

    def newest(self, place: str) -> str:
        """The name of the attention that began last at this place; a second one, as in a generation, is `place#2`."""
        return of_run(place, self._n_begun.get(place, 1))

    def next(self, place: str) -> str:
        """The name that an attention will have which begins there now."""
        return of_run(place, self._n_begun.get(place, 0) + 1)

    def keep(self, full_name: str, value: Tensor) -> None:
        self._values[full_name] = value, _version(value)

    # -- read by people ---------------------------------------------------------------------------------------

    @property
    def places(self) -> tuple[str, ...]:
        """Where attention ran, in order: `("encoder.0.self", "encoder.1.self")`."""
        return tuple(self._calls)

    def __iter__(self) -> Iterator[str]:
        """Every name that can be read, as `run[name]` takes them."""
        return iter(self.names)

    def __repr__(self) -> str:
        state = "" if self.complete else ", not complete"
        return f"{type(self).__name__} of {len(self._calls)} attentions{state}: {', '.join(self.places)[:200]}"

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that can be read."""
        derived = [f"{place}.{name}" for place in self._calls for name in COMPUTED]
        return tuple(dict.fromkeys([*self._values, *derived]))

    @property
    def editable(self) -> tuple[str, ...]:
        """Every name that an edit can be of."""
        return (*self.names, *(f"{place}.call" for place in self._calls), *sorted(self.edit_points))

    def __contains__(self, name: str) -> bool:
        name = self._full(name)
        place, _, part = name.rpartition(".")
        return name in self._values or (place in self._calls and part in COMPUTED)

    def __getitem__(self, name: str) -> Tensor:
        """A value by its name.

        Args:
            name: `"weights"` when one attention ran, else `"encoder.2.self.weights"`.
        Returns:
            the tensor as the code ran it, batch axis first: weights are [B, H, T_q, T_k].
        Raises:
            CaptureError: no such name; the message lists those there are.
        """
        name = self._full(name)
        if name in self._values:
            return self._untouched(name)
        place, _, part = str(name).rpartition(".")
        if place in self._calls and part in COMPUTED:
            q, k = self._untouched(f"{place}.q"), self._untouched(f"{place}.k")  # [..., T_q, d_k], [..., T_k, d_k]
            return ops.replay(part, q, ops.repeat_heads(k, q), self.call(place))  # [..., T_q, T_k]
        if not self.names:
            raise CaptureError(id="nothing-recorded", name=repr(name))
        if self.places:
            places = (*self.places[:6], *(["…"] if len(self.places) > 6 else ()))
            parts = [known.rpartition(".")[2] for known in self.names if known.rpartition(".")[0] == self.places[0]]
            full = f"{self.places[0]}.weights"
            raise CaptureError(id="not-recorded-there", name=repr(name), places=places, parts=parts, full=full)
        listed = (*self.names[:12], *(["…"] if len(self.names) > 12 else ()))
        raise CaptureError(id="not-recorded", name=repr(name), names=listed)

    def _full(self, name: str) -> str:
        """`"weights"` with the place before it, when one attention ran."""
        return f"{self.places[0]}.{name}" if name in ATTENTION_NAMES and len(self._calls) == 1 else name

    def _untouched(self, name: str) -> Tensor:
        """The value, which is kept by reference: refused if code wrote into it after it was recorded."""
        value, version = self._values[name]
        if _version(value) != version:
            raise _overwritten(name)
        return value

    def call(self, place: str) -> Call:
        """What an attention was given; refused if code wrote into its mask or bias since."""
        call, of_mask, of_bias = self._calls[place]
        for name, part, version in (("mask", call.mask, of_mask), ("bias", call.bias, of_bias)):
            if _version(part) != version:
                raise _overwritten(f"{place}.{name}")
        return call

    def stream_values(self) -> dict[str, Tensor]:
        """The residual stream at each of its points, and `x`, what each attention read."""
        inside_attentions = {f"{place}.{name}" for place in self._calls for name in ATTENTION_NAMES}
        inside = (".feed_forward", ".positions")  # parts between two points
        others = (name for name in self._values if name not in inside_attentions and not name.endswith(inside))
        return {name: self._untouched(name) for name in others}

    def values_from_edit(self, place: str) -> dict[str, Tensor]:
        """The first value that an edit replaced and all that follow from it, as they were used.

        With dropout the context counts as replaced: q, k, v and the mask do not give it back.
        """
        chain = ("raw", "scores", "masked", "weights", "context")
        replaced = self.edited_names | ({f"{place}.context"} if self._calls[place][0].dropout else set())
        first = next((i for i, name in enumerate(chain) if f"{place}.{name}" in replaced), len(chain))
        used = [name for name in chain[first:] if f"{place}.{name}" in self._values]
        used += ["out"] if f"{place}.out" in self.edited_names else []
        return {name: self._untouched(f"{place}.{name}") for name in used}


def of_run(place: str, n: int) -> str:
    """The name of the nth attention at a place: the second is `encoder.0.self#2`."""
    return f"{place}#{n}" if n > 1 else place


def _version(value: Tensor | None) -> int:
    """How often a tensor was written to; torch does not count under inference_mode."""
    return 0 if value is None or value.is_inference() else value._version


def _overwritten(name: str) -> CaptureError:
    return CaptureError(id="changed-in-place", name=name)


def largest_difference(ours: Tensor, theirs: Tensor) -> float:
    """The largest absolute difference of two tensors of one shape, compared in float64; 0.0 for empty ones.

    Where either holds NaN the difference is infinite: NaN agrees with nothing.
    """
    if ours.numel() == 0:
        return 0.0
    largest = float(torch.max(torch.abs(ours.double() - theirs.double())))
    return largest if largest == largest else float("inf")
