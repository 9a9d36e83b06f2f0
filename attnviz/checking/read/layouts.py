"""Every way to read a module's parameters as W_Q, W_K, W_V and W_O.

A fused matrix may hold q, k and v one after the other or head by head, and a raw parameter may be used as x W or x Wᵀ.
Each way is a `Layout`; the one that reproduces the module's output is the one the module uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor, nn

from attnviz.checking.read.parameter_roles import ParameterRole, roles_of

HEAD_NAMES = (
    "n_heads", "num_heads", "n_head", "nhead", "heads", "h", "H", "num_attention_heads", "n_attention_heads", "nheads",
    "num_head", "head_num", "number_of_heads",
)  # fmt: skip
WIDTH_NAMES = ("head_dim", "d_head", "head_size", "d_k", "dim_head", "head_width", "attention_head_size")

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Projections:
    """W_Q, W_K, W_V and W_O by their letters; without "o" the joined heads are the output."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each, where there is one
    n_heads: int

    @property
    def head_width(self) -> int:
        """d_k, the width of one head's queries and keys."""
        return self.weight["q"].shape[0] // self.n_heads

    @property
    def value_width(self) -> int:
        """d_v, the width of one head's values."""
        return self.weight["v"].shape[0] // self.n_groups

    @property
    def n_groups(self) -> int:
        """G, the heads of keys and values; fewer than n_heads where several heads of queries share them."""
        return self.weight["k"].shape[0] // self.head_width


# How the rows of a fused matrix lie: all queries, then all keys, then all values; head by head, as in BLOOM; or as the
# first, with fewer rows for keys and values that heads of queries share.
FusedOrder = Literal["part by part", "head by head", "shared"]


def unfused(rows: Tensor, n_parts: int, n_heads: int, order: FusedOrder, q_rows: int) -> tuple[Tensor, ...]:
    """The parts of a fused matrix [rows, in], or of its bias [rows]: W_Q, W_K and W_V, or the last two.

    Raises a ValueError or RuntimeError where the rows cannot lie in this order. q_rows: how many are W_Q's.
    """
    if order == "shared":
        kv_rows = (len(rows) - q_rows) // 2
        if not 0 < kv_rows < q_rows:
            raise ValueError("no whole number of shared heads")
        return rows.split([q_rows, kv_rows, kv_rows])  # [H·d_k, in], [G·d_k, in], [G·d_k, in]
    if len(rows) % n_parts:
        raise ValueError("the parts differ in size")
    if order == "part by part":
        return rows.chunk(n_parts)  # [H·d_k, in] each
    head_width = len(rows) // (3 * n_heads) if n_parts == 3 else q_rows // n_heads
    heads = rows.unflatten(0, (-1, n_parts, head_width))  # [H, part, d_k, in]
    return tuple(part.flatten(0, 1) for part in heads.unbind(1))  # [H·d_k, in] each


@dataclass(frozen=True)
class Layout:
    """One way to read a module's parameters."""

    roles: tuple[ParameterRole, ...]
    n_heads: int
    q_rows: int  # of the matrices that make the queries
    is_in_first: bool  # whether raw matrices are stored [in, out], and used as x W
    order: FusedOrder  # of the rows of a fused matrix

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(role.name for role in self.roles)

    def build(self, parameters: Mapping[str, Tensor]) -> Projections:
        """The four matrices; a ValueError or RuntimeError where the shapes cannot be these."""
        weight: dict[str, Tensor] = {}
        bias: dict[str, Tensor] = {}
        for kind, table in (("weight", weight), ("bias", bias)):
            for role in ("q", "k", "v", "o", "qkv", "kv"):
                these = [self._rows(parameters[one.name], one) for one in self.roles
                         if one.kind == kind and one.role == role]  # fmt: skip
                if not these:
                    continue
                if table.keys() & set(role):
                    raise ValueError("two biases of one projection")
                rows = torch.cat(these)  # [out, in] or [out]
                is_fused = len(role) > 1
                parts = unfused(rows, len(role), self.n_heads, self.order, self.q_rows) if is_fused else (rows,)
                table.update(zip(role, parts, strict=True))
        sizes = {tuple(weight[letter].shape) for letter in "qkv" if letter in weight}
        is_for_all = self.n_heads > 1 and sizes == {(self.q_rows, self.q_rows)}  # each head by the same small matrices
        if is_for_all and "o" in weight and weight["o"].shape[1] == self.q_rows * self.n_heads:
            weight |= {one: torch.block_diag(*[weight[one]] * self.n_heads) for one in "qkv"}  # [H·d_k, H·d_k] each
            bias |= {one: bias[one].repeat(self.n_heads) for one in "qkv" if one in bias}  # [H·d_k] each
        return Projections(weight, bias, self.n_heads)

    def _rows(self, tensor: Tensor, role: ParameterRole) -> Tensor:
        """A parameter as torch's Linear would store it: [out, in], or [out] for a bias."""
        if role.kind == "bias":
            return tensor.reshape(-1)  # [out], also from [H, d_k]
        if tensor.ndim == 3:  # [H, d_model, d_k], and [H, d_k, d_model] of W_O
            return tensor.flatten(0, 1).mT if role.role == "o" else tensor.mT.flatten(0, 1)  # [out, in]
        is_turned = role.stored == "conv1d" or (role.stored == "raw" and self.is_in_first)
        return tensor.mT if is_turned else tensor  # [out, in]

    def note(self, projections: Projections) -> str:
        """What is unusual about it, as a sentence."""
        if self.order == "head by head":
            return "The fused matrix holds head after head, each with its queries, its keys and its values."
        if projections.weight["q"].shape[0] > self.q_rows:
            size = [self.q_rows, self.q_rows]
            return f"All {self.n_heads} heads use the same matrices of {size}, each on its own features."
        return ""


