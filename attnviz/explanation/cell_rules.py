"""The rules of steps, a row each: how one cell is written out, and how the whole matrix is computed, in float64.

Cell (i, j) follows from the operands (o), `bias`, `extras` and `facts` of a step alone, here and in the browser:

    lookup        o[1][ids.index(o[0][i, 0]), j]
    position      sin (j even) or cos (j odd) of i · base^(−2⌊j/2⌋ / width)
    product       Σ_k o[0][i, k] · o[1][k, j] + bias[0, j] + rest[i, j]
    scale         o[0][i, j] · every factor
    add, mask     Σ_o o[i, j]
    times         o[0][i, j] · o[1][i, j]
    cap           c · tanh(o[0][i, j] / c)
    activation    curve(o[0][i, j])
    softmax row   exp(o[0][i, j] − highest[i]) / sum[i], the sum over all keys, the sink and rest[i]; 0 where sum = 0
    norm row      (o[0][i, j] − mean[i]) / √(variance[i] + epsilon) · gain[0, j] + shift[0, j]
    rms row       o[0][i, j] / √(square[i] + epsilon) · gain[0, j]
    rotate        magnitude · (o[0][i, j] · cos(a) ∓ o[0][i, partner of j] · sin(a)) with a = i · frequency[0, j], in
                  float32 as models compute angles: − for the first number of a pair, + for the second
    split         o[0][i, first + j]
    concat        the operands side by side
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.core.ops import NEVER
from attnviz.explanation.matrices import Matrix, Operand, RunStep
from attnviz.explanation.steps import RuleName
from attnviz.models.layers import ACTIVATIONS
from attnviz.trace.trace import Trace


@dataclass(frozen=True)
class Term:
    """One of the numbers that a cell is made of: `left` and `right`, and what the rule makes of the two."""

    label: str  # the token or the number of the feature, from 0; or "bias", "rest", "sink", …
    left: float
    right: float
    product: float


@dataclass(frozen=True)
class Rule:
    """How the cells of a step are computed, twice: one with its terms, and all at once."""

    terms: Callable[[RunStep, int, int], Sequence[Term]]  # of the cell in a row and a column of the whole matrix
    value: Callable[[Sequence[Term], int], float]  # the cell, from its terms and the index of its own
    matrix: Callable[[RunStep], Tensor]  # every cell that is here: float64 [rows, columns]
    is_sum: bool = False  # whether the products of the terms add up to the cell


def at(matrix: Matrix | Operand, row: int, column: int) -> float:
    """The number in a row and a column of the whole matrix."""
    i, j = row - matrix.rows.start, column - matrix.columns.start
    if not (0 <= i < matrix.rows.count and 0 <= j < matrix.columns.count):
        raise StepError(
            id="cell-not-here", row=row, column=column, name=matrix.name,
            rows=f"{matrix.rows.start}–{matrix.rows.stop - 1}",
            columns=f"{matrix.columns.start}–{matrix.columns.stop - 1}",
        )  # fmt: skip
    return float(matrix.values[i, j])


def _term(label: str, left: float, right: float = 1.0) -> Term:
    return Term(label, left, right, left * right)


def _row(matrix: Operand, row: int) -> Iterator[tuple[str, float]]:
    """The numbers of a row that are here, each with the name of its column."""
    labels = map(matrix.columns.label, range(matrix.columns.start, matrix.columns.stop))
    return zip(labels, matrix.values[row - matrix.rows.start].tolist(), strict=True)


def _double(step: RunStep, operand: int = 0) -> Tensor:
    return step.operands[operand].values.double()  # [rows, columns]


def _only(terms: Sequence[Term], term_index: int) -> float:
    """The value of a cell that is made of one term."""
    return terms[0].product


# ------------------------------------------------------------------------------------------------- numbers copied


def _lookup_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    ids, table = step.operands
    entry = table.rows.start + step.ids.index(int(at(ids, row, 0)))
    return [_term(table.rows.label(entry), at(table, entry, column))]


def _lookup_matrix(step: RunStep) -> Tensor:
    entries = [step.ids.index(int(number)) for number in step.operands[0].values[:, 0]]
    return _double(step, 1)[entries]  # [rows, columns]


def _split_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    whole, index = step.operands[0], int(step.facts["first"]) + column
    return [_term(whole.columns.label(index), at(whole, row, index))]


def _split_matrix(step: RunStep) -> Tensor:
    whole, columns = step.operands[0], step.result.columns
    first = int(step.facts["first"]) + columns.start - whole.columns.start
    return _double(step)[:, first : first + columns.count]  # [rows, columns]


def _concat_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    head, within = divmod(column, step.operands[0].columns.size)  # all heads are of one width
    return [_term(step.operands[head].name, at(step.operands[head], row, within))]


def _concat_matrix(step: RunStep) -> Tensor:
    whole = torch.cat([operand.values.double() for operand in step.operands], dim=-1)  # [rows, H·d_v]
    return whole[:, step.result.columns.start : step.result.columns.stop]  # [rows, columns]


# --------------------------------------------------------------------------------------------------------- sums


def _product_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    left, right = step.operands
    down = right.values[:, column - right.columns.start].tolist()
    terms = [_term(label, a, b) for (label, a), b in zip(_row(left, row), down, strict=True)]
    if step.bias is not None:
        terms.append(_term("bias", at(step.bias, 0, column)))
    if step.rest is not None:
        terms.append(_term("rest", at(step.rest, row, column)))
    return terms


def _product_matrix(step: RunStep) -> Tensor:
    total = _double(step) @ _double(step, 1)  # [rows, inner] @ [inner, columns]
    for added in (step.bias, step.rest):
        if added is not None:
            total = total + added.values.double()  # [rows, columns]
    return total


def _sum_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    return [_term(operand.name, at(operand, row, column)) for operand in step.operands]


def _sum(terms: Sequence[Term], term_index: int) -> float:
    products = [term.product for term in terms]
    return NEVER if NEVER in products else math.fsum(products)


def _sum_matrix(step: RunStep) -> Tensor:
    return torch.stack([operand.values.double() for operand in step.operands]).sum(0)  # [rows, columns]


# ------------------------------------------------------------------------------------------------ cell by cell


def _position_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    rate = float(step.facts["base"]) ** (-(column - column % 2) / float(step.facts["width"]))
    return [_term("cos" if column % 2 else "sin", row, rate)]


def _position_value(terms: Sequence[Term], term_index: int) -> float:
    return math.cos(terms[0].product) if terms[0].label == "cos" else math.sin(terms[0].product)


def _position_matrix(step: RunStep) -> Tensor:
    rows, columns = step.result.rows, step.result.columns
    position = torch.arange(rows.start, rows.stop, dtype=torch.float64)[:, None]  # [rows, 1]
    column = torch.arange(columns.start, columns.stop)  # [columns]
    exponent = (column - column % 2).double() / float(step.facts["width"])  # [columns]
    angle = position * torch.exp(-math.log(float(step.facts["base"])) * exponent)  # [rows, columns]
    return torch.where(column % 2 == 1, angle.cos(), angle.sin())  # [rows, columns]


def _scale_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    """A term for each factor, with what it multiplies."""
    value, terms = at(step.operands[0], row, column), []
    for symbol, factor in step.factors.items():
        terms.append(_term(symbol, value, factor))
        value *= factor
    return terms


def _times_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    left, right = (at(operand, row, column) for operand in step.operands)
    return [_term(step.operands[1].name, left, right)]


def _rotated_with(step: RunStep, column: int) -> tuple[int, float] | None:
    """The other number of a column's pair, and the sign of its sine; None where a column is not rotated."""
    width = int(step.facts["width"])
    if column >= width:
        return None
    if step.facts["pairs"] == "neighbours":
        return (column + 1, -1.0) if column % 2 == 0 else (column - 1, 1.0)
    half = width // 2
    return (column + half, -1.0) if column < half else (column - half, 1.0)


