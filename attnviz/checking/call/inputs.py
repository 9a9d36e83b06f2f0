"""What a candidate is fed: sizes that cannot be mistaken for one another, drawn inputs, masks, the order of axes."""

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


def keys_by_length(batch: int, tokens: int) -> Tensor:
    """bool [B, T_k], True = can attend: text 0 lacks its last token, text 1 its last two, …; the first always stays."""
    lengths = (tokens - 1 - torch.arange(batch)).clamp(min=1)  # [B]
    return torch.arange(tokens) < lengths[:, None]  # [B, T_k]


@dataclass(frozen=True)
class AxisOrder:
    """How [B, T, d_model] is permuted before a call, and its output after it."""

    name: str
    axes: tuple[int, int, int]  # of [B, T, d_model] in their order; its own inverse
    is_single: bool = False  # one text, without the batch axis

    def permuted(self, x: Tensor) -> Tensor:
        """[B, T, d_model] as the candidate takes it."""
        if self.is_single:
            return x[0]  # [T, d_model]
        return x if self.axes == (0, 1, 2) else x.permute(self.axes).contiguous()  # [T, B, d_model] or [B, d_model, T]

    def restored(self, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
        """What came back as [B, T, d_model], where it is a permuted tensor of this shape; anything else as it is."""
        if self.is_single:
            return tensor[None] if tuple(tensor.shape) == shape[1:] else tensor  # [1, T, d_model]
        if self.axes == (0, 1, 2) or tuple(tensor.shape) != tuple(shape[axis] for axis in self.axes):
            return tensor
        return tensor.permute(self.axes)  # [B, T, d_model]


BATCH_FIRST = AxisOrder("[batch, token, feature]", (0, 1, 2))
TOKENS_FIRST = AxisOrder("[token, batch, feature]", (1, 0, 2))
TOKENS_LAST = AxisOrder("[batch, feature, token]", (0, 2, 1))
ONE_TEXT = AxisOrder("[token, feature]", (0, 1, 2), is_single=True)
