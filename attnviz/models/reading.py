"""How many lines a newcomer reads to have read a whole model, counted from the source so that no page can drift."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

from attnviz.core import attend, capture, ops, site
from attnviz.core import checks as core_checks
from attnviz.models import attention, blocks, checks, config, layers, masking, positions, transformer

ENCODER = (ops, attend, attention, masking, positions, layers, blocks, transformer)  # see below

AROUND = (core_checks, capture, site, checks, config)  # runs as well, and computes nothing


def lines_of_code(*modules: ModuleType) -> int:
    """Lines that do something: neither blank nor comment nor docstring.

    Args:
        modules: the files to count. `reading.ENCODER` are the files with the arithmetic of an encoder such as MiniLM,
            each counted whole, so with the decoder's half of blocks.py and transformer.py. `reading.AROUND` runs too
            and is not counted: sizes, refusals, names and recording.
    """
    return sum(len(_lines_that_do_something(inspect.getsource(module))) for module in modules)


def _lines_that_do_something(source: str) -> set[int]:
    tree = ast.parse(source)
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    written = {
        number
        for number, line in enumerate(source.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#")
    }
    return written - docstrings
