"""A chain's axes, matrices and words as tables, each sent once, and its steps as rows that refer to them by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnviz.explanation.matrices import Matrix
from attnviz.views.stepper.chain_words import matrix_name, part_name, step_words
from attnviz.views.stepper.formula import own_formula
from attnviz.views.stepper.header import ChainStep, Question, StepAxis
from attnviz.views.stepper.header import Reading as TurnedReading
from attnviz.views.stepper.header import StepMatrix as MatrixHeader

if TYPE_CHECKING:
    from attnviz.explanation.matrices import Axis, Chain, Operand, RunStep
    from attnviz.text import Strings

SHOWN_DIGITS = 6  # of the largest value, which only scales colours


class Tables:
    """The ids of all axes and matrices of a chain, and the `words` of its steps, once where several share them."""

    def __init__(self, chain: Chain, say: Strings):
        self._chain, self._say = chain, say
        self._said = [step_words(step, chain, say) for step in chain.steps]
        self.words = [words for at, words in enumerate(self._said) if words not in self._said[:at]]
        self._axes: dict[Axis, str] = {}
        self._matrices: dict[str, Matrix] = {}
        self._heads = _numbered(chain.steps)
        self._counts: set[str] = set()  # matrices whose numbers are names of rows, not sizes
        self._read_transposed = {
            operand.matrix.key for step in chain.steps for operand in step.operands if operand.is_transposed
        }
        for step in chain.steps:
            for matrix in step.matrices:
                self._matrices.setdefault(matrix.key, matrix)
                for axis in (matrix.rows, matrix.columns):
                    self._axes.setdefault(axis, f"a{len(self._axes)}")
            if step.rule == "lookup" and step.operands:
                self._counts.add(step.operands[0].matrix.key)

    @property
    def axes(self) -> dict[str, StepAxis]:
        """Every axis by its id."""
        return {id: _axis(axis) for axis, id in self._axes.items()}

    @property
    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The numbers of every matrix, float32 [rows, columns]."""
        return {
            key: np.ascontiguousarray(matrix.values.float().cpu().numpy()) for key, matrix in self._matrices.items()
        }

    @property
    def matrices(self) -> dict[str, MatrixHeader]:
        """Every matrix by its key: name, axes, and how it is coloured."""
        return {key: self._matrix(matrix) for key, matrix in self._matrices.items()}

    def _name(self, matrix: Matrix) -> str:
        """What the picture calls a matrix: its first name in the chain, with the number of its head among several."""
        first = self._matrices.get(matrix.key, matrix)
        name = matrix_name(first.name, self._say)
        if matrix.key not in self._heads:
            return name
        return f"{name}{'' if '_' in name else '_'}{self._heads[matrix.key]}"

    def _named(self, matrix: Matrix | Operand) -> str:
        """The same for a matrix as a step reads it."""
        if isinstance(matrix, Matrix):
            return self._name(matrix)
        return self._turned(matrix.matrix) if matrix.is_transposed else self._name(matrix.matrix)

    def _turned(self, matrix: Matrix) -> str:
        """What a matrix is called where it is read transposed."""
        return matrix.transposed_name or f"{self._name(matrix)}ᵀ"

    def _matrix(self, matrix: Matrix) -> MatrixHeader:
        row: MatrixHeader = {
            "name": self._name(matrix),
            "rows": self._axes[matrix.rows],
            "columns": self._axes[matrix.columns],
            "kind": "count" if matrix.key in self._counts else matrix.colour,
            "max": float(f"{matrix.largest:.{SHOWN_DIGITS}g}"),
        }
        if matrix.role:
            row["role"] = matrix.role
        if matrix.key in self._read_transposed:
            row["turned"] = self._turned(matrix)
        if matrix.transposed_name:
            row["stored"] = True
        return row

    def steps(self, questions: Mapping[str, Question]) -> list[ChainStep]:
        """Every step, under a short name that a link can hold: `raw`, and `raw.2` for the second of that name."""
        seen = Counter[str]()
        rows = []
        for step, said in zip(self._chain.steps, self._said, strict=True):
            seen[step.name] += 1
            short = step.name if seen[step.name] == 1 else f"{step.name}.{seen[step.name]}"
            rows.append(self._step(step, short, self.words.index(said), questions.get(step.key)))
        return rows

    def _step(self, step: RunStep, name: str, words: int, question: Question | None) -> ChainStep:
        """One step by the ids of what it reads and writes."""
        row: ChainStep = {
            "name": name,
            "kind": step.name,
            "group": step.group,
            "rule": step.rule,
            "result": step.result.key,
            "operands": [_operand(operand) for operand in step.operands],
            "formula": own_formula(step, self._named),
            "part": part_name(step, self._chain, self._say),
            "words": words,
            "question": question,
        }
        if step.bias is not None:
            row["bias"] = step.bias.key
        if step.rest is not None:
            row["rest"] = step.rest.key
        if step.extras:
            row["extras"] = {name: matrix.key for name, matrix in step.extras.items()}
        if step.facts:
            row["facts"] = dict(step.facts)
        if step.factors:
            row["factors"] = dict(step.factors)
        if step.ids:
            row["ids"] = list(step.ids)
        return row


def _numbered(steps: Sequence[RunStep]) -> dict[str, int]:
    """The number of the head, from 1, of each matrix that several heads have one of."""
    written = [(step.result, step.head) for step in steps if step.head is not None]
    written += [
        (operand.matrix, head) for step in steps if step.rule == "concat" for head, operand in enumerate(step.operands)
    ]
    for step in steps:  # what a head reads is no result of a tab that begins with its weights
        if step.head is not None and step.name in ("weights", "context") and step.operands:
            first, *others = (operand.matrix for operand in step.operands)
            written += [
                (first, step.head),
                *((values, int(step.facts.get("key_head", step.head))) for values in others),
            ]
    heads: dict[str, set[int]] = {}
    for matrix, head in written:
        heads.setdefault(matrix.name, set()).add(head)
    return {matrix.key: head + 1 for matrix, head in written if len(heads[matrix.name]) > 1}


def _axis(axis: Axis) -> StepAxis:
    row: StepAxis = {"kind": axis.kind, "n": axis.size, "letter": axis.letter}
    if axis.n_hidden:
        row |= {"start": axis.start, "count": axis.count}
    if axis.text:
        row["tokens"] = axis.text
    elif axis.labels:
        row["labels"] = list(axis.labels[axis.start : axis.stop])
    return row


def _operand(operand: Operand) -> str | TurnedReading:
    return {"id": operand.matrix.key, "turned": True} if operand.is_transposed else operand.matrix.key