def rotation_pairs(step: RunStep) -> tuple[tuple[int, int], ...]:
    """The two columns of each pair that a rotation turns, in the order of their frequencies."""
    partners = ((column, _rotated_with(step, column)) for column in range(step.result.columns.size))
    return tuple((column, other[0]) for column, other in partners if other is not None and other[1] < 0)


def _rotate_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    x, pair = at(step.operands[0], row, column), _rotated_with(step, column)
    if pair is None:
        return [_term("x", x)]
    partner, sign = pair
    position = torch.tensor(row, dtype=torch.float32)
    angle = float(position * step.extras["frequency"].values[0, column - step.result.columns.start])
    size = float(step.facts["magnitude"])
    return [
        _term("x", x, size * math.cos(angle)),
        _term("partner", at(step.operands[0], row, partner), sign * size * math.sin(angle)),
    ]


def _rotate_matrix(step: RunStep) -> Tensor:
    x, rows, columns = _double(step), step.result.rows, range(step.result.columns.size)  # [rows, d_k]
    pairs = [_rotated_with(step, column) or (column, 0.0) for column in columns]
    partner = x[:, [other for other, _ in pairs]]  # [rows, d_k]
    sign = torch.tensor([sign for _, sign in pairs], dtype=torch.float64)  # [d_k]
    position = torch.arange(rows.start, rows.stop, dtype=torch.float32)[:, None]  # [rows, 1]
    angle = (position * step.extras["frequency"].values).double()  # [rows, d_k]
    size = torch.where(sign == 0, 1.0, float(step.facts["magnitude"]))  # [d_k]
    return size * (x * angle.cos() + partner * sign * angle.sin())  # [rows, d_k]


