"""Which parameter of a person's module is which matrix, by its name: `q_proj`, `Wq`, `to_q`, `c_attn`, `W_Q`, ...

No numbers are read here; see layouts.py for how they are copied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from torch import Tensor, nn

Role = Literal["q", "k", "v", "o", "qkv", "kv"]
Stored = Literal["linear", "conv1d", "raw"]  # [out, in]; [in, out]; unknown

_WHOLE: dict[str, Role] = {
    "cattn": "qkv", "inproj": "qkv", "querykeyvalue": "qkv",
    "cproj": "o", "proj": "o", "dense": "o", "projection": "o", "fc": "o", "lino": "o",
}  # fmt: skip
_BARE: dict[str, Role] = {
    "q": "q", "query": "q", "queries": "q", "wq": "q", "bq": "q", "qs": "q", "qry": "q",
    "k": "k", "key": "k", "keys": "k", "wk": "k", "bk": "k", "ks": "k",
    "v": "v", "value": "v", "values": "v", "wv": "v", "bv": "v", "vs": "v", "val": "v",
    "o": "o", "out": "o", "output": "o", "wo": "o", "bo": "o", "unify": "o", "unifyheads": "o", "mix": "o",
    "final": "o", "bqkv": "qkv",
    "qkv": "qkv", "wqkv": "qkv", "in": "qkv", "kv": "kv", "wkv": "kv", "qkvs": "qkv", "keyvalue": "kv",
}  # fmt: skip
_NOISE = frozenset(
    ("w", "p", "weight", "weights", "bias", "b", "proj", "projection", "project", "to", "linear", "lin", "layer", "fc",
     "net", "dense", "mat", "matrix", "kernel", "transform", "attn", "attention", "self", "heads", "head", "mha")
)  # fmt: skip
_NO_OUTPUT = re.compile(r"(?i)gate|pos|rel|embed|score|norm|bias|scale")


@dataclass(frozen=True)
class Part:
    """One parameter that was recognised."""

    name: str  # its full name in the module
    role: Role
    kind: Literal["weight", "bias"]
    stored: Stored
    index: int  # its place among those of the same role: one a head


def role_of(name: str) -> Role | None:
    """ "q_proj" -> "q", "toQKV" -> "qkv", "c_proj" -> "o", "norm" -> None."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    joined = "".join(words)
    if joined in _WHOLE:
        return _WHOLE[joined]
    bare = "".join(word for word in words if word not in _NOISE)
    return _BARE.get(bare) or _BARE.get(joined) or _BARE.get(joined.removeprefix("to"))


