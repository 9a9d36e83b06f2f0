"""Several linear layers that read the same x, in one product: x [W_Q W_K W_V] is faster than three products.

Each layer keeps its own weights, under its own name. They only come to lie one behind the other in memory, so that
together they are one larger matrix, which a product reads where it lies. cuDNN's recurrent layers are laid out so too.

`safetensors.torch.save_model` refuses weights that share memory; docs/transformer.md says what to write in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.modules.module import _has_any_global_hook

PRODUCT = nn.Linear.forward  # what calling a layer does, as long as nobody puts something else there
OWN = {"weight", "bias"}  # what a Linear holds; its bias is None where it has none
Place = tuple[object, ...]  # where a weight lies and how it is read there


class Block(NamedTuple):
    """The weights of several layers, or their biases, one behind the other."""

    whole: Tensor | None  # [n·out, in] or [n·out]; None where the layers have none
    places: tuple[Place | None, ...]  # of each part, when it was laid


class SideBySide(nn.Module):
    """A module some of whose linear layers lie side by side in memory, also after it was moved or copied.

    Args:
        names: of the layers; their owner makes them, then calls `lay_side_by_side`.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names_side_by_side = names
        self._blocks: tuple[Block, Block] | None = None  # weights and biases; None where they lie apart
        self.register_load_state_dict_post_hook(_let_go)

    def lay_side_by_side(self) -> None:
        """Move the weights, and the biases, of these layers into one block of memory each. No number changes.

        Layers that differ in size, precision or device stay where they are, and so does memory that processes share.
        """
        linears = self._linears()
        if linears is not None and self._blocks is not None and _are_laid(linears, self._blocks):
            return
        self._blocks = None  # lets go of where they lay before
        if linears is None:
            return
        weights, biases = ([linear._parameters[name] for linear in linears] for name in ("weight", "bias"))
        if weights[0] is not None and _can_join(weights) and _can_join(biases):
            self._blocks = _joined(weights), _joined(biases)

    def joint_product(self, x: Tensor) -> Tensor | None:
        """What all of these layers make of x, side by side: x [W_1 W_2 …] + [b_1 b_2 …].

        Args:
            x: [..., T, in].
        Returns:
            [..., T, n·out] of the n layers in their order. None where each layer has to make its own: their weights
            lie apart (loaded or moved one by one), gradients are wanted (each weight has its own), or somebody listens
            to a layer or has put another in its place.
        """
        if torch.is_grad_enabled() or torch.compiler.is_compiling() or torch.jit.is_tracing():
            return None
        linears = self._linears()
        if linears is None:
            return None
        blocks = self._blocks  # another thread may move the layer
        if blocks is None or not _are_laid(linears, blocks):
            return None
        weight, bias = blocks
        assert weight.whole is not None
        return F.linear(x, weight.whole, bias.whole)  # [..., T, n·out]

    def _linears(self) -> list[nn.Linear] | None:
        """The layers, where to call one is its product and nothing else."""
        if _has_any_global_hook() or nn.Linear.forward is not PRODUCT:  # of every layer: a profiler, LoRA by patching
            return None
        linears = []
        for name in self._names_side_by_side:
            linear = self._modules.get(name)
            if type(linear) is not nn.Linear or linear._forward_hooks or linear._forward_pre_hooks:
                return None
            if "forward" in linear.__dict__:  # somebody's own, as accelerate puts it there
                return None
            if not linear._parameters.keys() >= OWN:  # a replica's, or frozen as buffers: found elsewhere
                return None
            linears.append(linear)
        return linears

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Torch's way to a device or precision, which moves one weight after the other."""
        super()._apply(fn, recurse)
        self.lay_side_by_side()
        return self

    def __getstate__(self) -> dict[str, object]:
        """What is copied or pickled: the weights once, as the layers hold them."""
        return self.__dict__ | {"_blocks": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        """What a copied or unpickled module begins with: again one weight after the other."""
        super().__setstate__(state)
        self.lay_side_by_side()


def _are_laid(linears: Sequence[nn.Linear], blocks: tuple[Block, Block]) -> bool:
    """Whether every weight and bias is where it was laid; each can be put elsewhere at any time."""
    for linear, weight, bias in zip(linears, blocks[0].places, blocks[1].places, strict=True):
        own = linear._parameters
        if _place(own["weight"]) != weight or _place(own["bias"]) != bias:
            return False
    return True


def _let_go(module: SideBySide, _: object) -> None:
    """After `load_state_dict(assign=True)`: where the weights lay before is held no longer."""
    linears = module._linears()
    if linears is None or module._blocks is None or not _are_laid(linears, module._blocks):
        module._blocks = None


def _can_join(parts: Sequence[Tensor | None]) -> bool:
    """Whether these can be one tensor, each in a place of its own; or none of the layers has any."""
    there = [part for part in parts if part is not None]  # [out, in] or [out] each
    if len({part.data_ptr() for part in there}) < len(there):  # tied: what is written into one is in the other
        return False
    kinds = {None if part is None else (part.shape, part.dtype, part.device, part.requires_grad) for part in parts}
    shared = any(part.device.type == "cpu" and part.is_shared() for part in there)
    return len(kinds) == 1 and not shared


def _joined(parts: Sequence[Tensor | None]) -> Block:
    """These moved into one block of memory."""
    there = [part for part in parts if part is not None]  # [out, in] or [out] each
    if not there:
        return Block(None, (None,) * len(parts))
    whole = torch.cat([part.detach() for part in there])  # [n·out, in] or [n·out]
    for part, rows in zip(there, whole.chunk(len(there)), strict=True):
        part.data = rows  # [out, in] or [out]
    return Block(whole, tuple(_place(part) for part in parts))


def _place(part: Tensor | None) -> Place | None:
    """Where a weight lies and how it is read there; None where there is none, () where it is no parameter."""
    if part is None:
        return None
    return (part.data_ptr(), part.dtype, part.shape, part.stride()) if type(part) is nn.Parameter else ()
