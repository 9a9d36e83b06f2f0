"""Every way to read a module's parameters as W_Q, W_K, W_V and W_O.

A fused matrix may hold q, k and v one after the other or head by head, and a raw parameter may be used as x W or x Wᵀ.
Each way is a `Layout`; the one that reproduces the module's output is the one the module uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attnviz.checking.read.parameter_roles import ParameterRole, roles_of
from attnviz.checking.read.projections import Projections
from attnviz.checking.read.stored_matrices import EQUAL, SHARED, RawAxes, fused_orders, raw_axes_of, unfused

HEAD_NAMES = (
    "n_heads", "num_heads", "n_head", "nhead", "heads", "h", "H", "num_attention_heads", "n_attention_heads", "nheads",
    "num_head", "head_num", "number_of_heads",
)  # fmt: skip
WIDTH_NAMES = ("head_dim", "d_head", "head_size", "d_k", "dim_head", "head_width", "attention_head_size")

Shapes = Mapping[str, tuple[int, ...]]
Tensors = Mapping[str, Tensor]


@dataclass(frozen=True)
class Layout:
    """One way to read a module's parameters."""

    build: Callable[[Tensors], Projections]
    n_heads: int
    rows: int  # of W_Q, H·d_k
    widths: tuple[int, int, int]  # of query, key and value
    names: tuple[str, ...]  # of the parameters that are read
    note: str = ""  # what is unusual about it


def layouts_of(module: nn.Module, declared_heads: int | None = None) -> list[Layout]:
    """Every layout that fits, the usual one first; empty when the module has no matrices for q, k and v."""
    roles = roles_of(module)
    parameters = {name: p.detach() for name, p in module.named_parameters(remove_duplicate=False)}
    shapes = {name: tuple(parameter.shape) for name, parameter in parameters.items()}
    ways = raw_axes_of(roles, {name: parameter.ndim for name, parameter in parameters.items()})
    tried = (
        _layout(roles, parameters, shapes, n_heads, raw_axes, order, axes)
        for n_heads in (_head_counts(module, roles, shapes, declared_heads) if roles else ())
        for raw_axes in ways
        for order, axes in fused_orders(roles)
    )
    return [layout for layout in tried if layout is not None]


def _head_counts(module: nn.Module, roles: list[ParameterRole], shapes: Shapes, declared: int | None) -> list[int]:
    """How many heads the module may have: as declared, else as it says, else every number that divides W_Q."""
    if declared is not None:
        return [declared]
    queries = [role for role in roles if role.role in ("q", "qkv") and role.kind == "weight"]
    if len(queries) > 1:
        return [len(queries)]  # a matrix for each head
    for role in queries:
        if role.stored == "raw" and role.role == "q" and len(shapes[role.name]) == 3:
            return list(dict.fromkeys(shapes[role.name][-3:-1]))  # [H, d_model, d_k] or [d_model, H, d_k]
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


def _joined_width(roles: list[ParameterRole], shapes: Shapes) -> int:
    """How many features W_O reads, H·d_v; 0 where that is not known."""
    outs = [role for role in roles if role.role == "o" and role.kind == "weight" and len(shapes[role.name]) == 2]
    return next((shapes[role.name][1 if role.stored == "linear" else 0] for role in outs), 0)


def _query_rows(roles: list[ParameterRole], shapes: Shapes, is_shared: bool) -> int:
    """How many rows are W_Q's, H·d_k; is_shared: a fused matrix holds fewer rows for keys and values."""
    for role in roles:
        if role.kind != "weight" or role.role not in ("q", "qkv"):
            continue
        shape, is_linear = shapes[role.name], role.stored == "linear"
        rows = shape[0] if is_linear else shape[-1]
        if role.role == "q" or len(shape) != 2:
            return rows * sum(other.role == role.role and other.kind == "weight" for other in roles)
        q_rows = _joined_width(roles, shapes) or shape[1 if is_linear else 0]
        return q_rows if is_shared and q_rows < rows < 3 * q_rows else rows // 3
    return 1


