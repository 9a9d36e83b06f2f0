"""Whether tensors belong together, said in a sentence before torch says it in a traceback.

The questions come first and cost next to nothing, since every attention asks them; the sentences stand below.
"""

from __future__ import annotations

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
    return "[" + ", ".join(str(n) for n in tensor.shape) + "]"


def is_transformed() -> bool:
    """Whether a transform of torch.func is at work (vmap, jvp, grad): tensors then hold no numbers to look at."""
    return torch._C._are_functorch_transforms_active()


def number(one: Tensor) -> float | bool | None:
    """The number in a tensor of one, or None where there is none: on the meta device, in an export, in a transform."""
    if one.is_meta or torch.compiler.is_exporting() or is_transformed():
        return None
    return one.item()


def whole_number(value: object) -> int | None:
    """A whole number of Python, numpy or torch as an int; None for all else, such as True, 1.0 and "1"."""
    if isinstance(value, bool) or getattr(value, "dtype", None) == torch.bool:
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # what has no __index__ raises
    except TypeError:
        return None


def check_index(name: str, value: object) -> int:
    """A number of a head, layer or token as an int.

    Raises:
        InputError: it is no whole number.
    """
    number = whole_number(value)
    if number is None:
        raise InputError(f"{name}={value!r} is no whole number. Expected one, counted from 0.")
    return number


def check_choice(name: str, value: object, known: Collection[object]) -> None:
    """Refuse a word that is not one of those known: a misspelled one must not give the default."""
    if value not in known:
        listed = ", ".join(map(repr, known))
        raise InputError(f"{name}={value!r} is not known. Expected one of {listed}.")


def check_attention_inputs(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, sinks: Tensor | None
) -> None:
    """Refuse q, k, v, mask, bias and sinks that do not fit.

    Raises:
        InputError: one of them is no tensor, or a sparse one, or q has no features.
        TraceShapeError: fewer than two axes, widths or lengths that differ, several devices.
        MaskError: a mask or bias that does not broadcast to [..., T_q, T_k], or an integer mask.
    """
    if not (_is_dense(q) and _is_dense(k) and _is_dense(v)):
        raise _no_tensors(q=q, k=k, v=v)
    if q.ndim < 2 or k.ndim < 2 or v.ndim < 2:
        raise _too_few_axes(q=q, k=k, v=v)
    *q_leading, n_queries, q_width = q.shape
    *k_leading, n_keys, k_width = k.shape
    *v_leading, n_values, _ = v.shape
    if q_width != k_width:
        raise _widths_differ(q, k)
    if q_width == 0:
        raise InputError(f"q has shape {shape(q)}. Expected at least one feature; look at how wide each head is.")
    if n_keys != n_values:
        raise _lengths_differ(k, v)
    extras = [part for part in (mask, bias, sinks) if part is not None]
    if extras and not all(_is_dense(part) for part in extras):
        raise _no_tensors(**{n: x for n, x in (("mask", mask), ("bias", bias), ("sinks", sinks)) if x is not None})
    if not q.device == k.device == v.device or (extras and any(part.device != q.device for part in extras)):
        raise _devices_differ(q, k, v, *extras)
    if not q.dtype == k.dtype == v.dtype or not q.dtype.is_floating_point:
        raise _dtypes_differ(q, k, v)
    leading = q_leading
    if not q_leading == k_leading == v_leading:  # hardly ever, and torch takes long to find out
        leading = list(_leading_shape(q, k))
        _leading_shape(torch.empty(*leading, 1, 1, device="meta"), v)
    if not extras:
        return
    wanted = torch.Size([*leading, n_queries, n_keys])
    for name, added in (("mask", mask), ("bias", bias)):
        if added is not None:
            check_mask(name, added, wanted)
    if sinks is not None and (q.ndim < 3 or sinks.numel() != q.shape[-3]):
        raise TraceShapeError(
            f"sinks has {sinks.numel()} numbers. Expected one for each head, and q as [..., heads, tokens, features] "
            f"(q {shape(q)}).",
            id="bad-sinks", sinks=sinks.numel(),
        )  # fmt: skip


def check_dense(name: str, part: object) -> None:
    """Refuse what is not a dense tensor.

    Raises:
        InputError: says what came.
    """
    if not _is_dense(part):
        raise _no_tensors(**{name: part})


def check_finite(**parts: Tensor) -> None:
    """Refuse NaN and ∞ before they spread over every row.

    Raises:
        InputError: which one holds them, how many, and where the first one is.
    """
    for name, part in parts.items():
        check_dense(name, part)
        total = number(part.sum()) if part.is_floating_point() else None  # NaN and ∞ survive every sum
        if total is not None and not math.isfinite(total):
            places = (~torch.isfinite(part)).nonzero()  # [n, axes]; none where only the sum is too large
            if len(places):
                raise InputError(
                    f"{name} holds {len(places)} NaN or infinite numbers, the first at {places[0].tolist()}. Expected "
                    "finite numbers; look for a division by zero, or a loss that diverged, in the step that made it.",
                    id="not-finite", name=name,
                )  # fmt: skip


