"""What a candidate is fed: sizes that cannot be mistaken for one another, drawn inputs, masks."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

Inputs = tuple[Tensor, Tensor, Tensor]  # query, key, value


@dataclass(frozen=True)
class Sizes:
    """The sizes of the inputs. No two axes are equally long, so that a mixed-up axis shows."""

    batch: int
    n_heads: int
    tokens: int
    head_width: int

    @classmethod
    def unlike(cls, n_heads: int, head_width: int) -> Sizes:
        """Sizes for a layer of this shape, none of them the same as one of its own."""
        taken = {n_heads, head_width, n_heads * head_width}
        batch, tokens = [n for n in (2, 3, 5, 7, 11, 13) if n not in taken][:2]
        return cls(batch, n_heads, tokens if tokens > 3 else 5 if 5 not in taken else 7, head_width)


def draw(shape: tuple[int, ...], seed: int) -> Tensor:
    """Normal numbers in float64, the same on every machine."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def some_mask(tokens: int, seed: int) -> Tensor:
    """bool [T, T], True = can attend: each token to itself and the one before, none to all; not symmetric."""
    allowed = draw((tokens, tokens), seed) > 0  # [T, T]
    places = torch.arange(tokens)
    allowed[places, places] = True
    allowed[places, (places - 1) % tokens] = True
    allowed[places, (places + 1) % tokens] = False
    return allowed


def triangle(tokens: int) -> Tensor:
    """The causal mask: bool [T, T], True = can attend."""
    return torch.ones(tokens, tokens, dtype=torch.bool).tril()


def keys_by_length(batch: int, tokens: int) -> Tensor:
    """bool [B, Tk], True = can attend: text 0 lacks its last token, text 1 its last two, …; the first always stays."""
    lengths = (tokens - 1 - torch.arange(batch)).clamp(min=1)  # [B]
    return torch.arange(tokens) < lengths[:, None]  # [B, Tk]


def keys_with_gaps(batch: int, tokens: int) -> Tensor:
    """The same, but every second text lacks its second token, which no length says."""
    kept = keys_by_length(batch, tokens)  # [B, Tk]
    kept[1::2] = True
    kept[1::2, 1] = False
    return kept
