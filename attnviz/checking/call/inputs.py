"""What is fed to a stranger's attention: sizes that cannot be mistaken for one another, drawn numbers, masks."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

Inputs = tuple[Tensor, Tensor, Tensor]  # query, key, value


@dataclass(frozen=True)
class Sizes:
    """How large the probe is. No two axes are equally long, so that a mixed-up axis is seen."""

    batch: int
    n_heads: int
    tokens: int
    head_width: int

    @classmethod
    def beside(cls, n_heads: int, head_width: int) -> Sizes:
        """Sizes for a layer of this shape, different from it."""
        taken = {n_heads, head_width, n_heads * head_width}
        batch, tokens = [n for n in (2, 3, 5, 7, 11, 13) if n not in taken][:2]
        return cls(batch, n_heads, tokens if tokens > 3 else 5 if 5 not in taken else 7, head_width)


def draw(shape: tuple[int, ...], seed: int) -> Tensor:
    """Numbers with mean 0 and variance 1, the same on every machine: float64."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def some_mask(tokens: int, seed: int) -> Tensor:
    """bool [T, T], True = may look: every token sees itself and the one before, nobody sees all, not symmetric."""
    allowed = draw((tokens, tokens), seed) > 0  # [T, T]
    places = torch.arange(tokens)
    allowed[places, places] = True
    allowed[places, (places - 1) % tokens] = True
    allowed[places, (places + 1) % tokens] = False
    return allowed


def with_blocked_row(tokens: int, row: int) -> Tensor:
    """bool [T, T], True everywhere but in one row, whose query may look at nothing."""
    allowed = torch.ones(tokens, tokens, dtype=torch.bool)  # [T, T]
    allowed[row] = False
    return allowed


def keys_with_gaps(batch: int, tokens: int) -> Tensor:
    """bool [B, Tk], True = may look: text 0 loses its last token, text 1 its second, and so on in turn.

    A hidden token in the middle tells a mask from a length.
    """
    kept = kept_keys(batch, tokens)  # [B, Tk]
    kept[1::2] = True
    kept[1::2, 1] = False
    return kept


def kept_keys(batch: int, tokens: int) -> Tensor:
    """bool [B, Tk], True = may look: text 0 loses its last token, text 1 its last two, …; the first always stays."""
    lengths = (tokens - 1 - torch.arange(batch)).clamp(min=1)  # [B]
    return torch.arange(tokens) < lengths[:, None]  # [B, Tk]
