"""Copies the numbers of a person's module into `Numbers`, for every way its parameters may be meant.

A fused matrix can hold q, k and v one after the other or head by head, a bare parameter can be used as x W or x Wᵀ:
each reading is a `Layout`, and the one that reproduces the module's output is the one it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from attnviz.checking.read.fused_matrices import EQUAL, SHARED, orders_of, unfused
from attnviz.checking.read.parameter_roles import Part, parts_of
from attnviz.checking.read.projections import Numbers
from attnviz.checking.read.raw_parameters import HEAD_AXES, Bare, ways_of

HEAD_NAMES = (
    "n_heads", "num_heads", "n_head", "nhead", "heads", "h", "H", "num_attention_heads", "n_attention_heads", "nheads",
    "num_head", "head_num", "number_of_heads",
)  # fmt: skip
WIDTH_NAMES = ("head_dim", "d_head", "head_size", "d_k", "dim_head", "head_width", "attention_head_size")


@dataclass(frozen=True)
class Layout:
    """One way to read a module's parameters."""

    build: Callable[[Mapping[str, Tensor]], Numbers]
    n_heads: int
    head_width: int
    widths: tuple[int, int, int]  # of query, key and value
    names: tuple[str, ...]  # the parameters that are read
    said: str = ""  # what a person should know about this reading; empty for the usual one


