"""From a step's matrices to any of its cells, written out, and to the whole matrix made again in float64.

The same arithmetic twice: `cell` for one number with its terms, `remade` for all of them at once, by which every step
of a chain is held against the run's own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from attnviz.core.errors import StepError
from attnviz.explanation.cell import Cell, Term
from attnviz.explanation.matrices import Axis, Matrix, Reading, StepMatrix

NEVER = -math.inf


def cell(step: StepMatrix, row: int, column: int) -> Cell:
    """Cell (row, column) of what a step wrote, counted over the whole matrix.

    Returns:
        the cell: `cell.recomputed`, the rule over its terms in float64, gives `cell.value` again.
    Raises:
        StepError: the cell is not here, or an edit replaced the matrix, so that no arithmetic makes it.
    """
    if step.note:
        if step.note == "step-note-edited":
            raise StepError(
                f"{step.name} was replaced by an edit, so no arithmetic makes it. Explain the untouched run.",
                id="edited-step", step=step.name,
            )  # fmt: skip
        raise StepError(
            f"{step.name} is not what its rule makes of what this trace holds. Give run.trace() the ids and matrices "
            "that the model read.",
            id="not-its-rule", step=step.name,
        )  # fmt: skip
    value = at(step.written, row, column)
    terms, own = _TERMS[step.rule](step, row, column)
    return Cell(value, step.rule, terms, step.step.formula, own)


def at(matrix: Matrix | Reading, row: int, column: int) -> float:
    """The number at a place of the whole matrix.

    Raises:
        StepError: that place is not here.
    """
    i, j = row - matrix.rows.start, column - matrix.columns.start
    if not (0 <= i < matrix.rows.count and 0 <= j < matrix.columns.count):
        raise StepError(
            f"Cell ({row}, {column}) is not in this part of {matrix.name}: rows {matrix.rows.start} to "
            f"{matrix.rows.stop - 1}, columns {matrix.columns.start} to {matrix.columns.stop - 1}.",
            id="cell-not-here", row=row, column=column,
        )  # fmt: skip
    return float(matrix.values[i, j])


def _labels(axis: Axis) -> list[str]:
    return [axis.label(place) for place in range(axis.start, axis.stop)]


def _row_of(matrix: Matrix | Reading, row: int) -> list[float]:
    """The numbers of a row that are here."""
    return [float(x) for x in matrix.values[row - matrix.rows.start].tolist()]


def _column_of(matrix: Matrix | Reading, column: int) -> list[float]:
    return [float(x) for x in matrix.values[:, column - matrix.columns.start].tolist()]


Terms = tuple[tuple[Term, ...], int]


def _one(label: str, left: float, right: float = 1.0) -> Term:
    return Term(label, left, right, left * right)


def _copied(label: str, value: float) -> Terms:
    return (_one(label, value),), 0


def _lookup(step: StepMatrix, row: int, column: int) -> Terms:
    number = int(at(step.operands[0], row, 0))
    table = step.operands[1]
    place = table.rows.start + step.ids.index(number)
    return _copied(table.rows.label(place), at(table, place, column))


def _position(step: StepMatrix, row: int, column: int) -> Terms:
    base, width = float(step.facts["base"]), float(step.facts["width"])
    rate = math.exp(-math.log(base) * (column - column % 2) / width)
    return (_one("place", row + float(step.facts.get("offset", 0)), rate),), column


def _product(step: StepMatrix, row: int, column: int) -> Terms:
    left, right = step.operands
    pairs = zip(_labels(left.columns), _row_of(left, row), _column_of(right, column), strict=True)
    terms = [_one(label, a, b) for label, a, b in pairs]
    if step.bias is not None:
        terms.append(_one("bias", at(step.bias, 0, column)))
    if step.rest is not None:
        terms.append(_one("rest", at(step.rest, row, column)))
    return tuple(terms), 0


def _sum(step: StepMatrix, row: int, column: int) -> Terms:
    return tuple(_one(reading.name, at(reading, row, column)) for reading in step.operands), 0


def _scale(step: StepMatrix, row: int, column: int) -> Terms:
    value, terms = at(step.operands[0], row, column), []
    for symbol, factor in step.factors.items():
        terms.append(_one(symbol, value, factor))
        value *= factor
    return tuple(terms), 0


def _cap(step: StepMatrix, row: int, column: int) -> Terms:
    before, c = at(step.operands[0], row, column), float(step.facts["cap"])
    return (Term("cap", before, c, c * math.tanh(before / c)),), 0


def _activation(step: StepMatrix, row: int, column: int) -> Terms:
    before, curve = at(step.operands[0], row, column), str(step.facts["curve"])
    return (Term(curve, before, 1.0, at(step.written, row, column)),), 0


def _softmax(step: StepMatrix, row: int, column: int) -> Terms:
    masked, highest = step.operands[0], at(step.extras["highest"], row, 0)

    def term(label: str, x: float) -> Term:
        return Term(label, x, highest, 0.0 if x == NEVER else math.exp(x - highest))

    terms = [term(label, x) for label, x in zip(_labels(masked.columns), _row_of(masked, row), strict=True)]
    if "sink" in step.facts:
        terms.append(term("sink", float(step.facts["sink"])))
    if step.rest is not None:
        hidden = at(step.rest, row, 0)  # what the hidden keys add to the sum of exponentials
        terms.append(Term("rest", highest + math.log(hidden) if hidden > 0 else NEVER, highest, hidden))
    return tuple(terms), column - masked.columns.start


def _norm(step: StepMatrix, row: int, column: int) -> Terms:
    parts = {
        "x": at(step.operands[0], row, column),
        "mean": at(step.extras["mean"], row, 0),
        "variance": at(step.extras["variance"], row, 0),
        "epsilon": float(step.facts["epsilon"]),
        "gain": at(step.extras["gain"], 0, column),
        "shift": at(step.extras["shift"], 0, column),
    }
    return tuple(_one(name, value) for name, value in parts.items()), 0


def _split(step: StepMatrix, row: int, column: int) -> Terms:
    whole, place = step.operands[0], int(step.facts["first"]) + column
    return _copied(whole.columns.label(place), at(whole, row, place))


def _concat(step: StepMatrix, row: int, column: int) -> Terms:
    head, place = _part_of(step, column)
    part = step.operands[head]
    return _copied(part.name, at(part, row, place))


def _part_of(step: StepMatrix, column: int) -> tuple[int, int]:
    """Which operand of a concat a column comes from, and which column of that."""
    for head, part in enumerate(step.operands):
        if column < part.columns.size:
            return head, column
        column -= part.columns.size
    raise AssertionError("a concat is as wide as its operands")


_TERMS: dict[str, Callable[[StepMatrix, int, int], Terms]] = {
    "lookup": _lookup, "position": _position, "product": _product, "add": _sum, "mask": _sum, "scale": _scale,
    "cap": _cap, "activation": _activation, "softmax row": _softmax, "norm row": _norm, "split": _split,
    "concat": _concat,
}  # fmt: skip


# ------------------------------------------------------------------------------------------------- parts of a row


def part_cell(step: StepMatrix, part: str, row: int, column: int = 0) -> Cell:
    """One number of what a row rule makes on its way: highest, exp and sum of a softmax; mean, variance and normalised
    of a norm.

    Raises:
        StepError: the step makes no such part.
    """
    if part not in _PARTS or part not in step.extras:
        raise StepError(f"{step.name} makes no {part} on its way.", id="no-such-step", step=part)
    whole = step.operands[0]
    if whole.columns.n_hidden and part in ("highest", "sum", "mean", "variance"):
        raise StepError(
            f"{part} of {step.name} runs over all {whole.columns.size} columns and {whole.columns.count} are here. "
            "Write it out of the whole chain.",
            id="cell-not-here", row=row, column=column,
        )  # fmt: skip
    rule, terms, own = _PARTS[part](step, row, column)
    return Cell(at(step.extras[part], row, column), rule, terms, FORMULAS[part], own)


FORMULAS = {
    "highest": "highest = max(row)", "exp": "exp(x − highest)", "sum": "sum = Σ exp(x − highest)",
    "mean": "mean = Σ x / D", "variance": "variance = Σ (x − mean)² / D",
    "normalised": "(x − mean) / √(variance + ε)",
}  # fmt: skip
Part = tuple[str, tuple[Term, ...], int]


def _row(step: StepMatrix, row: int) -> list[tuple[str, float]]:
    whole = step.operands[0]
    return list(zip(_labels(whole.columns), _row_of(whole, row), strict=True))


def _highest(step: StepMatrix, row: int, column: int) -> Part:
    return "max", tuple(_one(label, x) for label, x in [*_row(step, row), *_sink(step)]), 0


def _sink(step: StepMatrix) -> list[tuple[str, float]]:
    return [("sink", float(step.facts["sink"]))] if "sink" in step.facts else []


def _exp(step: StepMatrix, row: int, column: int) -> Part:
    x, highest = at(step.operands[0], row, column), at(step.extras["highest"], row, 0)
    return "exp", (Term("x", x, highest, 0.0 if x == NEVER else math.exp(x - highest)),), 0


def _exps(step: StepMatrix, row: int, column: int) -> Part:
    highest = at(step.extras["highest"], row, 0)
    shares = [(label, 0.0 if x == NEVER else math.exp(x - highest)) for label, x in [*_row(step, row), *_sink(step)]]
    return "add", tuple(_one(label, share) for label, share in shares), 0


def _mean(step: StepMatrix, row: int, column: int) -> Part:
    numbers = _row(step, row)
    return "product", tuple(_one(label, x, 1 / len(numbers)) for label, x in numbers), 0


def _variance(step: StepMatrix, row: int, column: int) -> Part:
    numbers, mean = _row(step, row), at(step.extras["mean"], row, 0)
    return "product", tuple(_one(label, x - mean, (x - mean) / len(numbers)) for label, x in numbers), 0


def _plain_norm(step: StepMatrix, row: int, column: int) -> Part:
    terms, _ = _norm(step, row, column)
    return "norm row", (*terms[:4], _one("gain", 1.0), _one("shift", 0.0)), 0


_PARTS: dict[str, Callable[[StepMatrix, int, int], Part]] = {
    "highest": _highest, "exp": _exp, "sum": _exps, "mean": _mean, "variance": _variance, "normalised": _plain_norm,
}  # fmt: skip
