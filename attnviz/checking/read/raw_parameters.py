"""How bare parameters are read, which say nothing of what their axes mean: each way that people use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from torch import Tensor

from attnviz.checking.read.parameter_roles import Part

HEAD_AXES = {"q": 3, "qkv": 4}  # how many axes a bare matrix has that has one for heads
_TURNS: dict[str, tuple[int, int, int]] = {  # to [head, out, in]
    "head in out": (0, 2, 1), "in head out": (1, 2, 0), "head out in": (0, 1, 2),
}  # fmt: skip
_OUT_TURNS: dict[str, tuple[int, int, int]] = {  # of W_O, to [out, head, in]
    "head in out": (2, 0, 1), "head out in": (1, 0, 2), "out head in": (0, 1, 2),
}  # fmt: skip


@dataclass(frozen=True)
class Bare:
    """One way to read all bare matrices of a layer; the first of each is the usual one."""

    flat: Literal["in out", "out in"] = "in out"  # two axes: used as x W or as x Wᵀ
    of_heads: str = "head in out"  # three: a key of _TURNS
    out: str = "head in out"  # W_O with three: a key of _OUT_TURNS

    def rows(self, tensor: Tensor, part: Part, n_heads: int) -> Tensor:
        """A bare matrix as [out, in].

        Raises:
            ValueError, RuntimeError: its axes cannot be these.
        """
        if tensor.ndim == 2:
            return tensor.mT if self.flat == "in out" else tensor  # [out, in]
        if part.role == "o":
            return tensor.permute(*_OUT_TURNS[self.out]).flatten(1)  # [D, H·Dh]
        if tensor.ndim == 3 and part.role in ("qkv", "kv"):
            parts = tensor.mT if self.flat == "in out" else tensor  # [3, out, D]
            return parts.flatten(0, 1)  # [3·out, D]
        if tensor.ndim == 4:
            places = (0, 1, 3, 2) if self.flat == "in out" else (1, 2, 3, 0)
            ordered = tensor.permute(*places)  # [3, H, Dh, D] from [3, H, D, Dh] or [D, 3, H, Dh]
            return _checked(ordered, 1, part, n_heads).flatten(0, 2)  # [3·H·Dh, D]
        ordered = tensor.permute(*_TURNS[self.of_heads])  # [H, Dh, D]
        return _checked(ordered, 0, part, n_heads).flatten(0, 1)  # [H·Dh, D]


def _checked(ordered: Tensor, axis: int, part: Part, n_heads: int) -> Tensor:
    if part.role in ("q", "qkv") and ordered.shape[axis] != n_heads:
        raise ValueError("the axis for heads is another one")
    return ordered


def ways_of(parts: Sequence[Part], axes: dict[str, int]) -> list[Bare]:
    """Every way to read these parts, the usual one first; axes: how many each parameter has, by its name."""
    bare = [part for part in parts if part.stored == "raw" and part.kind == "weight"]
    has_heads = any(part.role in "qkv" and axes[part.name] == 3 for part in bare)
    has_flat = any(axes[part.name] == 2 or part.role in ("qkv", "kv") for part in bare)
    has_out = any(part.role == "o" and axes[part.name] == 3 for part in bare)
    flats: tuple[Literal["in out", "out in"], ...] = ("in out", "out in") if has_flat else ("in out",)
    of_heads = tuple(_TURNS) if has_heads else ("head in out",)
    outs = tuple(_OUT_TURNS) if has_out else ("head in out",)
    return [Bare(flat, turn, out) for flat, turn, out in product(flats, of_heads, outs)]
