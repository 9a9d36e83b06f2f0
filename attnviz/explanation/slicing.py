"""Parts of wide and long matrices, so that a chain fits into a page: the arithmetic still runs over the full width.

What a part leaves out of a sum is added up, cell by cell, in `rest`: shown terms + rest = the cell. Of a softmax row,
`rest` is what the hidden columns add to the sum of exponentials. Mean and variance of a norm row are of the whole row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import torch

from attnviz.explanation.matrices import ONE, Axis, Chain, Matrix, Reading, StepMatrix

Part = tuple[int, int]  # start, count
FEATURES = ("D", "F", "H·Dv", "V")  # axes that are made narrow to save bytes; a head's own width stays whole
WIDTHS = (96, 64, 48, 32, 24, 16, 12, 8)


def narrow(chain: Chain, parts: Mapping[str, Part]) -> Chain:
    """The same steps over a part of some axes.

    Args:
        parts: by the letter of an axis (Tq Tk T D Dh F V …), where the part starts and how many places it has.
    """
    return replace(chain, steps=tuple(narrowed(step, parts) for step in chain.steps))


def within(chain: Chain, n_bytes: int, *, start: int = 0) -> Chain:
    """The chain in at most so many bytes where that can be reached by narrowing its feature axes; whole if it fits.

    Args:
        n_bytes: of all matrices, float32, each counted once.
        start: the first feature that is shown.
    """
    for width in WIDTHS:
        if chain.nbytes <= n_bytes:
            return chain
        cut = narrow(chain, {letter: (start, width) for letter in FEATURES})
        if cut.nbytes <= n_bytes or width == WIDTHS[-1]:
            return cut
    return chain


def narrowed(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    """One step over a part of its axes."""
    return _NARROW[step.rule if step.operands or step.rule == "position" else "add"](step, parts)


def _range(axis: Axis, parts: Mapping[str, Part]) -> Part:
    """What is left of an axis: the part of its letter, moved back inside where it would run past the end."""
    start, count = parts.get(axis.letter, (axis.start, axis.count))
    count = min(count, axis.count)
    return min(max(start, axis.start), axis.stop - count), count


def _whole(axis: Axis) -> Part:
    return axis.start, axis.count


def _cut(matrix: Matrix, rows: Part, columns: Part) -> Matrix:
    """A part of a matrix under a key of its own."""
    if rows == _whole(matrix.rows) and columns == _whole(matrix.columns):
        return matrix
    part = matrix.cut(rows, columns)
    places = (part.rows.start, part.rows.stop, part.columns.start, part.columns.stop)
    return replace(part, key="{}[{}:{},{}:{}]".format(matrix.key.split("[")[0], *places))


def _read(reading: Reading, rows: Part, columns: Part) -> Reading:
    if reading.is_turned:
        rows, columns = columns, rows
    return replace(reading, matrix=_cut(reading.matrix, rows, columns))


def _extras(step: StepMatrix, rows: Part, columns: Part) -> dict[str, Matrix]:
    return {
        name: _cut(
            part,
            _whole(part.rows) if part.rows.kind == "one" else rows,
            _whole(part.columns) if part.columns.kind == "one" else columns,
        )
        for name, part in step.extras.items()
    }


def _each(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    """Cell by cell: every operand is cut as the result is."""
    rows, columns = _range(step.written.rows, parts), _range(step.written.columns, parts)
    operands = tuple(_read(reading, rows, columns) for reading in step.operands)
    written, extras = _cut(step.written, rows, columns), _extras(step, rows, columns)
    return replace(step, written=written, operands=operands, extras=extras)


def _lookup(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    rows, columns = _range(step.written.rows, parts), _range(step.written.columns, parts)
    index, table = step.operands
    operands = (_read(index, rows, _whole(index.columns)), _read(table, _whole(table.rows), columns))
    return replace(step, written=_cut(step.written, rows, columns), operands=operands)


def _product(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    left, right = step.operands
    rows, columns = _range(step.written.rows, parts), _range(step.written.columns, parts)
    inner = _range(left.columns, parts)
    seen = slice(inner[0] - left.columns.start, inner[0] - left.columns.start + inner[1])
    written = _cut(step.written, rows, columns)
    rest = step.rest
    if inner != _whole(left.columns):
        down, right_of = left.values.double(), right.values.double()  # [rows, inner], [inner, columns]
        hidden = down @ right_of - down[:, seen] @ right_of[seen]  # [rows, columns]
        if rest is not None:
            hidden = hidden + rest.values.double()
        rest = Matrix(f"{step.written.key}.rest", "rest", hidden.float(), step.written.rows, step.written.columns)
        rest = replace(rest, key=f"{rest.key}.{inner[0]}")
    return replace(
        step,
        written=written,
        operands=(_read(left, rows, inner), _read(right, inner, columns)),
        bias=None if step.bias is None else _cut(step.bias, _whole(step.bias.rows), columns),
        rest=None if rest is None else _cut(rest, rows, columns),
    )


def _softmax(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    cut = _each(step, parts)
    if cut.written.columns == step.written.columns:
        return cut
    whole, seen = step.extras["exp"].values.double(), cut.extras["exp"].values.double()
    rows = slice(cut.written.rows.start - step.written.rows.start, None)
    hidden = whole.sum(-1, keepdim=True)[rows][: cut.written.rows.count] - seen.sum(-1, keepdim=True)  # [rows, 1]
    if step.rest is not None:
        hidden = hidden + step.rest.values.double()[rows][: cut.written.rows.count]
    key = f"{cut.written.key}.rest"
    return replace(cut, rest=Matrix(key, "rest", torch.clamp(hidden, min=0.0).float(), cut.written.rows, ONE))


def _split(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    """A head's own columns: of a matrix that is cut, these are the part that stays."""
    rows, whole = _range(step.written.rows, parts), step.operands[0]
    columns = _whole(whole.columns)
    if _range(whole.columns, parts) != columns:
        columns = (int(step.facts["first"]), step.written.columns.size)
    written = _cut(step.written, rows, _whole(step.written.columns))
    return replace(step, written=written, operands=(_read(whole, rows, columns),))


def _concat(step: StepMatrix, parts: Mapping[str, Part]) -> StepMatrix:
    """Columns are copied from one matrix after another: all of them stay whole in width."""
    rows = _range(step.written.rows, parts)
    operands = tuple(_read(reading, rows, _whole(reading.columns)) for reading in step.operands)
    return replace(step, written=_cut(step.written, rows, _whole(step.written.columns)), operands=operands)


_NARROW: dict[str, Callable[[StepMatrix, Mapping[str, Part]], StepMatrix]] = {
    "lookup": _lookup, "product": _product, "softmax row": _softmax, "split": _split, "concat": _concat,
    "position": _each, "add": _each, "mask": _each, "scale": _each, "cap": _each, "activation": _each,
    "norm row": _each,
}  # fmt: skip
