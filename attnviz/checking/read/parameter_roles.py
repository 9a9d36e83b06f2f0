"""Tells by its name which matrix a parameter is: `q_proj`, `Wq`, `to_q`, `c_attn`, `W_Q`, … Reads no numbers."""

import re
from dataclasses import dataclass
from typing import Literal

from torch import nn

Role = Literal["q", "k", "v", "o", "qkv", "kv"]
Kind = Literal["weight", "bias"]
Stored = Literal["linear", "conv1d", "raw"]  # [out, in]; [in, out]; unknown

_WHOLE_NAMES: dict[str, Role] = {
    "cattn": "qkv", "inproj": "qkv", "inprojweight": "qkv", "inprojbias": "qkv", "querykeyvalue": "qkv",
    "cproj": "o", "proj": "o", "dense": "o", "projection": "o", "fc": "o", "lino": "o",
}  # fmt: skip
_NAMES: dict[str, Role] = {  # without the words of _NOISE
    "q": "q", "query": "q", "queries": "q", "wq": "q", "bq": "q", "qs": "q", "qry": "q",
    "k": "k", "key": "k", "keys": "k", "wk": "k", "bk": "k", "ks": "k",
    "v": "v", "value": "v", "values": "v", "wv": "v", "bv": "v", "vs": "v", "val": "v",
    "o": "o", "out": "o", "output": "o", "wo": "o", "bo": "o", "unify": "o", "unifyheads": "o", "mix": "o",
    "final": "o", "bqkv": "qkv",
    "qkv": "qkv", "wqkv": "qkv", "kv": "kv", "wkv": "kv", "qkvs": "qkv", "keyvalue": "kv",
}  # fmt: skip
_NOISE = frozenset(
    ("w", "p", "weight", "weights", "bias", "b", "proj", "projection", "project", "to", "linear", "lin", "layer", "fc",
     "net", "dense", "mat", "matrix", "kernel", "transform", "attn", "attention", "self", "heads", "head", "mha")
)  # fmt: skip
_NO_OUTPUT = re.compile(r"(?i)gate|pos|rel|embed|score|norm|bias|scale")
_STORED_AS_LINEAR = ("in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight")  # by torch


@dataclass(frozen=True)
class ParameterRole:
    name: str  # its full name in the module
    role: Role
    kind: Kind
    stored: Stored


def role_of(name: str) -> Role | None:
    """ "q_proj" -> "q", "toQKV" -> "qkv", "c_proj" -> "o", "norm" -> None."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    joined = "".join(words)
    if joined in _WHOLE_NAMES:
        return _WHOLE_NAMES[joined]
    telling = "".join(word for word in words if word not in _NOISE)
    return _NAMES.get(telling) or _NAMES.get(joined) or _NAMES.get(joined.removeprefix("to"))


def roles_of(module: nn.Module) -> list[ParameterRole]:
    """Every parameter that is q, k, v, o, or several in one, by its name; empty where q, k and v are not all there.

    Where names say nothing (`self.linears = ModuleList(4 x Linear)`) the order does in which the layers were made, and
    a linear layer that is left over is the output projection.
    """
    modules = dict(module.named_modules(remove_duplicate=False))
    parameters = module.named_parameters(remove_duplicate=False)
    named = [_role_by_name(name, parameter.ndim, modules) for name, parameter in parameters]
    found = [role for role in named if role is not None]
    roles = {role.role for role in found if role.kind == "weight"}
    if not ("qkv" in roles or {"q", "k", "v"} <= roles or {"q", "kv"} <= roles):
        return _roles_by_order(modules)
    return found if "o" in roles else found + _left_over(modules, found)


def _role_by_name(name: str, n_axes: int, modules: dict[str, nn.Module]) -> ParameterRole | None:
    path, _, leaf = name.rpartition(".")
    is_layer = leaf in ("weight", "bias") and path != ""
    role = role_of(re.sub(r"(\.\d+)+$", "", path).rpartition(".")[-1] if is_layer else leaf)
    if role is None or leaf in ("bias_k", "bias_v"):  # nn.MultiheadAttention's are a key and a value more, no biases
        return None
    is_bias = leaf == "bias" if is_layer else bool(re.match(r"(?i)b_|.*bias", leaf)) or n_axes == 1
    if not is_bias and not 2 <= n_axes <= (2 if is_layer else 3):  # a convolution is no matrix
        return None
    stored = "linear" if leaf in _STORED_AS_LINEAR else _stored(modules[path]) if is_layer else "raw"
    return ParameterRole(name, role, "bias" if is_bias else "weight", stored)


def _left_over(modules: dict[str, nn.Module], found: list[ParameterRole]) -> list[ParameterRole]:
    """The only linear layer that has no role yet, as the output projection."""
    known = {role.name.rpartition(".")[0] for role in found}
    left = [(path, layer) for path, layer in modules.items() if path not in known and _stored(layer) != "raw"]
    if len(left) != 1 or _NO_OUTPUT.search(left[0][0]):
        return []
    return _of_layer("o", *left[0])


def _roles_by_order(modules: dict[str, nn.Module]) -> list[ParameterRole]:
    """q, k, v, out, or qkv and out, where the shapes of the linear layers fit."""
    linears = [(path, layer) for path, layer in modules.items() if _stored(layer) != "raw"]
    weights = [(layer.get_parameter("weight"), _stored(layer)) for _, layer in linears]
    shapes = [tuple(weight.mT.shape if stored == "conv1d" else weight.shape) for weight, stored in weights]
    roles: tuple[Role, ...] = ()
    if len(linears) in (3, 4) and len(set(shapes[:3])) == 1:
        roles = ("q", "k", "v", "o")
    elif len(linears) in (1, 2) and shapes[0][0] == 3 * shapes[0][1] and shapes[-1][1] == shapes[0][1]:
        roles = ("qkv", "o")
    return [part for role, (path, layer) in zip(roles, linears, strict=False) for part in _of_layer(role, path, layer)]


def _of_layer(role: Role, path: str, layer: nn.Module) -> list[ParameterRole]:
    kinds: list[Kind] = ["weight"] if getattr(layer, "bias", None) is None else ["weight", "bias"]
    return [ParameterRole(f"{path}.{kind}", role, kind, _stored(layer)) for kind in kinds]


def attentions_in(module: nn.Module) -> list[str]:
    """The paths of the attention layers inside: the smallest modules that have matrices for q, k, v and out."""
    found = [path for path, child in module.named_modules() if any(role.role == "o" for role in roles_of(child))]
    holders = {path for path in found for other in found if other != path and f".{other}.".startswith(f".{path}.")}
    return [path for path in found if path not in holders and (path or len(found) == 1)]


def python_path(path: str) -> str:
    """A path as Python reads it: "blocks.0.attention" -> "layer.blocks[0].attention"."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", f"layer.{path}")


def _stored(layer: nn.Module) -> Stored:
    if isinstance(layer, nn.Linear):
        return "linear"
    is_conv1d = type(layer).__name__ == "Conv1D" and isinstance(getattr(layer, "weight", None), nn.Parameter)
    return "conv1d" if is_conv1d else "raw"  # transformers' Conv1D, GPT-2's linear layer, is stored [in, out]
