"""Several linear layers that read the same x, in one product: x [W_Q W_K W_V] is faster than three products.

Each layer keeps its own weights, under its own name. They only come to lie one behind the other in memory, so that
together they are one larger matrix, which a product reads where it lies. cuDNN's recurrent layers are laid out so too.

`safetensors.torch.save_model` refuses weights that share memory: write `save_file(module.state_dict(), path)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.modules.module import _has_any_global_hook


class SideBySide(nn.Module):
    """A module some of whose linear layers lie side by side in memory, also after it was moved or copied.

    Args:
        names: of the layers; their owner makes them, then calls `lay_side_by_side`.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names_side_by_side = names
        self._blocks: dict[str, Tensor] = {}  # "weight" and "bias" of all of them, [n·out, in] and [n·out]

    def lay_side_by_side(self) -> None:
        """Move the weights, and the biases, of these layers into one block of memory each. No number changes.

        Layers that differ in size, precision or device stay where they are, and so does memory that processes share.
        """
        linears = self._linears()
        if linears is None:
            return
        for name in ("weight", "bias"):
            parts = [linear._parameters.get(name) for linear in linears]  # [out, in] or [out] each
            if not _can_join(parts) or self._block(name, linears) is not None:
                continue
            block = torch.cat([part.detach() for part in parts if part is not None])  # [n·out, in] or [n·out]
            for part, rows in zip(parts, block.chunk(len(parts)), strict=True):
                assert part is not None
                part.data = rows  # [out, in] or [out]
            self._blocks[name] = block

    def joint_product(self, x: Tensor) -> Tensor | None:
        """What all of these layers make of x, side by side: x [W_1 W_2 …] + [b_1 b_2 …].

        Args:
            x: [..., T, in].
        Returns:
            [..., T, n·out] of the n layers in their order. None where each layer has to make its own: their weights
            lie apart (loaded or moved one by one), gradients are wanted (each weight has its own), or somebody listens
            to a layer or has put another in its place.
        """
        if torch.is_grad_enabled() or torch.compiler.is_compiling() or (linears := self._linears()) is None:
            return None
        weight, bias = self._block("weight", linears), self._block("bias", linears)  # [n·out, in], [n·out]
        if weight is None or (bias is None) != (linears[0].bias is None):
            return None
        return F.linear(x, weight, bias)  # [..., T, n·out]

    def _linears(self) -> list[nn.Linear] | None:
        """The layers, where to call one is its product and nothing else."""
        if _has_any_global_hook():  # somebody listens to every layer there is: a profiler, a counter of operations
            return None
        linears = []
        for name in self._names_side_by_side:
            linear = self._modules.get(name)
            if type(linear) is not nn.Linear or linear._forward_hooks or linear._forward_pre_hooks:
                return None
            if "forward" in linear.__dict__:  # somebody's own, as accelerate puts it there
                return None
            linears.append(linear)
        return linears

    def _block(self, name: str, linears: Sequence[nn.Linear]) -> Tensor | None:
        """What all layers hold under this name as one tensor; None where a part was put elsewhere since it was laid."""
        block = self._blocks.get(name)  # [n·out, in] or [n·out]
        if block is None:
            return None
        place, size, rows = block.data_ptr(), block.nbytes // len(linears), len(block) // len(linears)
        for part in [linear._parameters.get(name) for linear in linears]:  # a replica has none
            if type(part) is not nn.Parameter or part.data_ptr() != place or not part.is_contiguous():
                return None
            if part.dtype is not block.dtype or part.shape[0] != rows or part.shape[1:] != block.shape[1:]:
                return None
            place += size
        return block

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Torch's way to a device or precision, which moves one weight after the other."""
        super()._apply(fn, recurse)
        self.lay_side_by_side()
        return self

    def __getstate__(self) -> dict[str, object]:
        """What is copied or pickled: the weights once, as the layers hold them."""
        return self.__dict__ | {"_blocks": {}}

    def __setstate__(self, state: dict[str, object]) -> None:
        """What a copied or unpickled module begins with: again one weight after the other."""
        super().__setstate__(state)
        self.lay_side_by_side()


def _can_join(parts: Sequence[Tensor | None]) -> bool:
    kinds = {None if part is None else (part.shape, part.dtype, part.device, part.requires_grad) for part in parts}
    shared = any(part is not None and part.device.type == "cpu" and part.is_shared() for part in parts)
    return len(kinds) == 1 and None not in kinds and not shared
