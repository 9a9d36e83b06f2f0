"""What may come in as a mask, and the sentence for what may not: it says which axes this layer reads."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.core.checks import shape
from attnviz.core.errors import MaskError
from attnviz.models.support.checks import broadcasts_to, check_device


def check_mask(mask: Tensor, wanted: tuple[int, ...], device: torch.device, name: str = "mask") -> None:
    """Refuse a mask that does not broadcast to [B, H, Tq, Tk], or is neither bool nor float.

    Args:
        wanted: B, H, Tq, Tk. name: of the argument.
    Raises:
        MaskError: says which shapes would do; a [B, Tq, Tk] mask is told to name its head axis.
        TraceShapeError: it lies on another device.
    """
    check_device(name, mask, device)
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise MaskError(
            f"The {name} holds {mask.dtype}; expected bool (True = may look) or float (added to the scores). "
            f"If 1 means may look, pass {name}.bool()."
        )
    if not broadcasts_to(mask.shape, wanted):
        raise MaskError(
            f"The {name} has shape {shape(mask)}; expected [queries, keys] = [{wanted[-2]}, {wanted[-1]}], or one that "
            f"broadcasts to {list(wanted)}. For one mask a text, [batch, queries, keys] as SelfAttention reads "
            f"it, pass {name}[:, None]: the axes here are batch, head, query, key."
        )


def check_is_token(is_token: Tensor, wanted: tuple[int, ...], device: torch.device, name: str = "is_token") -> None:
    """Refuse an is_token that is not bool [B, Tk].

    Args:
        wanted: B, H, Tq, Tk. name: of the argument.
    Raises:
        MaskError: says the shape and kind that were expected.
        TraceShapeError: it lies on another device.
    """
    check_device(name, is_token, device)
    expected = (*wanted[:-3], wanted[-1])  # B, Tk
    if is_token.dtype != torch.bool:
        raise MaskError(
            f"{name} holds {is_token.dtype}; expected bool, True where a token stands. If 1 means token, pass "
            f"{name}.bool(); torch's key_padding_mask means the opposite, so pass ~key_padding_mask."
        )
    # With a cache one column would be read as if it stood for every token before as well.
    if is_token.ndim == 0 or is_token.shape[-1] != expected[-1] or not broadcasts_to(is_token.shape, expected):
        raise MaskError(
            f"{name} has shape {shape(is_token)}; expected {list(expected)}, [batch, keys]: one truth for each "
            "token of each text."
        )


def check_tokens_of(ids: Tensor, is_token: Tensor | None, name: str) -> None:
    """Refuse an is_token that is not bool and of the shape of these ids, [B, T], before it goes by another name.

    Raises:
        MaskError, TraceShapeError: as for `check_is_token`.
    """
    if is_token is not None and isinstance(ids, Tensor) and ids.ndim:  # what else is wrong with ids, the model says
        check_is_token(is_token, (*ids.shape[:-1], 1, 1, ids.shape[-1]), ids.device, name)
