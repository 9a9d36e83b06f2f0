"""Slices of wide and long matrices, so that a chain fits into a page; the arithmetic still runs over the full width.

What a slice leaves out of a sum is added up, cell by cell, in `rest`: the terms that are here + rest = the cell. In a
softmax row, `rest` is what the hidden columns add to the sum of exponentials. Mean and variance of a norm row are those
of the whole row.
"""

from collections.abc import Mapping
from dataclasses import replace

import torch

from attnviz.explanation.cell_rules import exponentials
from attnviz.explanation.matrices import ONE, Axis, Chain, Matrix, Operand, RunStep, Slice

FEATURES = (
    "d_model",
    "d_ff",
    "H·d_k",
    "G·d_k",
    "H·d_v",
    "G·d_v",
    "V",
)  # axes that are sliced to save bytes; a head's own width stays whole
WIDTHS = (96, 64, 48, 32, 24, 16, 12, 8)


def slice_chain(chain: Chain, slices: Mapping[str, Slice]) -> Chain:
    """The same steps over slices of some axes, (start, length) by the letter: T_q T_k T d_model d_k d_ff V …."""
    return replace(chain, steps=tuple(_step(step, slices) for step in chain.steps))


def slice_to_fit(chain: Chain, n_bytes: int, *, start: int = 0) -> Chain:
    """The chain in at most so many bytes, where slices of its feature axes from `start` on can reach that."""
    fitted = chain
    for width in WIDTHS:
        if fitted.nbytes <= n_bytes:
            break
        fitted = slice_chain(chain, {letter: (start, width) for letter in FEATURES})
    return fitted


def _step(step: RunStep, slices: Mapping[str, Slice]) -> RunStep:
    """One step over slices of its axes."""
    rows, columns = _slice(step.result.rows, slices), _slice(step.result.columns, slices)
    if step.rule in ("split", "concat", "rotate"):  # each reads whole columns of its operands
        columns = _whole(step.result.columns)
    read = _operand_slices(step, rows, columns, slices) if step.operands else []
    rest = _rest(step, columns, slices)
    return replace(
        step,
        result=_sliced(step.result, rows, columns),
        operands=tuple(_operand(operand, *needed) for operand, needed in zip(step.operands, read, strict=True)),
        bias=step.bias and _along(step, step.bias, rows, columns),
        rest=rest and _along(step, rest, rows, columns),
        extras={name: _along(step, extra, rows, columns) for name, extra in step.extras.items()},
    )


def _slice(axis: Axis, slices: Mapping[str, Slice]) -> Slice:
    """What is left of an axis: the slice of its letter, moved back inside where it would run past the end."""
    start, count = slices.get(axis.letter, _whole(axis))
    count = min(count, axis.count)
    return min(max(start, axis.start), axis.stop - count), count


def _whole(axis: Axis) -> Slice:
    return axis.start, axis.count


def _operand_slices(
    step: RunStep, rows: Slice, columns: Slice, slices: Mapping[str, Slice]
) -> list[tuple[Slice, Slice]]:
    """Rows and columns of each operand that these cells of the result are made of."""
    first, last = step.operands[0], step.operands[-1]
    match step.rule:
        case "lookup":
            return [(rows, _whole(first.columns)), (_whole(last.rows), columns)]
        case "product":
            inner = _slice(first.columns, slices)
            return [(rows, inner), (inner, columns)]
        case "split" | "concat" | "rotate":
            return [(rows, _whole(operand.columns)) for operand in step.operands]
    return [(rows, columns)] * len(step.operands)


def _rest(step: RunStep, columns: Slice, slices: Mapping[str, Slice]) -> Matrix | None:
    """What the terms that are left out add up to, for all rows and columns of the result."""
    result, before = step.result, 0.0 if step.rest is None else step.rest.values.double()
    base = f"{result.key.partition('[')[0]}.rest"
    if step.rule == "product" and step.operands:
        left, right = (operand.values.double() for operand in step.operands)  # [rows, inner], [inner, columns]
        inner = step.operands[0].columns
        start, count = _slice(inner, slices)
        here = slice(start - inner.start, start - inner.start + count)
        if count < inner.count:
            hidden = left @ right - left[:, here] @ right[here] + before  # [rows, columns]
            return Matrix(f"{base}.{start}", "rest", hidden, result.rows, result.columns)
    if step.rule == "softmax row" and step.operands and columns != _whole(result.columns):
        first = columns[0] - result.columns.start
        exp = exponentials(step)  # [rows, columns]
        hidden = exp.sum(-1, keepdim=True) - exp[:, first : first + columns[1]].sum(-1, keepdim=True)  # [rows, 1]
        return Matrix(f"{base}.{columns[0]}", "rest", torch.clamp(hidden + before, min=0.0), result.rows, ONE)
    return step.rest


def _operand(operand: Operand, rows: Slice, columns: Slice) -> Operand:
    if operand.is_transposed:
        rows, columns = columns, rows
    return replace(operand, matrix=_sliced(operand.matrix, rows, columns))


def _along(step: RunStep, matrix: Matrix, rows: Slice, columns: Slice) -> Matrix:
    """A matrix beside the result, sliced as the result is; an axis that the result has not stays."""
    rows = rows if matrix.rows == step.result.rows else _whole(matrix.rows)
    columns = columns if matrix.columns == step.result.columns else _whole(matrix.columns)
    return _sliced(matrix, rows, columns)


def _sliced(matrix: Matrix, rows: Slice, columns: Slice) -> Matrix:
    """A slice of a matrix, with another key."""
    if rows == _whole(matrix.rows) and columns == _whole(matrix.columns):
        return matrix
    sliced = matrix.sliced(rows, columns)
    ranges = f"{sliced.rows.start}:{sliced.rows.stop},{sliced.columns.start}:{sliced.columns.stop}"
    return replace(sliced, key=f"{matrix.key.partition('[')[0]}[{ranges}]")
