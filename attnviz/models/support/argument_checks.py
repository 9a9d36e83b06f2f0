"""Checks of sizes, token ids and memory. The tensors that attention reads are checked in core/tensor_checks.py."""

import math

import torch
from torch import Tensor

from attnviz.core.errors import InputError, TraceShapeError
from attnviz.core.tensor_checks import check_dense, check_size, shape


def check_ids(name: str, ids: Tensor, size: int, device: torch.device) -> None:
    """Refuse ids that are not in a table of `size` rows. Torch's own error is "index out of range in self".

    Args:
        name: of the argument, "ids" or "types".
        ids: [..., T].
        device: where the table is.
    """
    check_dense(name, ids)
    if ids.dtype not in (torch.int64, torch.int32):
        raise InputError(id="ids-dtype", name=name, came=str(ids.dtype))
    if ids.device != device:
        raise TraceShapeError(id="other-device", name=name, came=str(ids.device), expected=str(device))
    if ids.ndim == 0:
        raise TraceShapeError(id="ids-single", name=name)
    if ids.numel() == 0:
        raise InputError(id="no-tokens-given", name=name, shape=shape(ids))
    lowest, highest = (int(bound) for bound in torch.aminmax(ids))
    if lowest < 0 or highest >= size:
        raise InputError(
            id="ids-beyond-vocabulary", name=name, came=str(lowest if lowest < 0 else highest), last=str(size - 1)
        )


def check_types(types: Tensor, ids: Tensor, n_types: int) -> None:
    """Refuse token types that do not belong to these ids, [..., T]."""
    if not n_types:
        raise InputError(id="no-types")
    check_ids("types", types, n_types, ids.device)
    if types.shape != ids.shape:
        raise TraceShapeError(id="types-shape", types=shape(types), ids=shape(ids))


def check_memory(memory: Tensor | None, mask: Tensor | None, *, has_cross: bool) -> None:
    """Refuse a decoder with cross-attention and no memory [B, Ts, d_model], and memory or a mask for one without."""
    if has_cross and memory is None:
        raise InputError(id="no-memory")
    if not has_cross and not (memory is None and mask is None):
        raise InputError(id="memory-not-read")


def check_number(name: str, came: object, below: float = math.inf) -> None:
    """Refuse what is not a number from 0 up to, but not including, `below`."""
    if isinstance(came, bool) or not isinstance(came, int | float) or not 0 <= came < below:
        raise InputError(
            id="no-number-from-zero" if below == math.inf else "no-number-below",
            name=name,
            came=repr(came),
            below=str(below),
        )


def check_positive(**came: float | None) -> None:
    """Refuse what is not a finite number above 0; None stands for "none"."""
    for name, number in came.items():
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        if number is not None and not (is_number and 0 < number < math.inf):
            raise InputError(id="no-number-above-zero", name=name, came=repr(number))


def check_groups(n_heads: int, n_kv_heads: int | None) -> None:
    """Refuse key heads that query heads cannot share evenly."""
    if n_kv_heads is None:
        return
    check_size("n_kv_heads", n_kv_heads)
    if n_heads % n_kv_heads:
        raise InputError(id="groups-do-not-divide", n_heads=str(n_heads), n_kv_heads=str(n_kv_heads))


def check_heads(d_model: int, n_heads: int) -> None:
    """Refuse heads that do not divide the width into equal parts."""
    check_size("d_model", d_model)
    check_size("n_heads", n_heads)
    if d_model % n_heads:
        fits = n_heads * -(-d_model // n_heads)
        raise InputError(id="heads-do-not-divide", d_model=str(d_model), n_heads=str(n_heads), fits=str(fits))
