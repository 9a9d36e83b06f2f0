"""Checks of sizes, token ids and memory. The tensors that attention reads are checked in core/tensor_checks.py."""

import math
from numbers import Integral

import torch
from torch import Tensor

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.core.tensor_checks import check_dense, shape


def check_ids(what: str, ids: Tensor, size: int, device: torch.device) -> None:
    """Refuse ids that are not in a table of `size` rows. Torch's own error is "index out of range in self".

    Args:
        what: "token id" or "token type".
        ids: [..., T].
        device: where the table is.
    """
    check_dense(f"{what}s", ids)
    if ids.dtype not in (torch.int64, torch.int32):
        raise InputError(f"{what}s came as {ids.dtype}; expected torch.int64 or torch.int32. Convert with .long().")
    if ids.device != device:
        raise TraceShapeError(f"{what}s are on {ids.device}, the model on {device}. Move one of them with .to().")
    if ids.ndim == 0:
        raise TraceShapeError(f"{what}s came as a single number; expected [batch, tokens]. Pass ids[None, None].")
    if ids.numel() == 0:
        raise InputError(f"no {what}s came, shape {shape(ids)}; expected at least one token. Type some text.")
    lowest, highest = (int(bound) for bound in torch.aminmax(ids))
    if lowest < 0 or highest >= size:
        raise InputError(
            f"{what} {lowest if lowest < 0 else highest} came; expected 0 to {size - 1}. "
            f"Encode the text with this model's own vocabulary of {size}."
        )


def check_types(types: Tensor, ids: Tensor, n_types: int) -> None:
    """Refuse token types that do not belong to these ids, [..., T]."""
    if not n_types:
        raise InputError("token types came; this model has none (n_token_types=0). Leave types out.")
    check_ids("token type", types, n_types, ids.device)
    if types.shape != ids.shape:
        raise TraceShapeError(
            f"token types have shape {shape(types)}, ids {shape(ids)}; expected one type for each id."
        )


def check_memory(memory: Tensor | None, mask: Tensor | None, *, has_cross: bool) -> None:
    """Refuse a decoder with cross-attention and no memory [B, Ts, d_model], and memory or a mask for one without."""
    if has_cross and memory is None:
        raise InputError(
            "this decoder attends to a second text (has_cross=True), and no memory was passed. Pass the encoder's "
            "output."
        )
    if not has_cross and not (memory is None and mask is None):
        raise InputError(
            "this decoder reads one text (has_cross=False), and memory or a mask of memory was passed. Leave it out, "
            "or build the decoder with has_cross=True."
        )


def check_size(name: str, came: object, least: int = 1) -> None:
    """Refuse a size that is not a whole number of at least `least`."""
    if not isinstance(came, Integral) or isinstance(came, bool) or came < least:
        raise InputError(f"{name} is {came!r}; expected a whole number of at least {least}.")


def check_number(name: str, came: object, below: float = math.inf) -> None:
    """Refuse what is not a number from 0 up to, but not including, `below`."""
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < below:
        top = "" if below == math.inf else f" and below {below}"
        raise InputError(f"{name} is {came!r}; expected a number of at least 0{top}. Check where it comes from.")


def check_positive(**came: float | None) -> None:
    """Refuse what is not a finite number above 0; None stands for "none"."""
    for name, number in came.items():
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        if number is not None and not (is_number and 0 < number < math.inf):
            raise InputError(f"{name} is {number!r}; expected a number above 0. Check where it comes from.")


def check_groups(n_heads: int, n_kv_heads: int | None) -> None:
    """Refuse key heads that query heads cannot share evenly."""
    if n_kv_heads is None:
        return
    check_size("n_kv_heads", n_kv_heads)
    if n_heads % n_kv_heads:
        raise InputError(
            f"n_heads={n_heads} is not divisible by n_kv_heads={n_kv_heads}; expected as many query heads for each key "
            "head. Choose a divisor."
        )


def check_heads(d_model: int, n_heads: int) -> None:
    """Refuse heads that do not divide the width into equal parts."""
    check_size("d_model", d_model)
    check_size("n_heads", n_heads)
    if d_model % n_heads:
        fits = n_heads * -(-d_model // n_heads)
        raise InputError(
            f"d_model={d_model} is not divisible by n_heads={n_heads}. Choose d_model={fits}, or other heads."
        )
