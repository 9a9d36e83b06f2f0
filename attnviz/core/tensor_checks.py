"""Checks that tensors fit together, and says what does not in one sentence, before torch raises its own error.

Runs on every call, so the checks are cheap; messages are built only on failure.
"""

import math
import operator
from collections.abc import Collection
from numbers import Real

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


def index_in(value: object, n: int) -> int | None:
    """The place from 0 of a whole number among n, where a negative one is counted from the end; None for all else."""
    number = whole_number(value)
    return None if number is None or not -n <= number < n else number % n


def check_index(name: str, value: object) -> int:
    """The number of a head, layer or token as an int."""
    number = whole_number(value)
    if number is None:
        raise InputError(f"{name}={value!r} is not a whole number. Expected one, counted from 0.")
    return number


def check_token(position: object, n: int) -> int:
    """A position from 0 as an int, whether of Python, numpy or torch; a negative one is counted from the end."""
    number = index_in(position, n)
    if number is None:
        raise InputError(id="no-such-token", token=str(position), n=n, last=n - 1)
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


def check_choice(name: str, value: object, known: Collection[object], advice: str = "Check the spelling.") -> None:
    """Refuse a word that is not one of those known: a misspelled one must not give the default."""
    if value not in known:
        raise InputError(f"{name} is {value!r}. Expected one of {', '.join(map(repr, known))}. {advice}")


def check_attention_inputs(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, sinks: Tensor | None
) -> None:
    """Refuse q, k, v, mask, bias and sinks of `attend` that do not belong together."""
    extras = {name: part for name, part in (("mask", mask), ("bias", bias), ("sinks", sinks)) if part is not None}
    for name, part in (("q", q), ("k", k), ("v", v), *extras.items()):
        check_dense(name, part)
    if q.ndim < 2 or k.ndim < 2 or v.ndim < 2:
        raise TraceShapeError(f"Expected at least two axes, [..., tokens, features], got {_shapes(q, k, v)}.")
    if q.shape[-1] != k.shape[-1]:
        raise TraceShapeError(
            f"q has {q.shape[-1]} features and k has {k.shape[-1]}. Expected the same number, so that each query can "
            f"be multiplied with each key ({_shapes(q, k, v)})."
        )
    if q.shape[-1] == 0:
        raise InputError(f"q has shape {shape(q)}. Expected at least one feature; look at how wide each head is.")
    if k.shape[-2] != v.shape[-2]:
        raise TraceShapeError(
            f"k has {k.shape[-2]} tokens and v has {v.shape[-2]}. Expected one value for each key ({_shapes(q, k, v)})."
        )
    if any(part.device != q.device for part in (k, v, *extras.values())):
        devices = sorted({str(part.device) for part in (q, k, v, *extras.values())})
        raise TraceShapeError(
            f"The tensors are on {', '.join(devices)}. Expected one device; move them with .to(device)."
        )
    if not q.dtype == k.dtype == v.dtype or not q.dtype.is_floating_point:
        dtypes = sorted({str(part.dtype).removeprefix("torch.") for part in (q, k, v)})
        raise TraceShapeError(
            f"q, k and v hold {', '.join(dtypes)}. Expected one floating-point type; convert them with .to(dtype)."
        )
    leading = q.shape[:-2]
    if not leading == k.shape[:-2] == v.shape[:-2]:
        n = k.shape[-3] if q.ndim == k.ndim == v.ndim == 4 and k.shape[-3] == v.shape[-3] else 0
        is_grouped = n > 0 and q.shape[-3] % n == 0  # several heads of q share a head of k and v
        others = [(*part.shape[:-3], q.shape[-3]) if is_grouped else part.shape[:-2] for part in (k, v)]
        if not leading == others[0] == others[1]:  # hardly ever, and torch takes long to find out
            try:
                leading = torch.broadcast_shapes(leading, *others)
            except RuntimeError:
                raise TraceShapeError(
                    f"The axes before the tokens differ: {_shapes(q, k, v)}. Expected the same batch and heads, or "
                    "[batch, heads, tokens, features] with a number of heads of k and v that divides that of q."
                ) from None
    for name, part in extras.items():
        if name != "sinks":
            check_mask(name, part, (*leading, q.shape[-2], k.shape[-2]))
    if sinks is not None and (q.ndim < 3 or sinks.numel() != q.shape[-3]):
        raise TraceShapeError(
            f"sinks has {sinks.numel()} numbers. Expected one for each head, and q as [..., heads, tokens, features] "
            f"({_shapes(q, k, v)})."
        )


