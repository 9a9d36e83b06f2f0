"""Tells by its name which matrix a parameter is: `q_proj`, `Wq`, `to_kqv`, `c_attn`, `W_Q`, … Reads no numbers."""

import re
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from torch import nn

ParameterKind = Literal["weight", "bias"]
Stored = Literal["linear", "conv1d", "raw"]  # [out, in]; [in, out]; unknown

_WHOLE_NAMES = {
    "cattn": "qkv", "inproj": "qkv", "inprojweight": "qkv", "inprojbias": "qkv", "querykeyvalue": "qkv",
    "keyvalue": "kv", "cproj": "o", "proj": "o", "dense": "o", "projection": "o", "fc": "o", "lino": "o",
}  # fmt: skip
_NAMES = {  # without the words of _NOISE, and without w, b and s around a letter
    "q": "q query queries qry", "k": "k key keys", "v": "v value values val",
    "o": "o out output unify unifyheads mix final",
}  # fmt: skip
_NOISE = frozenset(
    ("w", "p", "weight", "weights", "bias", "b", "proj", "projection", "project", "to", "linear", "lin", "layer", "fc",
     "net", "dense", "mat", "matrix", "kernel", "transform", "attn", "attention", "self", "heads", "head", "mha",
     "shared")
)  # fmt: skip
_FUSED = {"".join(letters) for n in (2, 3) for letters in permutations("qkv", n)}  # in the order of the name
_NO_OUTPUT = re.compile(r"(?i)gate|pos|rel|embed|score|norm|bias|scale")
_STORED_AS_LINEAR = ("in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight")  # by torch


@dataclass(frozen=True)
class ParameterRole:
    name: str  # its full name in the module
    role: str  # "q", "k", "v", "o", or the letters of a fused matrix in their order
    kind: ParameterKind
    stored: Stored


def role_of(name: str) -> str | None:
    """ "q_proj" -> "q", "toQKV" -> "qkv", "c_proj" -> "o", "norm" -> None."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    joined = "".join(words)
    if joined in _WHOLE_NAMES:
        return _WHOLE_NAMES[joined]
    telling = "".join(word for word in words if word not in _NOISE)
    for word in (telling, joined, joined.removeprefix("to"), re.sub("^[wb]|s$", "", telling)):
        role = word if word in _FUSED else next((role for role, names in _NAMES.items() if word in names.split()), None)
        if role is not None:
            return role
    return None


def roles_of(module: nn.Module) -> list[ParameterRole]:
    """Every parameter that is q, k, v, o, or several in one, by its name; empty where q, k and v are not all there.

    Where names say nothing (`self.linears = ModuleList(4 x Linear)`) the order does in which the layers were made, and
    a linear layer that is left over is the output projection. No order contradicts a name.
    """
    modules = dict(module.named_modules(remove_duplicate=False))
    parameters = module.named_parameters(remove_duplicate=False)
    named = [_role_by_name(name, parameter.ndim, modules) for name, parameter in parameters]
    known = [role for role in named if role is not None]
    letters = "".join(role.role for role in known if role.kind == "weight")
    if not {"q", "k", "v"} <= set(letters):
        by_order = _roles_by_order(modules)
        said = {one.name: one.role for one in known if letters.count(one.role) == 1}  # no list of layers has this name
        return by_order if all(said.get(one.name, one.role) == one.role for one in by_order) else []
    return known if "o" in letters else known + _left_over(modules, known)


def _role_by_name(name: str, n_axes: int, modules: dict[str, nn.Module]) -> ParameterRole | None:
    path, _, leaf = name.rpartition(".")
    is_layer = leaf in ("weight", "bias") and path != ""
    role = role_of(re.sub(r"(\.\d+)+$", "", path).rpartition(".")[-1] if is_layer else leaf)
    if role is None or leaf in ("bias_k", "bias_v"):  # nn.MultiheadAttention's are a key and a value more, no biases
        return None
    is_bias = leaf == "bias" if is_layer else bool(re.match(r"(?i)b_|.*bias", leaf)) or n_axes == 1
    if not is_bias and not 2 <= n_axes <= (2 if is_layer else 4):  # a convolution is no matrix
        return None
    stored = "linear" if leaf in _STORED_AS_LINEAR else _stored(modules[path]) if is_layer else "raw"
    return ParameterRole(name, role, "bias" if is_bias else "weight", stored)


def _left_over(modules: dict[str, nn.Module], roles: list[ParameterRole]) -> list[ParameterRole]:
    """The only linear layer that has no role yet, as the output projection."""
    known = {role.name.rpartition(".")[0] for role in roles}
    left = [(path, layer) for path, layer in modules.items() if path not in known and _stored(layer) != "raw"]
    if len(left) != 1 or _NO_OUTPUT.search(left[0][0]):
        return []
    return _of_layer("o", *left[0])


def _roles_by_order(modules: dict[str, nn.Module]) -> list[ParameterRole]:
    """q, k, v, out, or qkv and out, where the shapes of the linear layers fit."""
    linears = [(path, layer) for path, layer in modules.items() if _stored(layer) != "raw"]
    weights = [(layer.get_parameter("weight"), _stored(layer)) for _, layer in linears]
    shapes = [tuple(weight.mT.shape if stored == "conv1d" else weight.shape) for weight, stored in weights]
    roles: tuple[str, ...] = ()
    if len(linears) in (3, 4) and len(set(shapes[:3])) == 1:
        roles = ("q", "k", "v", "o")
    elif len(linears) in (1, 2) and shapes[0][0] == 3 * shapes[0][1] and shapes[-1][1] == shapes[0][1]:
        roles = ("qkv", "o")
    return [part for role, (path, layer) in zip(roles, linears, strict=False) for part in _of_layer(role, path, layer)]


def _of_layer(role: str, path: str, layer: nn.Module) -> list[ParameterRole]:
    kinds: list[ParameterKind] = ["weight"] if getattr(layer, "bias", None) is None else ["weight", "bias"]
    return [ParameterRole(f"{path}.{kind}", role, kind, _stored(layer)) for kind in kinds]


def attentions_in(module: nn.Module) -> list[str]:
    """The paths of the attention layers inside: the smallest modules that have matrices for q, k, v and out."""
    paths = [path for path, child in module.named_modules() if any(role.role == "o" for role in roles_of(child))]
    holders = {path for path in paths for other in paths if other != path and f".{other}.".startswith(f".{path}.")}
    return [path for path in paths if path not in holders and (path or len(paths) == 1)]


def python_path(path: str) -> str:
    """A path as Python reads it: "blocks.0.attention" -> "layer.blocks[0].attention"."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", f"layer.{path}")


def _stored(layer: nn.Module) -> Stored:
    if isinstance(layer, nn.Linear):
        return "linear"
    is_conv1d = type(layer).__name__ == "Conv1D" and isinstance(getattr(layer, "weight", None), nn.Parameter)
    return "conv1d" if is_conv1d else "raw"  # transformers' Conv1D, GPT-2's linear layer, is stored [in, out]