def parameters_of(module: nn.Module) -> dict[str, Tensor]:
    """Every parameter, by each of its names."""
    return {name: parameter.detach() for name, parameter in module.named_parameters(remove_duplicate=False)}


def layouts_of(module: nn.Module, declared_heads: int | None = None) -> list[Layout]:
    """Every layout that fits, the usual one first; empty when the module has no matrices for q, k and v."""
    roles = tuple(roles_of(module))
    parameters = parameters_of(module)
    shapes = {name: tuple(parameter.shape) for name, parameter in parameters.items()}
    has_raw = any(one.stored == "raw" and one.kind == "weight" and len(shapes[one.name]) == 2 for one in roles)
    is_fused = any(one.role in ("qkv", "kv") for one in roles)
    orders: tuple[FusedOrder, ...] = get_args(FusedOrder) if is_fused else ("part by part",)
    tried = (
        Layout(roles, n_heads, _query_rows(roles, shapes, order == "shared"), is_in_first, order)
        for n_heads in (_head_counts(module, roles, shapes, declared_heads) if roles else ())
        for is_in_first in ((True, False) if has_raw else (True,))
        for order in orders
    )
    return [layout for layout in tried if _fits(layout, parameters)]


def _head_counts(
    module: nn.Module, roles: tuple[ParameterRole, ...], shapes: Shapes, declared: int | None
) -> list[int]:  # fmt: skip
    """How many heads the module may have: as declared, else as it says, else every number that divides W_Q."""
    if declared is not None:
        return [declared]
    queries = [role for role in roles if role.role in ("q", "qkv") and role.kind == "weight"]
    if len(queries) > 1:
        return [len(queries)]  # a matrix for each head
    if len(shapes[queries[0].name]) == 3:
        return [shapes[queries[0].name][0]]  # [H, d_model, d_k]
    joined = _joined_width(roles, shapes)
    rows = [_query_rows(roles, shapes, is_shared) for is_shared in (False, True)]
    for holder in [*module.modules(), getattr(module, "config", None)]:
        for names, is_width in ((HEAD_NAMES, False), (WIDTH_NAMES, True)):
            kept = getattr(holder, "__dict__", {})
            for number in (kept[name] for name in names if isinstance(kept.get(name), int) and kept[name] > 0):
                for count in rows:
                    if count % number == 0 or (not is_width and count * number == joined):
                        return [count // number if is_width else number]
    return [number for number in range(1, min(max(rows), 64) + 1) if any(count % number == 0 for count in rows)]


def _joined_width(roles: tuple[ParameterRole, ...], shapes: Shapes) -> int:
    """How many features W_O reads, H·d_v; 0 where that is not known."""
    outs = [role for role in roles if role.role == "o" and role.kind == "weight" and len(shapes[role.name]) == 2]
    return next((shapes[role.name][1 if role.stored == "linear" else 0] for role in outs), 0)


def _query_rows(roles: tuple[ParameterRole, ...], shapes: Shapes, is_shared: bool) -> int:
    """How many rows are W_Q's, H·d_k; is_shared: a fused matrix holds fewer rows for keys and values."""
    for role in roles:
        if role.kind != "weight" or role.role not in ("q", "qkv"):
            continue
        shape, is_linear = shapes[role.name], role.stored == "linear"
        rows = shape[0] if is_linear else shape[-1] * (shape[0] if len(shape) == 3 else 1)
        if role.role == "q" or len(shape) != 2:
            return rows * sum(other.role == role.role and other.kind == "weight" for other in roles)
        q_rows = _joined_width(roles, shapes) or shape[1 if is_linear else 0]
        return q_rows if is_shared and q_rows < rows < 3 * q_rows else rows // 3
    return 1


def _fits(layout: Layout, parameters: Mapping[str, Tensor]) -> bool:
    """Whether the matrices are those of one attention: all there, and each as wide as the one before makes."""
    try:
        projections = layout.build(parameters)
    except (RuntimeError, ValueError):
        return False
    weight, bias, n_heads = projections.weight, projections.bias, projections.n_heads
    if not {"q", "k", "v"} <= weight.keys():
        return False
    if any(letter in weight and len(bias[letter]) != len(weight[letter]) for letter in bias):
        return False
    q_rows, k_rows, v_rows = (weight[letter].shape[0] for letter in "qkv")
    if q_rows % n_heads or k_rows % projections.head_width:
        return False
    if v_rows == 1 < q_rows == weight["v"].shape[1]:
        return False  # additive attention, where v turns a hidden vector into a score
    if v_rows % projections.n_groups or n_heads % projections.n_groups:
        return False
    return "o" not in weight or weight["o"].shape[1] == n_heads * projections.value_width