def parts_of(module: nn.Module) -> list[Part]:
    """Every parameter whose name or place says what it is: q, k, v, o, or several in one.

    Where the names of an attention layer say nothing (`self.linears = ModuleList(4 x Linear)`), the order in which the
    matrices were made does: q, k, v, out.
    """
    found: list[Part] = []
    parameters = dict(module.named_parameters(remove_duplicate=False))
    modules = dict(module.named_modules(remove_duplicate=False))
    for name, parameter in parameters.items():
        path, _, leaf = name.rpartition(".")
        is_layer = leaf in ("weight", "bias") and path != ""
        owner_name = re.sub(r"(\.\d+)+$", "", path).rpartition(".")[-1] if is_layer else leaf
        role = role_of(owner_name)
        if role is None:
            continue
        if leaf in ("bias_k", "bias_v"):
            continue  # of nn.MultiheadAttention: no bias but a key and a value more
        is_bias = leaf == "bias" if is_layer else bool(re.match(r"(?i)b_|.*bias", leaf)) or parameter.ndim == 1
        stored = _stored(modules[path]) if is_layer else "raw"
        if leaf in ("in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            stored = "linear"
        kind: Literal["weight", "bias"] = "bias" if is_bias else "weight"
        if kind == "weight" and parameter.ndim < 2:
            continue
        index = sum(part.role == role and part.kind == kind for part in found)
        found.append(Part(name, role, kind, stored, index))
    found = _without_feed_forward(modules, found)
    roles = {part.role for part in found if part.kind == "weight"}
    if not ("qkv" in roles or {"q", "k", "v"} <= roles or {"q", "kv"} <= roles):
        return _by_order(module)
    return found if "o" in roles else found + _last_layer(modules, found)


def _without_feed_forward(modules: dict[str, nn.Module], found: list[Part]) -> list[Part]:
    """Without an fc_in and fc_out side by side, where the second reads all that the first makes, as no W_O does."""
    made: dict[str, int] = {}  # features, by the path of the module that holds the two
    read: dict[str, int] = {}
    for part in found:
        path = part.name.rpartition(".")[0]
        if part.kind == "weight" and part.stored != "raw" and _stored(modules[path]) != "raw":
            out, into = _features(modules[path])
            made |= {_around(part): out} if part.role == "qkv" else {}
            read |= {_around(part): into} if part.role == "o" else {}
    return [part for part in found if _around(part) not in made or made[_around(part)] != read.get(_around(part))]


def _around(part: Part) -> str:
    """The path of the module that holds the layer of this parameter."""
    return part.name.rpartition(".")[0].rpartition(".")[0]


def _features(layer: nn.Module) -> tuple[int, int]:
    """How many features a linear layer makes, and how many it reads."""
    weight = layer.weight
    assert isinstance(weight, Tensor)  # asked before
    first, second = weight.shape[:2]
    return (first, second) if _stored(layer) == "linear" else (second, first)


def _last_layer(modules: dict[str, nn.Module], found: list[Part]) -> list[Part]:
    """The output projection by what is left: the only linear layer that none of the names says anything about."""
    known = {part.name.rpartition(".")[0] for part in found}
    left = [(n, m) for n, m in modules.items() if n not in known and _stored(m) != "raw"]
    if len(left) != 1 or _NO_OUTPUT.search(left[0][0]):
        return []
    ((name, layer),) = left
    leaves = ["weight"] + ["bias"] * (getattr(layer, "bias", None) is not None)
    return [Part(f"{name}.{leaf}", "o", leaf, _stored(layer), 0) for leaf in leaves]  # type: ignore[arg-type]


def attentions_in(module: nn.Module) -> list[str]:
    """The paths of the attention layers inside: the smallest parts that have matrices for q, k, v and out each."""
    found = [path for path, child in module.named_modules() if {"o"} <= {part.role for part in parts_of(child)}]
    return [path for path in found if not any(_is_inside(other, path) for other in found)]


def spelled(path: str) -> str:
    """A path as Python reads it: "blocks.0.attention" -> "layer.blocks[0].attention"."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", f"layer.{path}")


def _is_inside(path: str, outer: str) -> bool:
    return path != outer and (outer == "" or path.startswith(f"{outer}."))


def _by_order(module: nn.Module) -> list[Part]:
    linears = [(name, child) for name, child in module.named_modules() if _stored(child) != "raw"]
    shapes = [_features(child) for _, child in linears]
    if len(linears) in (3, 4) and len(set(shapes[:3])) == 1:
        roles: tuple[Role, ...] = ("q", "k", "v", "o")
    elif len(linears) in (1, 2) and shapes[0][0] == 3 * shapes[0][1] and shapes[-1][1] == shapes[0][1]:
        roles = ("qkv", "o")
    else:
        return []
    return [
        Part(f"{name}.{leaf}", role, leaf, _stored(child), 0)
        for role, (name, child) in zip(roles, linears, strict=False)
        for leaf in ("weight", "bias")
        if f"{name}.{leaf}" in dict(module.named_parameters(remove_duplicate=False))
    ]


def is_pointwise(module: nn.Module) -> bool:
    """Whether it is a convolution that sees one token at a time, which is a Linear by another name."""
    if not isinstance(module, (nn.Conv1d, nn.Conv2d)):
        return False
    return set(module.kernel_size) == {1} and module.groups == 1


def has_convolutions(subject: object) -> bool:
    """Whether a module has such convolutions, so that it may want [batch, feature, token]."""
    return isinstance(subject, nn.Module) and any(is_pointwise(module) for module in subject.modules())


def _stored(module: nn.Module) -> Stored:
    is_linear = isinstance(module, nn.Linear) or getattr(module, "original_name", "") == "Linear"  # torch.jit.script
    if is_linear or is_pointwise(module):
        return "linear"
    is_conv1d = type(module).__name__ == "Conv1D" and isinstance(getattr(module, "weight", None), nn.Parameter)
    return "conv1d" if is_conv1d else "raw"  # transformers' Conv1D, GPT-2's linear layer, is stored [in, out]
