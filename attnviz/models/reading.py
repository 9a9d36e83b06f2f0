"""How many lines a newcomer reads to have read a whole model, counted from the source so that no page can drift."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

from attnviz.core import attend, ops
from attnviz.models import attention, blocks, layers, masking, positions, transformer

ENCODER = (ops, attend, attention, masking, positions, layers, blocks, transformer)  # the arithmetic of MiniLM, whole


def lines_of_code(*modules: ModuleType) -> int:
    """Lines that do something: neither blank nor comment nor docstring.

    Args:
        modules: the files to count; `reading.ENCODER` is everything that runs when our Encoder runs MiniLM's weights.
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
