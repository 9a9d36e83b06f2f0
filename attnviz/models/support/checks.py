"""Checks of sizes, choices and token ids. The tensors that attention reads are checked in core/checks.py."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral

import torch
from torch import Tensor

from attnviz.core.checks import check_dense, shape
from attnviz.core.errors import InputError, TraceShapeError


def check_ids(what: str, ids: Tensor, size: int, device: torch.device) -> None:
    """Refuse ids that are not in a table of `size` rows. Torch's own error is "index out of range in self".

    Args:
        what: "token id" or "token type".
        ids: [..., T].
        device: where the table is.
    Raises:
        InputError: no tensor of whole numbers, no id at all, or one without a row.
        TraceShapeError: no axis of tokens, or another device.
    """
    check_dense(f"{what}s", ids)
    if ids.dtype not in (torch.int64, torch.int32):
        raise InputError(f"{what}s came as {ids.dtype}; expected torch.int64 or torch.int32. Convert with .long().")
    if ids.device != device:
        raise TraceShapeError(f"{what}s are on {ids.device}, the model on {device}. Move one of them with .to().")
    if ids.ndim == 0:
        raise TraceShapeError(f"one {what} came without an axis; expected [batch, tokens]. Pass ids[None, None].")
    if ids.numel() == 0:
        raise InputError(f"no {what}s came, shape {shape(ids)}; expected at least one token. Type some text.")
    lowest, highest = (int(bound) for bound in torch.aminmax(ids))
    if lowest < 0 or highest >= size:
        raise InputError(
            f"{what} {lowest if lowest < 0 else highest} came; expected 0 to {size - 1}. "
            f"Encode the text with this model's own vocabulary of {size}."
        )


def check_types(types: Tensor, ids: Tensor, n_types: int) -> None:
    """Refuse token types that do not belong to these ids, [..., T].

    Raises:
        InputError: the model has no token types, or not this one.
        TraceShapeError: not one type for each id, or another device.
    """
    if not n_types:
        raise InputError("token types came; this model has none (n_token_types=0). Leave types out.")
    check_ids("token type", types, n_types, ids.device)
    if types.shape != ids.shape:
        raise TraceShapeError(
            f"token types have shape {shape(types)}, ids {shape(ids)}; expected one type for each id."
        )


def check_memory(*memory: Tensor | None, has_cross: bool) -> None:
    """Refuse a decoder with cross-attention and no memory, and memory or its masks for one without.

    Args:
        memory: [B, Ts, d_model], the encoder's output, then its masks.
    Raises:
        InputError: says which.
    """
    if has_cross and memory[0] is None:
        raise InputError(
            "no memory came; this decoder attends to a second text (has_cross=True). Pass the encoder's output."
        )
    if not has_cross and any(part is not None for part in memory):
        raise InputError(
            "memory, or a mask for it, came; this decoder reads one text (has_cross=False). Leave it out, or build the "
            "decoder with has_cross=True."
        )


def check_choice(name: str, came: object, expected: Iterable[str], advice: str = "Check the spelling.") -> None:
    """Refuse a word that is not one of the expected ones.

    Raises:
        InputError: names them all, and what came.
    """
    known = tuple(expected)
    if not (isinstance(came, str) and came in known):
        raise InputError(f"{name} is {came!r}; expected one of {', '.join(map(repr, known))}. {advice}")


def check_kind(name: str, came: object, kind: type, advice: str) -> None:
    """Refuse what is not an object of this class.

    Raises:
        InputError: says what came.
    """
    if not isinstance(came, kind):
        raise InputError(f"{name} came as {type(came).__name__}; expected a {kind.__name__}. {advice}")


def check_size(name: str, came: object, least: int = 1) -> None:
    """Refuse a size that is not a whole number of at least `least`.

    Raises:
        InputError: says what came.
    """
    if not isinstance(came, Integral) or isinstance(came, bool):
        raise InputError(f"{name} is {came!r}; expected a whole number. Convert it with int().")
    if came < least:
        raise InputError(f"{name} is {came}; expected at least {least}. Choose a larger number.")


def check_number(name: str, came: object, below: float = math.inf) -> None:
    """Refuse what is not a number from 0 up to, but not including, `below`.

    Raises:
        InputError: says what came.
    """
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < below:
        top = "" if below == math.inf else f" and below {below}"
        raise InputError(f"{name} is {came!r}; expected a number of at least 0{top}. Check where it comes from.")
