"""The order of axes in which a candidate takes its inputs, where that is not [batch, token, feature]."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class AxisOrder:
    """How [B, T, D] is permuted before a call, and its output after it."""

    name: str
    axes: tuple[int, int, int]  # of [B, T, D] in their order; its own inverse
    is_single: bool = False  # one text, without the batch axis

    def permuted(self, x: Tensor) -> Tensor:
        """[B, T, D] as the candidate takes it."""
        if self.is_single:
            return x[0]  # [T, D]
        return x if self.axes == (0, 1, 2) else x.permute(self.axes).contiguous()  # [T, B, D] or [B, D, T]

    def restored(self, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
        """What came back as [B, T, D], where it is a permuted tensor of this shape; anything else as it is."""
        if self.is_single:
            return tensor[None] if tuple(tensor.shape) == shape[1:] else tensor  # [1, T, D]
        if self.axes == (0, 1, 2) or tuple(tensor.shape) != tuple(shape[axis] for axis in self.axes):
            return tensor
        return tensor.permute(self.axes)  # [B, T, D]


BATCH_FIRST = AxisOrder("[batch, token, feature]", (0, 1, 2))
TOKENS_FIRST = AxisOrder("[token, batch, feature]", (1, 0, 2))
TOKENS_LAST = AxisOrder("[batch, feature, token]", (0, 2, 1))
ONE_TEXT = AxisOrder("[token, feature]", (0, 1, 2), is_single=True)
