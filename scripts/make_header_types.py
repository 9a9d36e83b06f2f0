"""Writes attnviz/views/headers.d.ts: what headers.py and each view's header.py declare, as TypeScript.

python scripts/make_header_types.py
"""

from collections.abc import Sequence
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from attnviz.views import headers
from attnviz.views.panel import blocks

ROOT = Path(__file__).resolve().parents[1]
VIEWS = ("heads", "home", "compare", "training", "stepper", "panel")
TARGET = ROOT / "attnviz" / "views" / "headers.d.ts"
BEGINNING = """\
// Written by scripts/make_header_types.py from headers.py and */header.py; a contract test compares them.

interface Tensor {
  data: Uint8Array | Uint16Array | Uint32Array | Float32Array;
  shape: number[];
}

type Arrays = Record<string, Tensor>;

interface Payload<Header> {
  header: Header;
  arrays: Arrays;
}
"""
NAMES = {str: "string", int: "number", float: "number", bool: "boolean", object: "any", NoneType: "null"}


def named(hint: Any) -> str:
    """A Python type as TypeScript names it."""
    if hint in NAMES:
        return NAMES[hint]
    if is_typeddict(hint) or is_dataclass(hint):
        return str(hint.__name__)
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(named(it) for it in of))
    if origin is Literal:
        return " | ".join(f"'{it}'" for it in of)
    if origin is dict:
        return f"Record<{named(of[0])}, {named(of[1])}>"
    if origin in (list, Sequence) or (origin is tuple and of[-1] is ...):
        inside = named(of[0])
        return f"({inside})[]" if " | " in inside else f"{inside}[]"
    if origin is tuple:
        return f"[{', '.join(named(it) for it in of)}]"
    raise TypeError(f"{hint} has no name in TypeScript; add it to make_header_types.py.")


def interface(name: str, of: Any) -> str:
    """One TypedDict with the fields of its bases, or one dataclass."""
    lines = []
    for field, hint in get_type_hints(of, include_extras=True).items():
        is_optional = get_origin(hint) is NotRequired
        lines.append(f"  {field}{'?' if is_optional else ''}: {named(get_args(hint)[0] if is_optional else hint)};")
    said = [f"/** {of.__doc__} */"] if of.__doc__ else []
    return "\n".join([*said, f"interface {name} {{", *lines, "}"])


def declared() -> dict[str, Any]:
    """Every class of a header by its name."""
    modules = [headers, *(import_module(f"attnviz.views.{view}.header") for view in VIEWS)]
    typed = {name: it for module in modules for name, it in vars(module).items() if is_typeddict(it)}
    own = [it for it in vars(blocks).values() if is_dataclass(it) and it not in (blocks.Map, blocks.Maps)]
    return typed | {it.__name__: it for it in own}


def header_types() -> str:
    return "\n".join([BEGINNING, *(f"{interface(name, it)}\n" for name, it in declared().items())])


if __name__ == "__main__":
    TARGET.write_text(header_types(), encoding="utf-8")
