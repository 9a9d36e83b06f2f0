"""In which order a candidate wants the axes of its inputs, where that is not [batch, token, feature]."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Arrangement:
    """How [B, T, D] is turned before the call, and what comes back is turned after it."""

    said: str
    axes: tuple[int, int, int]  # of [B, T, D] in their order; its own inverse
    is_single: bool = False  # one text, without the batch axis

    def given(self, x: Tensor) -> Tensor:
        """[B, T, D] as they want it."""
        if self.is_single:
            return x[0]  # [T, D]
        return x if self.axes == (0, 1, 2) else x.permute(self.axes).contiguous()  # [T, B, D] or [B, D, T]

    def back(self, tensor: Tensor, wants: tuple[int, ...]) -> Tensor:
        """What came back, as [B, T, D] where it has their shape of that; anything else as it is."""
        if self.is_single:
            return tensor[None] if tuple(tensor.shape) == wants[1:] else tensor  # [1, T, D]
        if self.axes == (0, 1, 2):
            return tensor
        is_turned = tuple(tensor.shape) == tuple(wants[axis] for axis in self.axes)
        return tensor.permute(self.axes) if is_turned else tensor  # [B, T, D]


BATCH_FIRST = Arrangement("[batch, token, feature]", (0, 1, 2))
TOKENS_FIRST = Arrangement("[token, batch, feature]", (1, 0, 2))
TOKENS_LAST = Arrangement("[batch, feature, token]", (0, 2, 1))
ONE_TEXT = Arrangement("[token, feature]", (0, 1, 2), is_single=True)
