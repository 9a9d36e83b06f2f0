"""How many lines are MiniLM: the functions that run when its weights go through our Encoder, counted from the source.

Counted is code alone, without docstrings, comments, blank lines and imports; a function is counted whole, with its
first line and with branches that MiniLM does not take, and so is the `class` line above a method. The list is of
one call with gradients allowed; without them the same formula runs in place, in `attend._weights_in_place`. Not in the
list is what runs around the arithmetic (AROUND): it refuses bad input, names values for whoever records, holds sizes.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from attnviz.core import attend, capture, ops, site
from attnviz.core import checks as core_checks
from attnviz.models import attention, blocks, config, layers, positions, side_by_side, transformer
from attnviz.models.attention import MultiHeadAttention
from attnviz.models.blocks import EncoderBlock
from attnviz.models.layers import FeedForward, Residual, TokenEmbedding
from attnviz.models.positions import LearnedPositions
from attnviz.models.side_by_side import SideBySide
from attnviz.models.support import checks, mask_checks, masking
from attnviz.models.transformer import Encoder

AROUND = (core_checks, capture, site, checks, mask_checks, config)

MINILM: dict[ModuleType, tuple[Callable[..., object], ...]] = {
    transformer: (Encoder.__init__, Encoder.forward, Encoder.through_blocks),
    layers: (
        TokenEmbedding.__init__, TokenEmbedding.forward, FeedForward.__init__, FeedForward.forward,
        Residual.__init__, Residual.enter, Residual.leave, layers.layer_norm, layers._positions,
    ),
    positions: (LearnedPositions.__init__, LearnedPositions.forward, positions._refuse_past_the_end),
    blocks: (EncoderBlock.__init__, EncoderBlock.forward, blocks._attention),
    attention: (
        MultiHeadAttention.__init__, MultiHeadAttention.forward, MultiHeadAttention._checked,
        MultiHeadAttention._projected, MultiHeadAttention._made,
    ),
    side_by_side: (
        SideBySide.__init__, SideBySide.lay_side_by_side, SideBySide.joint_product, SideBySide._linears,
        side_by_side._are_laid, side_by_side._let_go, side_by_side._can_join, side_by_side._joined, side_by_side._place,
    ),
    masking: (masking.join_masks,),
    attend: (attend.attend, attend._in_precision_of, attend._weights, attend._scaled),
    ops: (
        ops.split_heads, ops.raw_scores, ops.scale_scores, ops.add_mask, ops.blocked_rows, ops.softmax_rows,
        ops.weigh_values, ops.merge_heads,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """What runs of one file."""

    path: str  # "attnviz/models/attention.py"
    n_lines: int
    names: tuple[str, ...]  # "MultiHeadAttention.forward", in the order of the file


@cache
def minilm_lines() -> tuple[Counted, ...]:
    """The lines that are MiniLM, file by file; their sum is N of "these N lines are MiniLM"."""
    return tuple(_counted(module, functions) for module, functions in MINILM.items())


def _counted(module: ModuleType, functions: tuple[Callable[..., object], ...]) -> Counted:
    source = inspect.getsource(module)
    wanted = {function.__qualname__ for function in functions}
    names: list[str] = []
    lines: set[int] = set()
    for name, node, owner in _functions(ast.parse(source)):
        if name in wanted:
            names.append(name)
            lines |= _code_of(node)
            lines |= set() if owner is None else set(range(owner.lineno, owner.body[0].lineno))
    assert set(names) == wanted
    written = {
        number
        for number, line in enumerate(source.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#")
    }
    return Counted(f"{module.__name__.replace('.', '/')}.py", len(lines & written), tuple(names))


def _functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef, ast.ClassDef | None]]:
    """Every function and method of a file: its qualified name, itself, and the class it belongs to."""
    found: list[tuple[str, ast.FunctionDef, ast.ClassDef | None]] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append((node.name, node, None))
        if isinstance(node, ast.ClassDef):
            methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
            found += [(f"{node.name}.{method.name}", method, node) for method in methods]
    return found


def _code_of(node: ast.FunctionDef) -> set[int]:
    """The numbers of its lines, without those of its docstring."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = set(range(first, (node.end_lineno or first) + 1))
    if ast.get_docstring(node) is not None:
        docstring = node.body[0]
        lines -= set(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return lines