def _cap_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    score, cap = at(step.operands[0], row, column), float(step.facts["cap"])
    return [Term("cap", score, cap, cap * math.tanh(score / cap))]


def _cap_matrix(step: RunStep) -> Tensor:
    cap = float(step.facts["cap"])
    return cap * torch.tanh(_double(step) / cap)  # [rows, columns]


def _activation_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    x, curve = at(step.operands[0], row, column), str(step.facts["curve"])
    return [Term(curve, x, 1.0, float(ACTIVATIONS[curve](torch.tensor(x, dtype=torch.float64))))]


# ---------------------------------------------------------------------------------------------------- row by row


def _softmax_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    highest = at(step.extras["highest"], row, 0)
    numbers = list(_row(step.operands[0], row))
    if "sink" in step.facts:
        numbers.append(("sink", float(step.facts["sink"])))
    terms = [Term(label, x, highest, 0.0 if x == NEVER else math.exp(x - highest)) for label, x in numbers]
    if step.rest is not None:  # what the hidden keys add to the sum of exponentials, as if it were one key
        hidden = at(step.rest, row, 0)
        terms.append(Term("rest", highest + math.log(hidden) if hidden > 0 else NEVER, highest, hidden))
    return terms


def _softmax_value(terms: Sequence[Term], term_index: int) -> float:
    total = math.fsum(term.product for term in terms)
    return terms[term_index].product / total if total > 0 else 0.0  # zeros where a query cannot attend to any key


def exponentials(step: RunStep) -> Tensor:
    """exp(operand − highest) of softmax rows, float64 [rows, columns]: zeros where a query cannot attend to any key."""
    highest = step.extras["highest"].values.double()  # [rows, 1]
    return torch.exp(_double(step) - torch.where(highest == NEVER, 0.0, highest))


def _softmax_matrix(step: RunStep) -> Tensor:
    exp = exponentials(step)  # [rows, columns]
    total = exp.sum(-1, keepdim=True)  # [rows, 1]
    if "sink" in step.facts:
        total = total + torch.exp(float(step.facts["sink"]) - step.extras["highest"].values.double())
    if step.rest is not None:
        total = total + step.rest.values.double()
    return torch.where(total > 0, exp / total, 0.0)  # [rows, columns]


def _norm_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    return [
        _term("x", at(step.operands[0], row, column)),
        _term("mean", at(step.extras["mean"], row, 0)),
        _term("variance", at(step.extras["variance"], row, 0)),
        _term("epsilon", float(step.facts["epsilon"])),
        _term("gain", at(step.extras["gain"], 0, column)),
        _term("shift", at(step.extras["shift"], 0, column)),
    ]


def _norm_value(terms: Sequence[Term], term_index: int) -> float:
    x, mean, variance, epsilon, gain, shift = (term.left for term in terms)
    return (x - mean) / math.sqrt(variance + epsilon) * gain + shift


def _norm_matrix(step: RunStep) -> Tensor:
    mean, variance = (step.extras[name].values.double() for name in ("mean", "variance"))  # [rows, 1]
    gain, shift = (step.extras[name].values.double() for name in ("gain", "shift"))  # [1, columns]
    return (_double(step) - mean) / torch.sqrt(variance + float(step.facts["epsilon"])) * gain + shift


def _rms_terms(step: RunStep, row: int, column: int) -> Sequence[Term]:
    return [
        _term("x", at(step.operands[0], row, column)),
        _term("square", at(step.extras["square"], row, 0)),
        _term("epsilon", float(step.facts["epsilon"])),
        _term("gain", at(step.extras["gain"], 0, column)),
    ]


def _rms_value(terms: Sequence[Term], term_index: int) -> float:
    x, square, epsilon, gain = (term.left for term in terms)
    return x / math.sqrt(square + epsilon) * gain