def check_tokens(**read: tuple[Tensor, Tensor]) -> None:
    """Refuse vectors of tokens that a layer cannot multiply by its weights, and NaN and ∞ in them.

    Args:
        read: by name, the vectors [..., T, width] with a weight [out, width] of the layer that reads them.
    Raises:
        TraceShapeError: no axis of tokens, another width, device or precision than the weight's.
        InputError: no dense tensor, no tokens, or NaN or ∞.
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
    """Refuse a mask or bias that cannot be added to the scores.

    Args:
        wanted: the shape of the scores, [..., T_q, T_k].
    Raises:
        InputError: no dense tensor.
        MaskError: it does not broadcast to the scores, is neither bool nor float, or holds NaN or +∞.
    """
    check_dense(name, part)
    if part.dtype != torch.bool and not part.is_floating_point():
        raise MaskError(
            f"The {name} holds {part.dtype}. Expected bool (True = can attend) or float (added to the scores); "
            f"write {name}.bool() if 1 means can attend.",
            id="mask-dtype", name=name, dtype=str(part.dtype),
        )  # fmt: skip
    try:
        fits = torch.broadcast_shapes(part.shape, wanted) == torch.Size(wanted)
    except RuntimeError:
        fits = False
    if not fits:
        raise MaskError(
            f"The {name} has shape {shape(part)}. Expected one that broadcasts to [queries, keys] = "
            f"[{wanted[-2]}, {wanted[-1]}]{_with_leading(wanted)}.",
            id="mask-shape", name=name, came=shape(part), queries=wanted[-2], keys=wanted[-1],
        )  # fmt: skip
    if part.dtype != torch.bool and part.numel() and number(part.max() < torch.inf) is False:
        raise MaskError(
            f"The {name} holds NaN or +∞. Expected finite numbers, and −∞ where a query cannot attend.",
            id="mask-not-finite", name=name,
        )  # fmt: skip


def check_options(
    kernel: str, kernels: tuple[str, ...], dropout: float, softcap: float | None, scale: float | None
) -> None:
    """Refuse a kernel that does not exist, and numbers that the formula cannot use.

    Raises:
        InputError: says what came and what was expected.
    """
    if kernel not in kernels:
        raise InputError(f"kernel is {kernel!r}. Expected one of {', '.join(map(repr, kernels))}; check the spelling.")
    if not isinstance(dropout, NUMBER) or not 0.0 <= dropout <= 1.0:
        raise InputError(f"dropout is {dropout!r}. Expected a number from 0 to 1; 0 switches it off.")
    if softcap is not None and (not isinstance(softcap, NUMBER) or not softcap > 0.0):
        raise InputError(f"softcap is {softcap!r}. Expected a number above 0; None switches it off.")
    if scale is not None and not (isinstance(scale, NUMBER) and (isinstance(scale, Tensor) or math.isfinite(scale))):
        raise InputError(f"scale is {scale!r}. Expected a finite number; None stands for 1/√d_k.")


def _is_dense(part: object) -> bool:
    return isinstance(part, Tensor) and part.layout is torch.strided and not part.is_nested


def _leading_shape(left: Tensor, right: Tensor) -> torch.Size:
    try:
        return torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except RuntimeError:
        raise TraceShapeError(
            f"The axes before the tokens differ: {shape(left)} and {shape(right)}. Expected the same batch and heads.",
            id="batches-differ", left=shape(left), right=shape(right),
        ) from None  # fmt: skip


def _with_leading(wanted: tuple[int, ...]) -> str:
    """What a mask may have before queries and keys, where q, k and v have something there."""
    if len(wanted) == 2:
        return ""
    axes = {3: "a mask for each text", 4: "the axes are batch, head, query, key"}
    return f", or to {list(wanted)}" + (f": {axes[len(wanted)]}" if len(wanted) in axes else "")


def _no_tensors(**parts: object) -> InputError:
    name, part = next((name, part) for name, part in parts.items() if not _is_dense(part))
    if isinstance(part, Tensor):
        kind = "a nested tensor" if part.is_nested else part.layout
        return InputError(f"{name} came as {kind}. Expected a dense tensor; convert it with .to_dense().")
    return InputError(f"{name} came as {type(part).__name__}. Expected a tensor; convert it with torch.as_tensor().")


def _too_few_axes(**parts: Tensor) -> TraceShapeError:
    name, part = next((name, part) for name, part in parts.items() if part.ndim < 2)
    return TraceShapeError(
        f"{name} has shape {shape(part)}. Expected at least two axes, [..., tokens, features].",
        id="bad-shape", name=name, shape=shape(part),
    )  # fmt: skip


def _widths_differ(q: Tensor, k: Tensor) -> TraceShapeError:
    return TraceShapeError(
        f"q has {q.shape[-1]} features and k has {k.shape[-1]}. Expected the same number, so that each query can "
        f"be multiplied with each key (q {shape(q)}, k {shape(k)}).",
        id="widths-differ", q=q.shape[-1], k=k.shape[-1],
    )  # fmt: skip


def _lengths_differ(k: Tensor, v: Tensor) -> TraceShapeError:
    return TraceShapeError(
        f"k has {k.shape[-2]} tokens and v has {v.shape[-2]}. Expected one value for each key "
        f"(k {shape(k)}, v {shape(v)}).",
        id="lengths-differ", k=k.shape[-2], v=v.shape[-2],
    )  # fmt: skip


def _devices_differ(*parts: Tensor) -> TraceShapeError:
    devices = ", ".join(sorted({str(part.device) for part in parts}))
    return TraceShapeError(
        f"The tensors are on {devices}. Expected one device; move them with .to(device).",
        id="devices-differ", devices=devices,
    )  # fmt: skip


def _dtypes_differ(*parts: Tensor) -> TraceShapeError:
    dtypes = ", ".join(sorted({str(part.dtype).removeprefix("torch.") for part in parts}))
    return TraceShapeError(
        f"q, k and v hold {dtypes}. Expected one floating-point type; convert them with .float() or .to(dtype).",
        id="dtypes-differ", dtypes=dtypes,
    )  # fmt: skip
