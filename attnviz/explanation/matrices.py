"""Matrices with names on both axes, the steps of one run that read and write them, and chains of such steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.core.tensor_checks import shape
from attnviz.explanation.steps import BY_NAME, RuleName, Step
from attnviz.trace.run_facts import AppliedEdit

AxisKind = Literal["token", "feature", "vocabulary", "one"]
Colour = Literal["signed", "weights", "mask"]


@dataclass(frozen=True)
class Axis:
    """One axis of a matrix, and the slice of it that is here: `count` indices from `start` on."""

    kind: AxisKind
    letter: str  # as shapes are written: T_q T_k T T_max d_model d_k d_ff V
    size: int  # of the whole axis
    labels: tuple[str, ...] = ()  # of all indices; () = they are numbered
    text: Literal["", "source", "target"] = ""  # which tokens these are
    start: int = 0
    count: int = -1  # −1 = all

    def __post_init__(self) -> None:
        if self.count < 0:
            object.__setattr__(self, "count", self.size - self.start)

    @property
    def stop(self) -> int:
        return self.start + self.count

    @property
    def n_hidden(self) -> int:
        """How many indices of the whole axis are not here."""
        return self.size - self.count

    def label(self, index: int) -> str:
        """The name of an index of the whole axis; its number from 0 where it has none."""
        return self.labels[index] if self.labels else str(index)

    def sliced(self, start: int, count: int) -> Axis:
        """A slice of it, kept within what is here."""
        start = min(max(start, self.start), self.stop)
        return replace(self, start=start, count=max(0, min(count, self.stop - start)))


ONE = Axis("one", "1", 1)
Slice = tuple[int, int]  # of an axis: start, count


@dataclass(frozen=True, eq=False)
class Matrix:
    """Numbers with a name; `values` holds the slice of it that both axes say is here."""

    key: str  # unique among the matrices of a chain, so that each is sent once
    name: str  # Q, W_Q, scores, …
    values: Tensor  # float32 on the CPU, [rows.count, columns.count], whatever it was handed as
    rows: Axis
    columns: Axis
    colour: Colour = "signed"
    role: Literal["", "q", "k", "v"] = ""
    transposed_name: str = ""  # its name where it is read transposed: Kᵀ, W_Q (stored [out, in])
    largest: float = -1.0  # the largest finite absolute value of the whole matrix; −1 = of `values`

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", self.values.detach().float().cpu())
        assert tuple(self.values.shape) == (self.rows.count, self.columns.count), self.key
        if self.largest < 0:
            finite = self.values[torch.isfinite(self.values)]
            object.__setattr__(self, "largest", float(finite.abs().max()) if len(finite) else 0.0)

    @property
    def transposed(self) -> Operand:
        return Operand(self, is_transposed=True)

    def sliced(self, rows: Slice, columns: Slice) -> Matrix:
        new_rows, new_columns = self.rows.sliced(*rows), self.columns.sliced(*columns)
        first, left = new_rows.start - self.rows.start, new_columns.start - self.columns.start
        values = self.values[first : first + new_rows.count, left : left + new_columns.count]  # [rows, columns]
        return replace(self, values=values, rows=new_rows, columns=new_columns)


@dataclass(frozen=True, eq=False)
class Operand:
    """A matrix as a step reads it: as it is, or transposed."""

    matrix: Matrix
    is_transposed: bool = False

    @property
    def name(self) -> str:
        if not self.is_transposed:
            return self.matrix.name
        return self.matrix.transposed_name or f"{self.matrix.name}ᵀ"

    @property
    def values(self) -> Tensor:
        return self.matrix.values.mT if self.is_transposed else self.matrix.values  # [rows, columns]

    @property
    def rows(self) -> Axis:
        return self.matrix.columns if self.is_transposed else self.matrix.rows

    @property
    def columns(self) -> Axis:
        return self.matrix.rows if self.is_transposed else self.matrix.columns


@dataclass(frozen=True, eq=False)
class RunStep:
    """One step of one run: the matrix it wrote, and what it read."""

    definition: Step  # the row of the table
    result: Matrix  # the run's own numbers
    operands: tuple[Operand, ...] = ()
    bias: Matrix | None = None  # [1, columns], product only
    extras: Mapping[str, Matrix] = field(default_factory=dict)  # softmax: highest; norm: mean variance gain shift
    facts: Mapping[str, float | str] = field(default_factory=dict)  # epsilon first base width curve cap sink group_size
    factors: Mapping[str, float] = field(default_factory=dict)  # scale only, by symbol: 1/√d_k, 1/τ
    ids: tuple[int, ...] = ()  # lookup only: which rows of the table the second operand holds
    rest: Matrix | None = None  # what the hidden terms add up to; softmax: their share of the sum of exponentials
    head: int | None = None
    difference: float = 0.0  # of `result` from its rule, as a share of its largest value
    note: str = ""  # message id: why this step cannot be written out; then it has no operands

    def __post_init__(self) -> None:
        for name in ("extras", "facts", "factors"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @classmethod
    def of(cls, name: str, result: Matrix, *read: Matrix | Operand, **others: Any) -> RunStep:
        """The step of that name, with the matrices it read."""
        operands = tuple(part if isinstance(part, Operand) else Operand(part) for part in read)
        return cls(BY_NAME[name], result, operands, **others)

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def group(self) -> str:
        return self.definition.group

    @property
    def rule(self) -> RuleName:
        return self.definition.rule

    @property
    def key(self) -> str:
        """Unique in its chain."""
        return self.result.key

    def __repr__(self) -> str:
        return f"RunStep {self.key}: {self.definition.formula}, {shape(self.result.values)}"

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        """Every matrix of this step, the result first."""
        read = [operand.matrix for operand in self.operands] + [part for part in (self.bias, self.rest) if part]
        return (self.result, *read, *self.extras.values())


@dataclass(frozen=True)
class Note:
    """A sentence about a whole chain: a message id and what fills it, which may be another one."""

    id: str
    arguments: Mapping[str, str | int | Note] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Chain:
    """The steps of one tab over one run, in order: what a step reads was written by one before it, or is given."""

    tab: str
    site: str  # "encoder.0.self"
    head: int
    steps: tuple[RunStep, ...]
    notes: tuple[Note, ...] = ()
    edits: tuple[AppliedEdit, ...] = ()  # what was changed in this run

    def __getitem__(self, name: str) -> RunStep:
        """The first step of that name, or the step of that key."""
        for step in self.steps:
            if name in (step.key, step.name):
                return step
        names = tuple(dict.fromkeys(step.name for step in self.steps))
        raise StepError(id="no-step-of-chain", step=repr(name), names=names)

    def __iter__(self) -> Iterator[RunStep]:
        return iter(self.steps)

    def __repr__(self) -> str:
        return f"Chain of {self.site}, head {self.head}: {', '.join(step.name for step in self.steps)}"

    @property
    def matrices(self) -> dict[str, Matrix]:
        """Every matrix by its key, each once."""
        return {matrix.key: matrix for step in self.steps for matrix in step.matrices}

    @property
    def nbytes(self) -> int:
        """Bytes of all matrices, each counted once."""
        return sum(matrix.values.nbytes for matrix in self.matrices.values())
