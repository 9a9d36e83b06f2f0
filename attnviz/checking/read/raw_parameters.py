"""Raw parameters say nothing of what their axes mean: every way in which people use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from torch import Tensor

from attnviz.checking.read.parameter_roles import ParameterRole

_PER_HEAD: dict[str, tuple[int, int, int]] = {  # how W_Q, W_K, W_V of three axes are permuted to [head, out, in]
    "head in out": (0, 2, 1), "in head out": (1, 2, 0), "head out in": (0, 1, 2),
}  # fmt: skip
_OUT: dict[str, tuple[int, int, int]] = {  # and W_O to [out, head, in]
    "head in out": (2, 0, 1), "head out in": (1, 0, 2), "out head in": (0, 1, 2),
}  # fmt: skip


@dataclass(frozen=True)
class RawAxes:
    """One way to read all raw matrices of a layer; the defaults are the usual one."""

    is_in_first: bool = True  # with two axes, whether it is used as x W, stored [in, out], and not as x Wᵀ
    per_head: str = "head in out"  # with three axes: a key of _PER_HEAD
    out: str = "head in out"  # of W_O with three axes: a key of _OUT

    def rows(self, tensor: Tensor, role: ParameterRole, n_heads: int) -> Tensor:
        """A raw matrix as [out, in].

        Raises:
            ValueError, RuntimeError: its axes cannot be these.
        """
        if tensor.ndim == 2:
            return tensor.mT if self.is_in_first else tensor  # [out, in]
        if role.role == "o":
            return tensor.permute(*_OUT[self.out]).flatten(1)  # [D, H·Dh]
        if role.role in ("qkv", "kv"):
            return (tensor.mT if self.is_in_first else tensor).flatten(0, 1)  # [3·out, in]
        per_head = tensor.permute(*_PER_HEAD[self.per_head])  # [H, Dh, D]
        if role.role == "q" and len(per_head) != n_heads:
            raise ValueError("another axis counts the heads")
        return per_head.flatten(0, 1)  # [H·Dh, D]


def raw_axes_of(roles: Sequence[ParameterRole], n_axes: dict[str, int]) -> list[RawAxes]:
    """Every way to read these parameters, the usual one first; n_axes: by the name of the parameter."""
    raw = [role for role in roles if role.stored == "raw" and role.kind == "weight"]
    has_heads = any(role.role in "qkv" and n_axes[role.name] == 3 for role in raw)
    has_flat = any(n_axes[role.name] == 2 or role.role in ("qkv", "kv") for role in raw)
    has_out = any(role.role == "o" and n_axes[role.name] == 3 for role in raw)
    firsts = (True, False) if has_flat else (True,)
    per_head = list(_PER_HEAD) if has_heads else ["head in out"]
    outs = list(_OUT) if has_out else ["head in out"]
    return [RawAxes(*axes) for axes in product(firsts, per_head, outs)]
