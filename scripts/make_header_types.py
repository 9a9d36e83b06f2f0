"""Writes what the views' JavaScript has from Python: headers.d.ts, of headers.py and each view's header.py, as
TypeScript; and hosts/properties.js, of link.py.

python scripts/make_header_types.py
"""

import json
from collections.abc import Sequence
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from attnviz.views import headers, link
from attnviz.views.panel import blocks

ROOT = Path(__file__).resolve().parents[1]
VIEWS = ("heads", "home", "compare", "training", "stepper", "panel", "byhand")
FOLDER = ROOT / "attnviz" / "views"
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

/** Of what a link can say: see link.py. */
interface Property {
  asked: string[];
  picked: string[];
  type: string;
  of: string;
  along: boolean;
  quiet: boolean;
}
"""
PROPERTIES = """\
// Written by scripts/make_header_types.py from link.py; a contract test compares them.

/** @type {Record<string, Property>} */
export const PROPERTIES = {"""
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


def properties() -> str:
    """The table of what a link can say."""
    rows = []
    for each in link.TABLE:
        pages = {"asked": each.asked.split(), "picked": each.picked.split()}
        said = {**pages, "type": each.type, "of": each.of, "along": each.along, "quiet": each.quiet}
        facts = ", ".join(f"{name}: {json.dumps(value)}" for name, value in said.items()).replace('"', "'")
        rows.append(f"  {each.name}: {{{facts}}},")
    return "\n".join([PROPERTIES, *rows, "};\n"])


def written() -> dict[Path, str]:
    """Each file with its text."""
    return {FOLDER / "headers.d.ts": header_types(), FOLDER / "hosts" / "properties.js": properties()}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