def head_counts(module: nn.Module, parts: list[Part], declared: int | None) -> list[int]:
    """How many heads the module may have: what was declared, else what it says, else every number that could be."""
    if declared is not None:
        return [declared]
    copies = max((part.index + 1 for part in parts if part.role in ("q", "qkv") and part.kind == "weight"), default=1)
    if copies > 1:
        return [copies]
    shapes = {name: tuple(p.shape) for name, p in module.named_parameters(remove_duplicate=False)}
    for part in parts:
        shape = shapes[part.name]
        if part.kind == "weight" and part.stored == "raw" and len(shape) == HEAD_AXES.get(part.role):
            return list(dict.fromkeys(shape[-3:-1]))  # [H, D, Dh] or [D, H, Dh]; [3, H, D, Dh] or [D, 3, H, Dh]
    joined = _joined_width(parts, shapes)
    counts = [_query_rows(parts, shapes, is_shared) for is_shared in (False, True)]
    for holder in [*module.modules(), getattr(module, "config", None)]:
        for names, is_width in ((HEAD_NAMES, False), (WIDTH_NAMES, True)):
            for name in names:
                number = _whole_number(holder, name)
                if not number:
                    continue
                for rows in counts:
                    if rows % number == 0 or (not is_width and rows * number == joined):
                        return [rows // number if is_width else number]
    return [number for number in range(1, min(max(counts), 64) + 1) if any(rows % number == 0 for rows in counts)]


def _joined_width(parts: list[Part], shapes: Mapping[str, tuple[int, ...]]) -> int:
    """How many features W_O reads, H·Dh; 0 where that is not known."""
    known = (p for p in parts if p.role == "o" and p.kind == "weight" and len(shapes[p.name]) == 2)
    return next((shapes[p.name][1 if p.stored == "linear" else 0] for p in known), 0)


def _query_rows(parts: list[Part], shapes: Mapping[str, tuple[int, ...]], is_shared: bool) -> int:
    """How many rows are W_Q's, H·Dh; where keys and values are shared, a fused matrix holds fewer of theirs."""
    for part in parts:
        if part.kind == "weight" and part.role in ("q", "qkv"):
            shape = shapes[part.name]
            rows = shape[-1] if part.stored in ("raw", "conv1d") else shape[0]
            if part.role != "qkv" or len(shape) != 2:
                return rows * sum(other.role == part.role and other.kind == part.kind for other in parts)
            q_rows = _joined_width(parts, shapes) or (shape[0] if part.stored in ("raw", "conv1d") else shape[1])
            return q_rows if is_shared and q_rows < rows < 3 * q_rows else rows // 3
    return 1


def _whole_number(holder: object, name: str) -> int | None:
    try:
        number = getattr(holder, name, None)
    except Exception:  # a property of a stranger's class may do anything
        return None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None


def layouts_of(module: nn.Module, declared_heads: int | None = None) -> list[Layout]:
    """Every way to read the module's parameters, the usual one first; empty when it has no matrices for q, k and v."""
    parts = parts_of(module)
    if not parts:
        return []
    parameters = {name: p.detach() for name, p in module.named_parameters(remove_duplicate=False)}
    fewer = _without_second_biases(parts)
    found: list[Layout] = []
    ways = ways_of(parts, {name: parameter.ndim for name, parameter in parameters.items()})
    for n_heads in head_counts(module, parts, declared_heads):
        for bare in ways:
            for order, lies in orders_of(parts):
                for chosen in [parts] if len(fewer) == len(parts) else [parts, fewer]:
                    layout = _layout(chosen, parameters, n_heads, bare, order, lies)
                    if layout is not None:
                        unused = [part.name for part in parts if part not in chosen]
                        said = f"{', '.join(unused)}: added to no projection." if unused else layout.said
                        found.append(replace(layout, said=said))
    return found


def not_joined(module: nn.Module) -> str:
    """A sentence about a W_O that reads something else than all heads side by side; empty where that is not why."""
    parts = parts_of(module)
    parameters = {name: p.detach() for name, p in module.named_parameters(remove_duplicate=False)}
    width = _joined_width(parts, {name: tuple(p.shape) for name, p in parameters.items()})
    heads = [part for part in parts if part.role != "o"]
    for n_heads in head_counts(module, parts, None) if width and len(heads) < len(parts) else ():
        layout = _layout(heads, parameters, n_heads, Bare(), "qkv", EQUAL[0])
        if layout is not None:
            numbers = layout.build(parameters)
            joined = n_heads * numbers.value_width
            return (
                f"W_O reads {width} features, and {n_heads} heads side by side make {joined}."
                if joined != width
                else ""
            )
    return ""


def _layout(
    parts: list[Part], parameters: Mapping[str, Tensor], n_heads: int, bare: Bare, order: str, lies: str
) -> Layout | None:
    shapes = {name: tuple(parameter.shape) for name, parameter in parameters.items()}
    q_rows = _query_rows(parts, shapes, is_shared=lies in SHARED)

    def build(given: Mapping[str, Tensor]) -> Numbers:
        weight: dict[str, Tensor] = {}
        bias: dict[str, Tensor] = {}
        for kind, table in (("weight", weight), ("bias", bias)):
            for role in ("q", "k", "v", "o", "qkv", "kv"):
                these = [part for part in parts if part.kind == kind and part.role == role]
                if not these:
                    continue
                rows = [_rows(given[part.name], part, bare, n_heads) for part in these]  # [out, in] or [out] each
                n_weights = sum(part.kind == "weight" and part.role == role for part in parts)
                joined = torch.cat(rows) if kind == "weight" else _one_bias(rows, n_weights)  # [out, in] or [out]
                letters = {"qkv": order, "kv": order.replace("q", "")}.get(role, role)
                split: tuple[Tensor, ...] = (joined,)
                if len(letters) > 1:
                    split = unfused(joined, letters, n_heads, lies, q_rows)
                for letter, numbers in zip(letters, split, strict=True):
                    is_second = kind == "bias" and letter in table
                    table[letter] = table[letter] + numbers if is_second else numbers  # [out, in] or [out]
        if _is_one_for_all(weight, n_heads):
            weight |= {letter: torch.block_diag(*[weight[letter]] * n_heads) for letter in "qkv"}  # [H·Dh, H·Dh] each
            bias |= {letter: bias[letter].repeat(n_heads) for letter in "qkv" if letter in bias}  # [H·Dh] each
        return Numbers(weight, bias, n_heads)

    try:
        numbers = build(parameters)
    except (RuntimeError, ValueError):
        return None
    if not _fits(numbers):
        return None
    rows = numbers.weight["q"].shape[0]
    query, key, value = (numbers.weight[letter].shape[1] for letter in "qkv")
    said = _said(parts, parameters, rows, order, lies)
    return Layout(build, n_heads, rows // n_heads, (query, key, value), tuple(part.name for part in parts), said)


def _said(parts: list[Part], parameters: Mapping[str, Tensor], rows: int, order: str, lies: str) -> str:
    """What a person should know about this reading; empty for the usual one."""
    if order != "qkv":
        return f"The fused matrix holds its parts in the order {', '.join(order)}."
    if lies == SHARED[1]:
        return "The fused matrix lies group by group: the queries of a group of heads, then its keys and its values."
    if lies not in (EQUAL[0], SHARED[0]):
        return f"The fused matrix lies in the order {lies}, not {EQUAL[0]}."
    shapes = [list(parameters[part.name].shape) for part in parts if part.role == "q" and part.kind == "weight"]
    if len(shapes) == 1 and len(shapes[0]) == 2 and shapes[0][0] == shapes[0][1] < rows:
        return f"All {rows // shapes[0][0]} heads use the same matrices of {shapes[0]}, on features of their own."
    return ""


def _one_bias(rows: list[Tensor], n_weights: int) -> Tensor:
    """The biases of one projection as one [out]: one a head are joined, a second one is added."""
    if len(rows) == max(1, n_weights):
        return torch.cat(rows)  # [out]
    longest = max(len(row) for row in rows)
    whole, of_heads = [row for row in rows if len(row) == longest], [row for row in rows if len(row) < longest]
    return sum(whole, torch.cat(of_heads) if of_heads else torch.zeros_like(whole[0]))  # [out]


def _is_one_for_all(weight: Mapping[str, Tensor], n_heads: int) -> bool:
    """Whether W_Q, W_K and W_V are those of one head, which every head uses on its own features of x."""
    if n_heads == 1 or not {"q", "k", "v", "o"} <= weight.keys():
        return False
    width = weight["q"].shape[0]
    return all(weight[letter].shape == (width, width) for letter in "qkv") and weight["o"].shape[1] == width * n_heads


def _without_second_biases(parts: list[Part]) -> list[Part]:
    """The parts without the biases that stand beside a layer's own: a person may keep them for something else."""
    own = {part.role for part in parts if part.kind == "bias" and part.stored != "raw"}
    fused = "qkv" if "qkv" in own else "kv" if "kv" in own else ""
    return [part for part in parts if part.kind == "weight" or part.stored != "raw" or part.role not in {*own, *fused}]


def _fits(numbers: Numbers) -> bool:
    """Whether the matrices are those of one attention: all there, and each as wide as the one before gives."""
    if not {"q", "k", "v"} <= numbers.weight.keys():
        return False
    if any(
        letter in numbers.weight and len(bias) != len(numbers.weight[letter]) for letter, bias in numbers.bias.items()
    ):
        return False
    q_rows, k_rows, v_rows = (numbers.weight[letter].shape[0] for letter in "qkv")
    if q_rows % numbers.n_heads or k_rows % numbers.head_width:
        return False
    if v_rows == 1 < q_rows == numbers.weight["v"].shape[1]:
        return False  # additive attention, where v turns a hidden vector into a score
    shared = k_rows // numbers.head_width  # heads of keys and values
    if v_rows % shared or numbers.n_heads % shared:
        return False
    return "o" not in numbers.weight or numbers.weight["o"].shape[1] == numbers.n_heads * (v_rows // shared)


def _rows(tensor: Tensor, part: Part, bare: Bare, n_heads: int) -> Tensor:
    """A parameter as torch's Linear would store it: [out, in], or [out] for a bias."""
    if part.kind == "bias":
        return tensor.reshape(-1)  # [out], also from [H, Dh]
    if part.stored == "linear":
        return tensor.flatten(1)  # [out, in], also from a convolution's [out, in, 1]
    return tensor.mT if part.stored == "conv1d" else bare.rows(tensor, part, n_heads)  # [out, in]
