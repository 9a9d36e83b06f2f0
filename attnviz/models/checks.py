"""What may come in at the door of an attention layer, and the sentence for what may not.

Kept out of attention.py so that the arithmetic there can be read in one go. Anything else `attend` checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral

import torch
from torch import Tensor

from attnviz.core.checks import shape
from attnviz.core.errors import InputError, MaskError, TraceShapeError


def check_tokens(query: Tensor, key: Tensor, value: Tensor, widths: tuple[int, int, int], weight: Tensor) -> None:
    """Refuse query, key and value that this layer cannot read.

    Looking for NaN takes one sum over each input, about a hundredth of the layer's own work. It is done here because
    one NaN spreads to every token it can reach: ten layers later nobody can say where it came from.

    Args:
        query: [B, Tq, D]. key: [B, Tk, key_width]. value: [B, Tk, value_width].
        widths: the widths the layer was built for, in the same order.
        weight: any weight of the layer; says on which device and in which precision the layer is.
    Raises:
        TraceShapeError: too few axes, a wrong width, lengths or batches that differ, another device or precision.
        InputError: no tokens, or NaN or infinite numbers in them.
    """
    seen: list[Tensor] = []
    for name, x, width in zip(("query", "key", "value"), (query, key, value), widths, strict=True):
        if x.ndim < 2 or x.shape[-1] != width:
            raise TraceShapeError(
                f"{name} has shape {shape(x)}; expected [batch, tokens, {width}]. "
                f"The last axis must be the {width} features this layer was built for."
            )
        if any(x is earlier for earlier in seen):
            continue  # self-attention: query, key and value are one tensor
        seen.append(x)
        _check_home(name, x, weight)
        if x.numel() == 0:
            raise InputError(f"{name} has shape {shape(x)}; expected at least one token. Leave out empty texts.")
        check_finite(name, x)
    if key.shape[:-1] != value.shape[:-1]:
        raise TraceShapeError(
            f"key has shape {shape(key)} and value {shape(value)}; expected the same batch and number of tokens. "
            "Each key needs one value."
        )
    if query.shape[:-2] != key.shape[:-2] and set(key.shape[:-2]) != {1}:
        raise TraceShapeError(
            f"query has shape {shape(query)} and key {shape(key)}; expected the same batch. "
            "If yours are [tokens, batch, features], build the layer with batch_first=False."
        )


def check_choice(name: str, came: object, expected: Iterable[str], advice: str = "Check the spelling.") -> None:
    """Refuse a word that is none of those there are.

    Raises:
        InputError: names them all, and what came.
    """
    known = tuple(expected)
    if not (isinstance(came, str) and came in known):
        raise InputError(f"{name} is {came!r}; expected one of {', '.join(map(repr, known))}. {advice}")


def check_size(name: str, came: object) -> None:
    """Refuse a size that is not a whole number of at least 1.

    Raises:
        InputError: says what came.
    """
    if not isinstance(came, Integral) or isinstance(came, bool):
        raise InputError(f"{name} is {came!r}; expected a whole number. Convert it with int().")
    if came < 1:
        raise InputError(f"{name} is {came}; expected at least 1. Choose a positive number.")


def check_dropout(came: float) -> None:
    """Refuse a share that is not in [0, 1).

    Raises:
        InputError: says what came.
    """
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < 1:
        raise InputError(f"dropout is {came}; expected 0 <= dropout < 1. 0 switches it off.")


def check_memory(memory: Tensor | None, *others: Tensor | None, has_cross: bool, part: str) -> None:
    """Refuse a part with cross-attention and no memory, and memory where nothing would look at it.

    Args:
        memory: [B, Ts, D], the encoder's output. others: the masks that belong to it.
        has_cross: whether the part has cross-attention. part: what to call it, such as "decoder".
    Raises:
        TraceShapeError: says what came and whether this part looks at a second text.
    """
    if has_cross and memory is None:
        came, does = "no memory", "looks"
    elif not has_cross and any(given is not None for given in (memory, *others)):
        came, does = "memory" if memory is not None else "a mask for memory", "does not look"
    else:
        return
    raise TraceShapeError(
        f"{came} came; this {part} {does} at a second text (has_cross={has_cross}). "
        f"Pass memory, the encoder's output, to a {part} built with has_cross=True and to no other."
    )


def check_device(name: str, x: Tensor, device: torch.device) -> None:
    """Refuse a tensor that lies elsewhere than the layer.

    Raises:
        TraceShapeError: says where both are and how to move them.
    """
    if x.device != device:
        raise TraceShapeError(
            f"{name} is on {x.device} and the layer on {device}; expected one device. "
            f"Move one of them: {name}.to({str(device)!r}), or layer.to({str(x.device)!r})."
        )


def _check_home(name: str, x: Tensor, weight: Tensor) -> None:
    check_device(name, x, weight.device)
    if x.dtype != weight.dtype and not torch.is_autocast_enabled(x.device.type):
        raise TraceShapeError(
            f"{name} holds {x.dtype} and the layer {weight.dtype}; expected one precision. "
            f"Convert with {name}.to({weight.dtype})."
        )


def check_finite(name: str, x: Tensor) -> None:
    """Refuse NaN and infinite numbers.

    Raises:
        InputError: says how many there are and where the first one is.
    """
    if x.is_meta or math.isfinite(x.detach().sum().item()):  # one pass; a NaN or an infinity survives every sum
        return
    strange = ~torch.isfinite(x)  # like x, True where the number is NaN or infinite
    if not strange.any():
        return  # finite numbers whose sum is too large for this precision
    first = strange.nonzero()[0].tolist()
    raise InputError(
        f"{name} holds {int(strange.sum())} NaN or infinite numbers, the first at {first}; expected finite numbers. "
        "Look for a division by zero, or for a loss that ran away, in what computed it."
    )


def check_mask(mask: Tensor, wanted: tuple[int, ...], device: torch.device) -> None:
    """Refuse a mask that does not broadcast to [B, H, Tq, Tk], or is neither bool nor float.

    Raises:
        MaskError: says which shapes would do; a [B, Tq, Tk] mask is told to name its head axis.
        TraceShapeError: it lies on another device.
    """
    check_device("mask", mask, device)
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise MaskError(
            f"The mask holds {mask.dtype}; expected bool (True = may look) or float (added to the scores). "
            "If 1 means may look, pass mask.bool()."
        )
    if not _broadcasts_to(mask.shape, wanted):
        raise MaskError(
            f"The mask has shape {shape(mask)}; expected [queries, keys] = [{wanted[-2]}, {wanted[-1]}], or one that "
            f"broadcasts to {list(wanted)}. For one mask a text, [batch, queries, keys], pass mask[:, None]: "
            "the axes are batch, head, query, key."
        )


def check_is_token(is_token: Tensor, wanted: tuple[int, ...], device: torch.device) -> None:
    """Refuse an is_token that is not bool [B, Tk].

    Args:
        wanted: B, H, Tq, Tk.
    Raises:
        MaskError: says the shape and kind that were expected.
        TraceShapeError: it lies on another device.
    """
    check_device("is_token", is_token, device)
    expected = (*wanted[:-3], wanted[-1])  # B, Tk
    if is_token.dtype != torch.bool:
        raise MaskError(
            f"is_token holds {is_token.dtype}; expected bool, True where a token stands. If 1 means token, pass "
            "is_token.bool(); torch's key_padding_mask means the opposite, so pass ~key_padding_mask."
        )
    if not _broadcasts_to(is_token.shape, expected):
        raise MaskError(
            f"is_token has shape {shape(is_token)}; expected {list(expected)}, one truth for each token of each text."
        )


def _broadcasts_to(came: torch.Size, wanted: tuple[int, ...]) -> bool:
    try:
        return torch.broadcast_shapes(came, wanted) == torch.Size(wanted)
    except RuntimeError:
        return False