def _rms_matrix(step: RunStep) -> Tensor:
    square, gain = (step.extras[name].values.double() for name in ("square", "gain"))  # [rows, 1], [1, columns]
    return _double(step) / torch.sqrt(square + float(step.facts["epsilon"])) * gain  # [rows, columns]


RULES: dict[RuleName, Rule] = {
    "lookup": Rule(_lookup_terms, _only, _lookup_matrix),
    "split": Rule(_split_terms, _only, _split_matrix),
    "concat": Rule(_concat_terms, _only, _concat_matrix),
    "product": Rule(_product_terms, _sum, _product_matrix, is_sum=True),
    "add": Rule(_sum_terms, _sum, _sum_matrix, is_sum=True),
    "mask": Rule(_sum_terms, _sum, _sum_matrix, is_sum=True),
    "times": Rule(_times_terms, _only, lambda step: _double(step) * _double(step, 1)),
    "rotate": Rule(_rotate_terms, _sum, _rotate_matrix, is_sum=True),
    "position": Rule(_position_terms, _position_value, _position_matrix),
    "scale": Rule(
        _scale_terms,
        lambda terms, term_index: terms[0].left * math.prod(term.right for term in terms),
        lambda step: _double(step) * math.prod(step.factors.values()),
    ),
    "cap": Rule(_cap_terms, _only, _cap_matrix),
    "activation": Rule(_activation_terms, _only, lambda step: ACTIVATIONS[str(step.facts["curve"])](_double(step))),
    "softmax row": Rule(_softmax_terms, _softmax_value, _softmax_matrix),
    "norm row": Rule(_norm_terms, _norm_value, _norm_matrix),
    "rms row": Rule(_rms_terms, _rms_value, _rms_matrix),
}


CELL_TOLERANCE = 1e-5  # of the matrix's largest value: what float32 rounding explains
COARSEST = 4e-2  # what the rounding of a run in bfloat16 explains


def checked(step: RunStep, trace: Trace) -> RunStep:
    """The step with its difference from its own rule.

    Where the rule gives another matrix, the step loses its operands and gets a note: an edit of the run replaced the
    matrix, or the trace was given other ids or parameters than the model read.
    """
    difference = relative_difference(step.result, RULES[step.rule].matrix(step))
    if difference > (CELL_TOLERANCE if trace.edits else COARSEST):
        note = "step-note-edited" if trace.edits else "step-note-not-so"
        return replace(step, operands=(), bias=None, extras={}, difference=difference, note=note)
    return replace(step, difference=difference)


def relative_difference(result: Matrix, recomputed: Tensor) -> float:
    """The largest difference, as a share of the largest value (or absolute where that is below 1e-6); ∞ where one
    holds −∞ or NaN and the other does not.
    """
    ours = result.values.double()  # [rows, columns]
    finite = torch.isfinite(ours)  # [rows, columns]
    if not torch.equal(finite, torch.isfinite(recomputed)) or not torch.equal(ours[~finite], recomputed[~finite]):
        return math.inf
    if not bool(finite.any()):
        return 0.0
    largest = result.largest if result.largest > 1e-6 else 1.0
    return float((ours - recomputed)[finite].abs().max()) / largest


@dataclass(frozen=True)
class Cell:
    """One number with the arithmetic that makes it."""

    value: float  # as the trace has it
    rule: RuleName
    terms: tuple[Term, ...] = field(repr=False)
    formula: str
    term_index: int = 0  # softmax row: which of the terms is this cell's

    @property
    def recomputed(self) -> float:
        """The rule over the terms, in float64."""
        return RULES[self.rule].value(self.terms, self.term_index)

    @property
    def is_sum(self) -> bool:
        """Whether the products of the terms add up to the value."""
        return RULES[self.rule].is_sum


def explain_cell(step: RunStep, row: int, column: int) -> Cell:
    """Write out one cell of what a step wrote; row and column are counted over the whole matrix.

    Raises:
        StepError: the cell is not here, or its rule does not make it: an edit replaced it, or the trace was given
            other ids than the model read.
    """
    if step.note == "step-note-edited":
        raise StepError(id="edited-step", step=step.name)
    if step.note:
        raise StepError(id="not-its-rule", step=step.name)
    value = at(step.result, row, column)
    terms = tuple(RULES[step.rule].terms(step, row, column))
    return Cell(value, step.rule, terms, step.definition.formula, column - step.result.columns.start)
