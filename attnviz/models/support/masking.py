"""Which query can attend to which key: the causal triangle, padding and a mask of one's own, joined into one mask.

In a bool mask True means *can attend*. A float mask is added to the scores, −∞ where a query cannot attend. The axes
are batch, head, query, key.
"""

import torch
from torch import Tensor

from attnviz.core.errors import MaskError, TraceShapeError
from attnviz.core.ops import NEVER
from attnviz.core.tensor_checks import check_dense, check_mask
from attnviz.core.tensor_checks import shape as shape_of


def causal_mask(
    n_queries: int, n_keys: int | None = None, *, window: int | None = None, device: torch.device | None = None
) -> Tensor:
    """A triangle of True, diagonal included: each query can attend to its own position and to those before it.

    Args:
        n_queries: T_q.
        n_keys: T_k; T_q when left out. With more keys than queries the queries are the last tokens (a cache holds the
            keys before them), so the triangle ends in the lower right corner.
        window: how many keys a query can attend to at most, its own included; a band instead of a triangle.
    Returns:
        [T_q, T_k] bool, True = can attend.
    Source: "Attention Is All You Need" (2017), section 3.2.3; window: Beltagy et al. 2020, section 3.1.
    """
    n_keys = n_queries if n_keys is None else n_keys
    allowed = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)  # [T_q, T_k]
    return allowed if window is None else allowed.triu(n_keys - n_queries - window + 1)  # [T_q, T_k]


def join_masks(
    mask: Tensor | None,
    *,
    is_causal: bool,
    is_token: Tensor | None,
    shape: tuple[int, ...],
    device: torch.device,
    name: str = "is_token",
    window: int | None = None,
) -> Tensor | None:
    """One mask that allows what all of them allow.

    Args:
        mask, is_causal, is_token: as `MultiHeadAttention.forward` takes them.
        shape: of the scores, [B, H, T_q, T_k]. device: where they are.
        name: what errors call is_token. window: of `causal_mask`, where is_causal.
    Returns:
        broadcasts to the scores: bool, or float with −∞ where a query cannot attend; None where nothing is masked.
    """
    allowed = None
    if is_token is not None:
        _check_is_token(name, is_token, (*shape[:-3], shape[-1]), device)
        allowed = is_token[..., None, None, :]  # [B, T_k] -> [B, 1, 1, T_k]
    if is_causal:
        triangle = causal_mask(shape[-2], shape[-1], window=window, device=device)  # [T_q, T_k]
        allowed = triangle if allowed is None else allowed & triangle  # [B, 1, T_q, T_k]
    if mask is None or allowed is None:
        return allowed if mask is None else mask
    check_mask("mask", mask, shape)
    _check_device("mask", mask, device)
    return mask & allowed if mask.dtype == torch.bool else mask.masked_fill(~allowed, NEVER)  # [B, H, T_q, T_k]


def _check_is_token(name: str, is_token: Tensor, expected: tuple[int, ...], device: torch.device) -> None:
    """Refuse an is_token that is not bool [B, T_k]."""
    check_dense(name, is_token)
    _check_device(name, is_token, device)
    if is_token.dtype != torch.bool:
        raise MaskError(id="is-token-dtype", name=name, came=str(is_token.dtype))
    # One column would broadcast; with a cache it would then stand for every token read before.
    if is_token.shape[-1:] != expected[-1:] or is_token.shape[:-1] not in (expected[:-1], (1,)):
        raise MaskError(id="is-token-shape", name=name, shape=shape_of(is_token), expected=str(list(expected)))


def _check_device(name: str, part: Tensor, device: torch.device) -> None:
    if part.device != device:
        raise TraceShapeError(id="other-device", name=name, came=str(part.device), expected=str(device))
