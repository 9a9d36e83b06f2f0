"""Checks that tensors fit together, and says what does not in one sentence, before torch raises its own error.

Runs on every call, so the checks are cheap; messages are built only on failure.
"""

import math
import operator
from collections.abc import Collection
from numbers import Integral, Real

import torch
from torch import Tensor

from .errors import InputError, MaskError, TraceShapeError

NUMBER = (float, int, Tensor, Real)  # a tensor of one number may be learned


def shape(tensor: Tensor) -> str:
    """A shape as people read it: `[2, 4, 10, 16]`."""
    return str(list(tensor.shape))


def whole_number(value: object) -> int | None:
    """A whole number of Python, numpy or torch as an int; None for all else, such as True, 1.0 and "1"."""
    if isinstance(value, bool) or getattr(value, "dtype", None) == torch.bool:
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # what has no __index__ raises
    except TypeError:
        return None


def index_in(value: object, n: int, *, from_end: bool = True) -> int | None:
    """The place from 0 of a whole number among n; None for all else.

    Args:
        from_end: whether a negative number is counted from the end. An id of a vocabulary is not, nor what a page says.
    """
    number = whole_number(value)
    return None if number is None or not -n * from_end <= number < n else number % n


def check_index(name: str, value: object) -> int:
    """The number of a head, layer or token as an int."""
    number = whole_number(value)
    if number is None:
        raise InputError(id="no-whole-number", name=name, came=repr(value))
    return number


def check_token(position: object, n: int, name: str = "position") -> int:
    """A position from 0 as an int, whether of Python, numpy or torch; a negative one is counted from the end."""
    number = index_in(position, n)
    if number is None:
        raise InputError(id="no-such-token", name=name, token=str(position), n=n, last=n - 1)
    return number


def check_head(head: object, n: int, place: str) -> int:
    """The number of a head from 0, among the n of a place, as an int of Python; a negative one is counted from the end.

    Raises:
        InputError: it is no whole number, or there is no such head.
    """
    number = index_in(head, n)
    if number is None:
        raise InputError(id="no-such-head", head=str(head), heads=n, site=place)
    return number


def check_size(name: str, came: object, least: int = 1) -> None:
    """Refuse a size that is not a whole number of at least `least`."""
    if not isinstance(came, Integral) or isinstance(came, bool) or came < least:
        raise InputError(id="at-least", name=name, came=repr(came), least=str(least))


def check_choice(name: str, value: object, known: Collection[object]) -> None:
    """Refuse a word that is not one of those known: a misspelled one must not give the default."""
    if value not in known:
        raise InputError(id="no-choice-of", name=name, came=repr(value), known=tuple(map(repr, known)))


def check_attention_inputs(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, sinks: Tensor | None
) -> None:
    """Refuse q, k, v, mask, bias and sinks of `attend` that do not belong together."""
    extras = {name: part for name, part in (("mask", mask), ("bias", bias), ("sinks", sinks)) if part is not None}
    for name, part in (("q", q), ("k", k), ("v", v), *extras.items()):
        check_dense(name, part)
    if q.ndim < 2 or k.ndim < 2 or v.ndim < 2:
        raise TraceShapeError(id="two-axes", shapes=_shapes(q, k, v))
    if q.shape[-1] != k.shape[-1]:
        raise TraceShapeError(id="features-differ", q=str(q.shape[-1]), k=str(k.shape[-1]), shapes=_shapes(q, k, v))
    if q.shape[-1] == 0:
        raise InputError(id="no-features", shape=shape(q))
    if k.shape[-2] != v.shape[-2]:
        raise TraceShapeError(id="a-value-a-key", k=str(k.shape[-2]), v=str(v.shape[-2]), shapes=_shapes(q, k, v))
    if any(part.device != q.device for part in (k, v, *extras.values())):
        devices = sorted({str(part.device) for part in (q, k, v, *extras.values())})
        raise TraceShapeError(id="several-devices", devices=tuple(devices))
    if not q.dtype == k.dtype == v.dtype or not q.dtype.is_floating_point:
        dtypes = sorted({str(part.dtype).removeprefix("torch.") for part in (q, k, v)})
        raise TraceShapeError(id="several-dtypes", dtypes=tuple(dtypes))
    leading = q.shape[:-2]
    if not leading == k.shape[:-2] == v.shape[:-2]:
        n = k.shape[-3] if q.ndim == k.ndim == v.ndim == 4 and k.shape[-3] == v.shape[-3] else 0
        is_grouped = n > 0 and q.shape[-3] % n == 0  # several heads of q share a head of k and v
        others = [(*part.shape[:-3], q.shape[-3]) if is_grouped else part.shape[:-2] for part in (k, v)]
        if not leading == others[0] == others[1]:  # hardly ever, and torch takes long to find out
            try:
                leading = torch.broadcast_shapes(leading, *others)
            except RuntimeError:
                raise TraceShapeError(id="leading-axes", shapes=_shapes(q, k, v)) from None
    for name, part in extras.items():
        if name != "sinks":
            check_mask(name, part, (*leading, q.shape[-2], k.shape[-2]))
    if sinks is not None and (q.ndim < 3 or sinks.numel() != q.shape[-3]):
        raise TraceShapeError(id="a-sink-a-head", n=sinks.numel(), shapes=_shapes(q, k, v))


