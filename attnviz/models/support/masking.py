"""Who may look at whom: the triangle of a text being written, padding, and a person's own mask, made into one.

In a bool mask True means *may look*. A float mask is added to the scores, −∞ where nobody may look. Axes: batch, head,
query, key.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.core.ops import NEVER
from attnviz.models.support.checks import check_kind, check_size
from attnviz.models.support.mask_checks import check_is_token, check_mask


def causal_mask(n_queries: int, n_keys: int | None = None, *, device: torch.device | None = None) -> Tensor:
    """Who may look where when nobody may look ahead: a triangle of True, the diagonal included.

    Args:
        n_queries: Tq. n_keys: Tk, Tq when left out. With more keys than queries the queries are the last ones, so the
            triangle ends in the lower right corner (as when earlier keys come from a cache).
    Returns:
        [Tq, Tk] bool, True = may look.
    Raises:
        InputError: a length is no whole number, or below 0.
    Source: "Attention Is All You Need" (2017), section 3.2.3, third point.
    """
    n_keys = n_queries if n_keys is None else n_keys
    check_size("n_queries", n_queries, least=0)
    check_size("n_keys", n_keys, least=0)
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)  # [Tq, Tk]


def join_masks(
    mask: Tensor | None,
    *,
    is_causal: bool,
    is_token: Tensor | None,
    shape: tuple[int, ...],
    like: Tensor,
    prefix: str = "",
) -> Tensor | None:
    """One mask that allows what all of them allow.

    A layer joins the masks it is given. A stack joins its own once for all blocks and hands the result down as `mask`,
    to which the layers have nothing to add.

    Args:
        mask, is_causal, is_token: as `MultiHeadAttention.forward` takes them.
        shape: B, H, Tq, Tk.
        like: any tensor of the model; gives device and precision.
        prefix: what the caller's names of mask and is_token begin with, for the sentence of an error.
    Returns:
        broadcasts to [B, H, Tq, Tk]: bool, or float with −∞ where nobody may look; None when all may look anywhere.
    Raises:
        MaskError, TraceShapeError: mask or is_token does not fit, or lies on another device.
    """
    allowed = None
    if is_token is not None:
        check_is_token(is_token, shape, like.device, f"{prefix}is_token")
        allowed = is_token[..., None, None, :]  # [B, Tk] -> [B, 1, 1, Tk]
    check_kind("is_causal", is_causal, bool, "A mask goes in as mask=.")
    if is_causal:
        triangle = causal_mask(shape[-2], shape[-1], device=like.device)  # [Tq, Tk]
        allowed = triangle if allowed is None else allowed & triangle  # [B, 1, Tq, Tk]
    if mask is None:
        return allowed
    check_mask(mask, shape, like.device, f"{prefix}mask")
    if mask.is_floating_point():
        mask = mask.to(like.dtype)  # the same axes
    if allowed is None:
        return mask
    return mask & allowed if mask.dtype == torch.bool else mask.masked_fill(~allowed, NEVER)  # [B, H, Tq, Tk]