def check_dense(name: str, part: object) -> None:
    """Refuse what is not a dense tensor."""
    if not isinstance(part, Tensor):
        raise InputError(f"{name} came as {type(part).__name__}. Expected a tensor; convert it with torch.as_tensor().")
    if part.layout is not torch.strided or part.is_nested:
        kind = "a nested tensor" if part.is_nested else part.layout
        raise InputError(f"{name} came as {kind}. Expected a dense tensor; convert it with .to_dense().")


def check_finite(**parts: Tensor) -> None:
    """Refuse NaN and ∞ before they spread over every row."""
    for name, part in parts.items():
        check_dense(name, part)
        if part.is_floating_point() and not math.isfinite(part.sum().item()):  # NaN and ∞ survive every sum
            places = (~torch.isfinite(part)).nonzero()  # [n, axes]; none where only the sum is too large
            if len(places):
                raise InputError(
                    f"{name} holds {len(places)} NaN or infinite numbers, the first at {places[0].tolist()}. Expected "
                    "finite numbers; look for a division by zero, or a loss that diverged, in the step that made it."
                )


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
            raise TraceShapeError(
                f"{name} has shape {shape(x)}. Expected [batch, tokens, {width}]: this layer was built for {width} "
                "features, the last axis."
            )
        if x.device != weight.device:
            raise TraceShapeError(
                f"{name} is on {x.device}, the layer on {weight.device}. Move one of them with .to()."
            )
        if x.dtype != weight.dtype and not torch.is_autocast_enabled(x.device.type):
            raise TraceShapeError(
                f"{name} holds {x.dtype}, the layer {weight.dtype}. Expected one precision; convert with .to(dtype)."
            )
        if x.numel() == 0:
            raise InputError(f"{name} has shape {shape(x)}. Expected at least one token; leave out empty texts.")
        if x is not checked:  # self-attention reads one text three times
            check_finite(**{name: x})
        checked = x


def check_mask(name: str, part: Tensor, wanted: tuple[int, ...]) -> None:
    """Refuse a mask or bias that cannot be added to scores of shape `wanted`, [..., T_q, T_k]."""
    check_dense(name, part)
    if name == "bias" and part.dtype == torch.bool:
        raise MaskError("The bias holds torch.bool. Expected float; a bool mask (True = can attend) is given as mask.")
    if part.dtype != torch.bool and not part.is_floating_point():
        raise MaskError(
            f"The {name} holds {part.dtype}. Expected bool (True = can attend) or float (added to the scores); "
            f"write {name}.bool() if 1 means can attend."
        )
    try:
        fits = torch.broadcast_shapes(part.shape, wanted) == torch.Size(wanted)
    except RuntimeError:
        fits = False
    if not fits:
        axes = {2: "[queries, keys]", 3: "[text, query, key]", 4: "[batch, head, query, key]"}.get(len(wanted), "")
        raise MaskError(f"The {name} has shape {shape(part)}. Expected one that broadcasts to {axes} {list(wanted)}.")
    if part.dtype != torch.bool and part.numel() and not part.max() < torch.inf:
        raise MaskError(f"The {name} holds NaN or +∞. Expected finite numbers, and −∞ where a query cannot attend.")


def check_numbers(dropout: float, softcap: float | None, scale: float | None) -> None:
    """Refuse numbers that the formula of `attend` cannot use."""
    if not isinstance(dropout, NUMBER) or not 0.0 <= dropout <= 1.0:
        raise InputError(f"dropout is {dropout!r}. Expected a number from 0 to 1; 0 switches it off.")
    if softcap is not None and (not isinstance(softcap, NUMBER) or not softcap > 0.0):
        raise InputError(f"softcap is {softcap!r}. Expected a number above 0; None switches it off.")
    if scale is not None and not (isinstance(scale, NUMBER) and (isinstance(scale, Tensor) or math.isfinite(scale))):
        raise InputError(f"scale is {scale!r}. Expected a finite number; None stands for 1/√dₖ.")


def _shapes(q: Tensor, k: Tensor, v: Tensor) -> str:
    return f"q {shape(q)}, k {shape(k)}, v {shape(v)}"
