"""Refuses what cannot be checked, in words: a class, a number of heads that is none, a word that is no convention."""

from __future__ import annotations

from typing import get_args

from torch import nn

from attnviz.checking.call.mask_format import MaskMeans
from attnviz.checking.read.layouts import layouts_of
from attnviz.core.errors import InputError


def refuse(
    candidate: object, n_heads: int | None, mask_means: str | None, reference: object
) -> None:  # fmt: skip
    """Raise an InputError where an argument cannot be what is meant."""
    came = type(candidate).__name__
    if isinstance(candidate, type):
        raise InputError(
            f"{candidate.__name__} is a class; expected a layer made from it. Pass {candidate.__name__}(…).",
            id="check-class", name=candidate.__name__,
        )  # fmt: skip
    if not callable(candidate):
        raise InputError(
            f"check_attention got {came}; expected a torch module or a function f(q, k, v, mask). Pass the layer.",
            id="check-not-callable", came=came,
        )  # fmt: skip
    if mask_means is not None and mask_means not in get_args(MaskMeans):
        raise InputError(
            f"mask_means is {mask_means!r}; expected 'may look', 'may not look' or 'added'. Say what True "
            "in your mask means.",
            id="check-mask-means", came=str(mask_means),
        )  # fmt: skip
    if reference is not None and not isinstance(reference, nn.Module):
        raise InputError(
            f"reference is {type(reference).__name__}; expected a torch module, whose weights can be read. Leave it "
            "out to compare with ours alone.",
            id="check-reference", came=type(reference).__name__,
        )  # fmt: skip
    if n_heads is not None and (isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads < 1):
        raise InputError(
            f"n_heads is {n_heads}; expected a whole number of at least 1. Say how many heads your layer has.",
            id="check-heads", n=str(n_heads),
        )  # fmt: skip


def refuse_heads(module: nn.Module, n_heads: int) -> None:
    """Raise an InputError where the queries cannot be split into that many heads."""
    layouts = layouts_of(module)
    width = layouts[0].n_heads * layouts[0].head_width if layouts else 0
    if width % n_heads:
        raise InputError(
            f"n_heads={n_heads} does not divide the {width} features of the queries; expected heads of equal width. "
            "Say how many heads your layer has.",
            id="check-heads-width", n=n_heads, width=width,
        )  # fmt: skip