def _layout(
    roles: list[ParameterRole], parameters: Tensors, shapes: Shapes, n_heads: int, raw_axes: RawAxes, order: str,
    axes: str,
) -> Layout | None:  # fmt: skip
    """The layout of these choices; None where the shapes do not fit it."""
    q_rows = _query_rows(roles, shapes, is_shared=axes in SHARED)

    def build(given: Tensors) -> Projections:
        weight: dict[str, Tensor] = {}
        bias: dict[str, Tensor] = {}
        for kind, table in (("weight", weight), ("bias", bias)):
            for role in ("q", "k", "v", "o", "qkv", "kv"):
                these = [one for one in roles if one.kind == kind and one.role == role]
                letters = {"qkv": order, "kv": order.replace("q", "")}.get(role, role)
                if these and table.keys() & set(letters):
                    raise ValueError("two biases of one projection")
                if these:
                    rows = torch.cat([_rows(given[one.name], one, raw_axes, n_heads) for one in these])  # [out, …]
                    split = unfused(rows, letters, n_heads, axes, q_rows) if len(letters) > 1 else (rows,)
                    table.update(zip(letters, split, strict=True))
        sizes = {tuple(weight[letter].shape) for letter in "qkv" if letter in weight}
        width = next(iter(sizes))[0] if len(sizes) == 1 else 0
        if "o" in weight and n_heads > 1 and sizes == {(width, width)} and weight["o"].shape[1] == width * n_heads:
            weight |= {letter: torch.block_diag(*[weight[letter]] * n_heads) for letter in "qkv"}  # [H·d_k, H·d_k] each
            bias |= {letter: bias[letter].repeat(n_heads) for letter in "qkv" if letter in bias}  # [H·d_k] each
        return Projections(weight, bias, n_heads)

    try:
        projections = build(parameters)
    except (RuntimeError, ValueError):
        return None
    if not _fits(projections):
        return None
    query, key, value = (projections.weight[letter].shape[1] for letter in "qkv")
    rows = projections.weight["q"].shape[0]
    note = _note(roles, shapes, rows, order, axes)
    return Layout(build, n_heads, rows, (query, key, value), tuple(role.name for role in roles), note)


def _rows(tensor: Tensor, role: ParameterRole, raw_axes: RawAxes, n_heads: int) -> Tensor:
    """A parameter as torch's Linear would store it: [out, in], or [out] for a bias."""
    if role.kind == "bias":
        return tensor.reshape(-1)  # [out], also from [H, d_k]
    if role.stored == "linear":
        return tensor.flatten(1)  # [out, in], also from a convolution's [out, in, 1]
    return tensor.mT if role.stored == "conv1d" else raw_axes.rows(tensor, role, n_heads)  # [out, in]


def _fits(projections: Projections) -> bool:
    """Whether the matrices are those of one attention: all there, and each as wide as the one before makes."""
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


def _note(roles: list[ParameterRole], shapes: Shapes, q_rows: int, order: str, axes: str) -> str:
    """What is unusual about a layout, as a sentence."""
    if order != "qkv":
        return f"The fused matrix holds its parts in the order {', '.join(order)}."
    if axes == SHARED[1]:
        return "The fused matrix holds group after group: the queries of a group of heads, then its keys and values."
    if axes not in (EQUAL[0], SHARED[0]):
        return f"The rows of the fused matrix are in the order {axes}, not {EQUAL[0]}."
    queries = [shapes[role.name] for role in roles if role.role == "q" and role.kind == "weight"]
    if len(queries) == 1 and len(queries[0]) == 2 and queries[0][0] == queries[0][1] < q_rows:
        n_heads, shape = q_rows // queries[0][0], list(queries[0])
        return f"All {n_heads} heads use the same matrices of {shape}, each on its own features."
    return ""
