"""How matrices are stored: q, k and v in one matrix, and raw parameters, whose axes have no names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

from torch import Tensor

from attnviz.checking.read.parameter_roles import ParameterRole

# The order of the axes along its rows. The first is the usual one; the others are BLOOM's and what einops users write.
EQUAL = ("part head feature", "head part feature", "head feature part", "feature part head")
# Where heads of queries share keys and values: all q, then all k, then all v; or group by group, as in Falcon.
SHARED = ("queries, then shared keys and values", "group part feature")


def fused_orders(roles: Sequence[ParameterRole]) -> list[tuple[str, str]]:
    """Every order of the letters with every order of the axes, the usual one first."""
    if not any(role.role in ("qkv", "kv") for role in roles):
        return [("qkv", EQUAL[0])]
    shared = SHARED if any(role.role == "qkv" for role in roles) else ()
    mixed = ["".join(order) for order in permutations("qkv")][1:]
    return [("qkv", axes) for axes in (*EQUAL, *shared)] + [
        (order, axes) for axes in (EQUAL[0], *shared[:1]) for order in mixed
    ]


def unfused(rows: Tensor, letters: str, n_heads: int, axes: str, q_rows: int) -> tuple[Tensor, ...]:
    """The parts of a fused matrix [rows, in], or of its bias [rows], in the order of the letters; q_rows of them W_Q's.

    Raises a ValueError or RuntimeError where the matrix cannot have its rows in this order (axes, of EQUAL or SHARED).
    """
    if axes == EQUAL[0]:
        if len(rows) % len(letters):
            raise ValueError("the parts differ in size")
        return rows.chunk(len(letters))  # [H·d_k, in] each
    if axes in SHARED:
        return _unfused_groups(rows, letters, n_heads, axes, q_rows)
    head_width = len(rows) // (3 * n_heads) if "q" in letters else q_rows // n_heads
    if not head_width:
        raise ValueError("narrower than the number of heads")
    names = axes.split()
    sizes = {"part": len(letters), "head": len(rows) // (len(letters) * head_width), "feature": head_width}
    split = rows.reshape(*(sizes[name] for name in names), *rows.shape[1:])  # part, head, feature in their order, in
    places = [names.index(name) for name in ("part", "head", "feature")]
    ordered = split.permute(*places, *range(3, split.ndim))  # [part, head, feature, in]
    return tuple(ordered.flatten(1, 2))  # [H·d_k, in] each


def _unfused_groups(rows: Tensor, letters: str, n_heads: int, axes: str, q_rows: int) -> tuple[Tensor, ...]:
    """W_Q [H·d_k, in], and W_K and W_V [G·d_k, in], out of one matrix."""
    head_width, kv_rows = q_rows // n_heads, (len(rows) - q_rows) // 2
    if not head_width or kv_rows <= 0 or kv_rows % head_width or q_rows + 2 * kv_rows != len(rows) or kv_rows == q_rows:
        raise ValueError("no whole number of shared heads")
    if axes == SHARED[0]:
        return rows.split([q_rows if letter == "q" else kv_rows for letter in letters])
    groups = rows.reshape(kv_rows // head_width, -1, head_width, *rows.shape[1:])  # [G, H / G + 2, d_k, in]
    q, k, v = groups[:, :-2], groups[:, -2], groups[:, -1]  # [G, H / G, d_k, in], [G, d_k, in], [G, d_k, in]
    return q.flatten(0, 2), k.flatten(0, 1), v.flatten(0, 1)


@dataclass(frozen=True)
class RawAxes:
    """One way to read the raw matrices of a layer; the defaults are the usual one."""

    is_in_first: bool = True  # with two axes, whether it is used as x W, stored [in, out], and not as x Wᵀ
    are_heads_first: bool = True  # with three axes, whether W_Q is [H, d_model, d_k] and not [d_model, H, d_k]

    def rows(self, tensor: Tensor, role: ParameterRole, n_heads: int) -> Tensor:
        """A raw matrix as [out, in]; a ValueError or RuntimeError where its axes cannot be these."""
        if tensor.ndim == 2:
            return tensor.mT if self.is_in_first else tensor  # [out, in]
        if role.role == "o":
            return tensor.flatten(0, 1).mT  # [H, d_k, d_model] -> [d_model, H·d_k]
        per_head = tensor.permute((0, 2, 1) if self.are_heads_first else (1, 2, 0))  # [H, d_k, d_model]
        if role.role in ("qkv", "kv") or (role.role == "q" and len(per_head) != n_heads):
            raise ValueError("another axis counts the heads")
        return per_head.flatten(0, 1)  # [H·d_k, d_model]


def raw_axes_of(roles: Sequence[ParameterRole], n_axes: dict[str, int]) -> list[RawAxes]:
    """Every way to read these parameters, the usual one first; n_axes: by the name of the parameter."""
    counts = {n_axes[role.name] for role in roles if role.stored == "raw" and role.kind == "weight"}
    return [RawAxes(*axes) for axes in product((True, False)[: 1 + (2 in counts)], (True, False)[: 1 + (3 in counts)])]
