"""Whether tensors belong together, said in a sentence before torch says it in a traceback."""

from __future__ import annotations

import torch
from torch import Tensor

from .errors import InputError, MaskError, TraceShapeError


def shape(tensor: Tensor) -> str:
    """A shape as people read it: `[2, 4, 10, 16]`."""
    return "[" + ", ".join(str(n) for n in tensor.shape) + "]"


def check_attention_inputs(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, sinks: Tensor | None
) -> None:
    """Refuse q, k, v, mask, bias and sinks that do not fit.

    Raises:
        TraceShapeError: fewer than two axes, widths or lengths that differ, several devices.
        MaskError: a mask or bias that does not broadcast to [..., Tq, Tk], or an integer mask.
    """
    for name, part in (("q", q), ("k", k), ("v", v)):
        if part.ndim < 2:
            raise TraceShapeError(
                f"{name} has shape {shape(part)}. Expected at least two axes, [..., tokens, features].",
                id="bad-shape", name=name, shape=shape(part),
            )  # fmt: skip
    if q.shape[-1] != k.shape[-1]:
        raise TraceShapeError(
            f"q has {q.shape[-1]} features and k has {k.shape[-1]}. Expected the same number, so that each query can "
            f"be multiplied with each key (q {shape(q)}, k {shape(k)}).",
            id="widths-differ", q=q.shape[-1], k=k.shape[-1],
        )  # fmt: skip
    if k.shape[-2] != v.shape[-2]:
        raise TraceShapeError(
            f"k has {k.shape[-2]} tokens and v has {v.shape[-2]}. Expected one value for each key "
            f"(k {shape(k)}, v {shape(v)}).",
            id="lengths-differ", k=k.shape[-2], v=v.shape[-2],
        )  # fmt: skip
    everything = [part for part in (q, k, v, mask, bias, sinks) if part is not None]
    devices = {str(part.device) for part in everything}
    if len(devices) > 1:
        raise TraceShapeError(
            f"The tensors are on {', '.join(sorted(devices))}. Expected one device; move them with .to(device).",
            id="devices-differ", devices=", ".join(sorted(devices)),
        )  # fmt: skip
    dtypes = {str(part.dtype).removeprefix("torch.") for part in (q, k, v)}
    if len(dtypes) > 1 or not q.is_floating_point():
        raise TraceShapeError(
            f"q, k and v hold {', '.join(sorted(dtypes))}. Expected one floating-point type; convert them with "
            ".float() or .to(dtype).",
            id="dtypes-differ", dtypes=", ".join(sorted(dtypes)),
        )  # fmt: skip
    leading = _leading_shape(q, k)
    if v.shape[:-2] != leading:
        _leading_shape(torch.empty(*leading, 1, 1, device="meta"), v)
    wanted = torch.Size([*leading, q.shape[-2], k.shape[-2]])
    for name, added in (("mask", mask), ("bias", bias)):
        if added is not None:
            _check_mask(name, added, wanted)
    if sinks is not None and (q.ndim < 3 or sinks.numel() != q.shape[-3]):
        raise TraceShapeError(
            f"sinks has {sinks.numel()} numbers. Expected one for each head, and q as [..., heads, tokens, features] "
            f"(q {shape(q)}).",
            id="bad-sinks", sinks=sinks.numel(),
        )  # fmt: skip


def _leading_shape(left: Tensor, right: Tensor) -> torch.Size:
    if left.shape[:-2] == right.shape[:-2]:  # nearly always, and torch takes ten times as long to find out
        return left.shape[:-2]
    try:
        return torch.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except RuntimeError:
        raise TraceShapeError(
            f"The axes before the tokens differ: {shape(left)} and {shape(right)}. Expected the same batch and heads.",
            id="batches-differ", left=shape(left), right=shape(right),
        ) from None  # fmt: skip


def _check_mask(name: str, part: Tensor, wanted: torch.Size) -> None:
    if part.dtype != torch.bool and not part.is_floating_point():
        raise MaskError(
            f"The {name} holds {part.dtype}. Expected bool (True = may look) or float (added to the scores); "
            f"write {name}.bool() if 1 means may look.",
            id="mask-dtype", name=name, dtype=str(part.dtype),
        )  # fmt: skip
    try:
        fits = torch.broadcast_shapes(part.shape, wanted)[-2:] == wanted[-2:]
    except RuntimeError:
        fits = False
    if not fits:
        raise MaskError(
            f"The {name} has shape {shape(part)}. Expected one that broadcasts to [queries, keys] = "
            f"[{wanted[-2]}, {wanted[-1]}], with batch and heads before them if it has them.",
            id="mask-shape", name=name, came=shape(part), queries=wanted[-2], keys=wanted[-1],
        )  # fmt: skip
    if part.dtype != torch.bool and part.numel() and not part.is_meta and not bool(part.max() < torch.inf):
        raise MaskError(
            f"The {name} holds NaN or +∞. Expected finite numbers, and −∞ where a query may not look.",
            id="mask-not-finite", name=name,
        )  # fmt: skip


def check_finite(**parts: Tensor) -> None:
    """Refuse NaN and ∞ before they spread over every row.

    Raises:
        InputError: which one holds them.
    """
    for name, part in parts.items():
        if part.is_floating_point() and not part.is_meta and not bool(torch.isfinite(part).all()):
            raise InputError(
                f"{name} holds NaN or ∞. Expected finite numbers; look at the step that made it.",
                id="not-finite",
                name=name,
            )
