"""Every way to read a module's parameters as W_Q, W_K, W_V and W_O.

The rows of a matrix are its parts (queries, keys, values), heads and features in some order of these axes, and a raw
parameter may be used as x W or x Wᵀ. Each way is a `Layout`; the one that gives the module's output is the one it uses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from math import prod

import torch
from torch import Tensor, nn

from attnviz.checking.read.parameter_roles import ParameterRole, roles_of

HEAD_NAMES = (
    "n_heads", "num_heads", "n_head", "nhead", "heads", "h", "H", "num_attention_heads", "n_attention_heads", "nheads",
    "num_head", "head_num", "number_of_heads",
)  # fmt: skip
WIDTH_NAMES = ("head_dim", "d_head", "head_size", "d_k", "dim_head", "head_width", "attention_head_size")

_TURN = str.maketrans("hd", "dh")
NAMES = {"q": "queries", "k": "keys", "v": "values", "o": "output"}
Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Projections:
    """W_Q, W_K, W_V and W_O by their letters, head after head; without "o" the joined heads are the output."""

    weight: Mapping[str, Tensor]  # [out, in] each, as torch stores them
    bias: Mapping[str, Tensor]  # [out] each, where there is one
    n_heads: int
    tiled: bool = False  # whether heads that share keys and values are apart: 0, 1, 0, 1 and not 0, 0, 1, 1
    added: tuple[tuple[Tensor, Tensor], ...] = ()  # keys [H·d_k] and values [H·d_v] that stand behind those of a text

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

    @property
    def widths(self) -> tuple[int, int, int]:
        """Of the inputs that the queries, the keys and the values are made of."""
        query, key, value = (self.weight[letter].shape[1] for letter in "qkv")
        return query, key, value


@dataclass(frozen=True)
class Layout:
    """One way to read a module's parameters.

    rows: by role, the order of the axes p (queries, keys, values), h (head), d (feature) and i (input) in what makes q,
    k and v; in place of p, h and d "S", all queries before the keys and values that heads share, or "G", each group's
    queries before its keys and values, as in Falcon. columns: the order of h, d and o (output) in W_O. letters: by
    role, the order of queries, keys and values along p: a name such as c_attn does not say it. turned: biases of
    several axes have features before heads where the matrices have heads before features, or the other way round.
    """

    roles: tuple[ParameterRole, ...]
    n_heads: int
    q_rows: int  # of the matrices that make the queries, H·d_k
    rows: Mapping[str, str]
    columns: str
    tiled: bool = False
    added: tuple[tuple[str, str], ...] = ()  # the names of a key and a value more; "" for zeros
    letters: Mapping[str, str] = field(
        default_factory=dict
    )  # of roles of several; as the role says where it is not here
    turned: bool = False

    @property
    def is_rare(self) -> bool:
        """Whether heads lie otherwise in one matrix than in another, or more than the parts in an unusual order."""
        orders = set(self.rows.values())
        is_renamed = any(letters != role for role, letters in self.letters.items())
        is_usual = orders == {"iphd"} and self.columns == "hdo" and not self.tiled
        return len({order.replace("p", "") for order in orders}) > 1 or (is_renamed and not is_usual)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(role.name for role in self.roles) + tuple(name for pair in self.added for name in pair if name)

    def build(self, parameters: Mapping[str, Tensor]) -> Projections:
        """The four matrices; a ValueError or RuntimeError where the shapes cannot be these."""
        weight: dict[str, Tensor] = {}
        bias: dict[str, Tensor] = {}
        for kind, made in (("weight", weight), ("bias", bias)):
            for role in dict.fromkeys(one.role for one in self.roles if one.kind == kind):
                if made.keys() & set(role):
                    raise ValueError("two of one projection")
                these = [one for one in self.roles if one.kind == kind and one.role == role]
                laid = [self._as_rows(parameters[one.name], one) for one in these]
                rows, order = torch.cat([rows for rows, _ in laid]), laid[0][1]  # [rows, in]
                n_groups = len(weight["k"]) * self.n_heads // self.q_rows if "k" in weight else self.n_heads
                made |= self._parts(self.letters.get(role, role), rows, order, n_groups)
        bias = {letter: column[:, 0] for letter, column in bias.items()}  # [out] each
        weight |= {"o": weight["o"].mT} if "o" in weight else {}  # [d_model, H·d_v]
        is_for_all = self.n_heads > 1 and {tuple(weight[one].shape) for one in "qkv"} == {(self.q_rows, self.q_rows)}
        if is_for_all and "o" in weight and weight["o"].shape[1] == self.q_rows * self.n_heads:
            weight |= {one: torch.block_diag(*[weight[one]] * self.n_heads) for one in "qkv"}  # [H·d_k, H·d_k] each
            bias |= {one: bias[one].repeat(self.n_heads) for one in "qkv" if one in bias}  # [H·d_k] each
        none = {letter: torch.zeros_like(weight[letter][:, 0]) for letter in "kv"}  # [H·d_k], [H·d_v]
        added = tuple(
            (parameters[k].flatten() if k else none["k"], parameters[v].flatten() if v else none["v"])
            for k, v in self.added
        )
        return Projections(weight, bias, self.n_heads, self.tiled, added)

    def _as_rows(self, tensor: Tensor, role: ParameterRole) -> tuple[Tensor, str]:
        """A parameter as [rows, in], of W_O as [rows, out], of a bias as [rows, 1]; and the order of the rows' axes."""
        outer, axes = ("o", self.columns) if role.role == "o" else ("i", self.rows[role.role])
        order = axes.replace(outer, "")
        if role.kind == "bias":
            order = order.translate(_TURN) if self.turned else order
            return tensor.reshape(-1, 1), order if outer == "i" else "hd"
        if tensor.ndim == 2:
            turned = {"linear": outer == "o", "conv1d": outer == "i", "raw": axes[0] == outer}[role.stored]
            return tensor.mT if turned else tensor, order
        if tensor.ndim != len(axes) or self.n_heads % tensor.shape[axes.index("h")]:
            raise ValueError("other axes")
        return tensor.movedim(axes.index(outer), -1).flatten(0, -2), order

    def _parts(self, role: str, rows: Tensor, order: str, n_groups: int) -> dict[str, Tensor]:
        """The matrices in the rows of one, [out, in] each, head after head."""
        n_rows, n_parts, head_width = len(rows), len(role), self.q_rows // self.n_heads
        if n_parts > 1 and order in ("hd", "dh"):  # one bias of three matrices
            order = f"p{order}"
        if order == "hd":
            return {role: rows}
        if order == "S":
            kv_rows = (n_rows - self.q_rows) // 2
            if n_parts < 3 or not 0 < kv_rows < self.q_rows:
                raise ValueError("no whole number of shared heads")
            sizes = [self.q_rows if letter == "q" else kv_rows for letter in role]
            return dict(zip(role, rows.split(sizes), strict=True))
        if order == "G":
            n_groups = (n_rows // max(1, head_width) - self.n_heads) // 2
            if n_parts < 3 or n_groups < 1 or self.n_heads % n_groups:
                raise ValueError("no whole number of groups")
            heads = rows.unflatten(0, (n_groups, -1, head_width))  # [G, H/G + 2, d_k, in]
            parts = heads.split([self.n_heads // n_groups if letter == "q" else 1 for letter in role], dim=1)
            return {letter: part.flatten(0, -2) for letter, part in zip(role, parts, strict=True)}
        if role == "v":
            n_heads = n_groups
        else:
            n_heads = self.n_heads if set("qo") & set(role) else max(1, n_rows // n_parts // max(1, head_width))
        if n_rows % (n_parts * max(1, n_heads)) or n_heads < 1:
            raise ValueError("no whole number of parts and heads")
        lengths = {"p": n_parts, "h": n_heads, "d": n_rows // n_parts // n_heads}
        heads = rows.unflatten(0, [lengths[axis] for axis in order])
        heads = heads.permute(*(order.index(axis) for axis in "phd" if axis in order), -1)  # [part, H, d, in]
        return dict(zip(role, heads.reshape(n_parts, -1, rows.shape[-1]), strict=True))

    def note(self, projections: Projections) -> str:
        """What is unusual about it, in sentences."""
        said = []
        matrices = [one for one in self.roles if one.kind == "weight"]
        rows = {one.role: self.rows[one.role].replace("i", "") for one in matrices if one.role != "o"}
        for name in dict.fromkeys(one.name for one in matrices):
            made = [NAMES.get(one.role, "") for one in matrices if one.name == name]
            said += [f"{name} makes the {' and the '.join(made)}."] if len(made) > 1 else []
        for letters in (letters for role, letters in self.letters.items() if letters != role):
            parts = [NAMES[letter] for letter in letters]
            said.append(f"The parts of the fused matrix are {', '.join(parts[:-1])} and {parts[-1]}.")
        for fused in (order for role, order in rows.items() if len(role) > 1 and order not in ("phd", "S")):
            words = {"p": "q k v", "h": "head", "d": "feature"}
            axes = "group by group" if fused == "G" else f"in the order ({', '.join(words[axis] for axis in fused)})"
            said.append(f"The rows of the fused matrix lie {axes}.")
        if strided := [NAMES[role] for role, order in rows.items() if order == "dh"]:
            these = " and ".join(filter(None, (", ".join(strided[:-1]), strided[-1])))
            said.append(f"A head takes one feature in {self.n_heads} of the {these}, not neighbours.")
        if self.columns.replace("o", "") == "dh":
            said.append("The heads are joined with their features interleaved.")
        if self.tiled:
            said.append("Heads that share keys and values are not neighbours: the key heads are 0, 1, … 0, 1, ….")
        if projections.weight["q"].shape[0] > self.q_rows:
            size = [self.q_rows, self.q_rows]
            said.append(f"All {self.n_heads} heads use the same matrices of {size}, each on its own features.")
        return " ".join(said)


def parameters_of(module: nn.Module) -> dict[str, Tensor]:
    """Every parameter, by each of its names."""
    return {name: parameter.detach() for name, parameter in module.named_parameters(remove_duplicate=False)}


def layouts_of(module: nn.Module, declared_heads: int | None = None) -> list[Layout]:
    """Every layout that fits, the usual one first; empty when the module has no matrices for q, k and v.

    A matrix whose name says queries and keys, say, is cut into these, or makes both. The latter is tried first where
    the former makes keys that are not as wide as values.
    """
    roles = tuple(roles_of(module))
    cut = _fitting(module, roles, declared_heads)
    whole = tuple(replace(one, role=letter) for one in roles for letter in one.role)
    shared = _fitting(module, whole, declared_heads) if whole != roles else []
    usual = cut[0].build(parameters_of(module)) if cut else None
    return cut + shared if usual and usual.head_width == usual.value_width else shared + cut


def _fitting(module: nn.Module, roles: tuple[ParameterRole, ...], declared_heads: int | None) -> list[Layout]:
    """Every layout of these roles that fits."""
    parameters = parameters_of(module)
    shapes = {name: tuple(parameter.shape) for name, parameter in parameters.items()}
    added = tuple(zip(*([n for n in shapes if n.endswith(end)] for end in ("bias_k", "bias_v")), strict=False))
    added += (("", ""),) if any(getattr(part, "add_zero_attn", False) is True for part in module.modules()) else ()
    has_axes = any(one.kind == "bias" and len(shapes[one.name]) > 1 for one in roles)
    tried = (
        Layout(roles, n_heads, _query_rows(roles, shapes, rows), rows, columns, tiled, added, letters, turned)
        for n_heads in (_head_counts(module, roles, shapes, declared_heads) if roles else ())
        for columns in _orders([one for one in roles if one.role == "o"], shapes, "o")
        for rows in _row_orders(roles, shapes)
        for tiled in (False, True)
        for letters in _part_orders(roles)
        for turned in ((False, True) if has_axes else (False,))
    )
    return [layout for layout in tried if _fits(layout, parameters)]


def _row_orders(roles: Sequence[ParameterRole], shapes: Shapes) -> list[Mapping[str, str]]:
    """Every order of the axes of what makes q, k and v, by role: those in which all are alike before the others."""
    made = [one for one in roles if one.role != "o"]
    orders = {role: list(_orders([one for one in made if one.role == role], shapes, "i"))
              for role in dict.fromkeys(one.role for one in made)}  # fmt: skip
    every: list[Mapping[str, str]] = [dict(zip(orders, each, strict=True)) for each in product(*orders.values())]
    alike = [rows for rows in every if len({order.replace("p", "") for order in rows.values()} - {"iS", "iG"}) <= 1]
    is_flat = all(len(shapes[one.name]) < 3 for one in made)
    return alike + [rows for rows in every if is_flat and rows not in alike]


def _part_orders(roles: Sequence[ParameterRole]) -> list[dict[str, str]]:
    """Every order of queries, keys and values in fused matrices: the one that their names say before the others."""
    fused = dict.fromkeys(one.role for one in roles if len(one.role) > 1)
    return [
        dict(zip(fused, each, strict=True)) for each in product(*(map("".join, permutations(one)) for one in fused))
    ]


def _orders(roles: Sequence[ParameterRole], shapes: Shapes, outer: str) -> Iterator[str]:
    """Every order of the axes of the matrices of one role, the usual one first."""
    these = [one for one in roles if one.kind == "weight"]
    is_fused = any(len(one.role) > 1 for one in these)
    if any(len(shapes[one.name]) > 2 for one in these):
        yield from ("".join(axes) for axes in permutations(f"h{outer}d" if not is_fused else f"ph{outer}d"))
        return
    orders = ["".join(axes) for axes in permutations("phd" if is_fused else "hd")] + (["S", "G"] if is_fused else [])
    for order in orders:
        yield order + outer if outer == "o" else outer + order  # x W
        if any(one.stored == "raw" for one in these):
            yield outer + order if outer == "o" else order + outer


def _head_counts(
    module: nn.Module, roles: tuple[ParameterRole, ...], shapes: Shapes, declared: int | None
) -> list[int]:  # fmt: skip
    """How many heads the module may have: as declared, else as it says, else every number that fits W_Q."""
    if declared is not None:
        return [declared]
    queries = [role for role in roles if "q" in role.role and role.kind == "weight"]
    if len(queries) > 1:
        return [len(queries)]  # a matrix for each head
    counts = list(dict.fromkeys(_query_rows(roles, shapes, rows) for rows in _row_orders(roles, shapes)))
    for holder in [*module.modules(), getattr(module, "config", None)]:
        for names, is_width in ((HEAD_NAMES, False), (WIDTH_NAMES, True)):
            kept = getattr(holder, "__dict__", {})
            for number in (kept[name] for name in names if isinstance(kept.get(name), int) and kept[name] > 0):
                for count in counts:
                    if count % number == 0 or (not is_width and count * number == _joined_width(roles, shapes)):
                        return [count // number if is_width else number]
    shape = shapes[queries[0].name]
    tried = dict.fromkeys(shape) if len(shape) > 2 else range(1, min(max(counts), 64) + 1)
    return [number for number in tried if any(count % number == 0 for count in counts)]


def _joined_width(roles: tuple[ParameterRole, ...], shapes: Shapes) -> int:
    """How many features W_O reads, H·d_v; 0 where that is not known."""
    outs = [role for role in roles if role.role == "o" and role.kind == "weight" and len(shapes[role.name]) == 2]
    return next((shapes[role.name][1 if role.stored == "linear" else 0] for role in outs), 0)


def _query_rows(roles: tuple[ParameterRole, ...], shapes: Shapes, rows: Mapping[str, str]) -> int:
    """How many rows are W_Q's in this order of axes, H·d_k."""
    these = [role for role in roles if role.kind == "weight" and "q" in role.role]
    shape, n_parts, axes = shapes[these[0].name], len(these[0].role), rows[these[0].role]
    if len(shape) > 2:
        place = axes.index("i") if len(axes) == len(shape) else 0
    else:
        place = {"linear": 1, "conv1d": 0, "raw": 0 if axes[0] == "i" else 1}[these[0].stored]
    if axes.strip("i") in ("S", "G"):
        return _joined_width(roles, shapes) or shape[place]
    return max(1, prod(shape) // max(1, shape[place]) * len(these) // n_parts)


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