def check_dense(name: str, part: object) -> None:
    """Refuse what is not a dense tensor."""
    if not isinstance(part, Tensor):
        raise InputError(id="no-tensor", name=name, came=type(part).__name__)
    if part.layout is not torch.strided or part.is_nested:
        raise InputError(
            id="nested-tensor" if part.is_nested else "no-dense-tensor", name=name, layout=str(part.layout)
        )


def check_finite(**parts: Tensor) -> None:
    """Refuse NaN and ∞ before they spread over every row."""
    for name, part in parts.items():
        check_dense(name, part)
        if part.is_floating_point() and not math.isfinite(part.sum().item()):  # NaN and ∞ survive every sum
            places = (~torch.isfinite(part)).nonzero()  # [n, axes]; none where only the sum is too large
            if len(places):
                raise InputError(id="no-finite", name=name, n=len(places), first=str(places[0].tolist()))


def check_tokens(**read: tuple[Tensor, Tensor]) -> None:
    """Refuse vectors of tokens that a layer cannot multiply by its weights, and NaN and ∞ in them.

    Args:
        read: by name, the vectors [..., T, width] with a weight [out, width] of the layer that reads them.
    """
    checked: Tensor | None = None
    for name, (x, weight) in read.items():
        check_dense(name, x)
        width = weight.shape[-1]
        if x.ndim < 2 or x.shape[-1] != width:
            raise TraceShapeError(id="other-width", name=name, shape=shape(x), width=str(width))
        if x.device != weight.device:
            raise TraceShapeError(id="other-device", name=name, came=str(x.device), expected=str(weight.device))
        if x.dtype != weight.dtype and not torch.is_autocast_enabled(x.device.type):
            raise TraceShapeError(id="other-dtype", name=name, came=str(x.dtype), expected=str(weight.dtype))
        if x.numel() == 0:
            raise InputError(id="no-tokens-given", name=name, shape=shape(x))
        if x is not checked:  # self-attention reads one text three times
            check_finite(**{name: x})
        checked = x


def check_mask(name: str, part: Tensor, wanted: tuple[int, ...]) -> None:
    """Refuse a mask or bias that cannot be added to scores of shape `wanted`, [..., T_q, T_k]."""
    check_dense(name, part)
    if name == "bias" and part.dtype == torch.bool:
        raise MaskError(id="bool-bias")
    if part.dtype != torch.bool and not part.is_floating_point():
        raise MaskError(id="mask-dtype", name=name, came=str(part.dtype))
    try:
        fits = torch.broadcast_shapes(part.shape, wanted) == torch.Size(wanted)
    except RuntimeError:
        fits = False
    if not fits:
        axes = {2: "[queries, keys]", 3: "[text, query, key]", 4: "[batch, head, query, key]"}.get(len(wanted), "")
        raise MaskError(id="mask-shape", name=name, shape=shape(part), expected=f"{axes} {list(wanted)}")
    if part.dtype != torch.bool and part.numel() and not part.max() < torch.inf:
        raise MaskError(id="mask-not-finite", name=name)


def check_numbers(q: Tensor, dropout: float, softcap: float | None, scale: float | Tensor | None) -> None:
    """Refuse numbers that the formula of `attend` cannot use; a scale may be one for each head of q, [H, 1, 1]."""
    if not isinstance(dropout, NUMBER) or not 0.0 <= dropout <= 1.0:
        raise InputError(id="bad-dropout", came=repr(dropout))
    if softcap is not None and (not isinstance(softcap, NUMBER) or not softcap > 0.0):
        raise InputError(id="bad-softcap", came=repr(softcap))
    if scale is not None and not (isinstance(scale, NUMBER) and (isinstance(scale, Tensor) or math.isfinite(scale))):
        raise InputError(id="bad-scale", came=repr(scale))
    if isinstance(scale, Tensor) and scale.ndim and (q.ndim < 3 or scale.shape != (q.shape[-3], 1, 1)):
        raise InputError(id="bad-scale", came=shape(scale))


def _shapes(q: Tensor, k: Tensor, v: Tensor) -> str:
    return f"q {shape(q)}, k {shape(k)}, v {shape(v)}"
