"""What a chain of steps is made of: matrices with names on both axes, and steps that say how each cell is written out.

A browser or a test writes cell (i, j) out from `operands` (o), `bias`, `extras` and `facts` alone, by `step.rule`:

    lookup        o[1][ids.index(o[0][i, 0]), j]
    position      sin (j even) or cos (j odd) of (i + offset) · base^(−2⌊j/2⌋ / width)
    product       Σ_k o[0][i, k] · o[1][k, j] + bias[0, j] + rest[i, j]
    scale         o[0][i, j] · every factor
    add, mask     Σ_o o[i, j]
    cap           c · tanh(o[0][i, j] / c)
    activation    curve(o[0][i, j])
    softmax row   exp(o[0][i, j] − highest[i]) / sum[i], the sum over all keys, the sink and rest[i]; 0 where sum = 0
    norm row      (o[0][i, j] − mean[i]) / √(variance[i] + epsilon) · gain[0, j] + shift[0, j]
    split         o[0][i, first + j]
    concat        the operands side by side
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.explanation.steps import Rule, Step

AxisKind = Literal["token", "feature", "vocabulary", "one"]
Colour = Literal["signed", "weights", "mask"]


@dataclass(frozen=True)
class Axis:
    """One axis of a matrix: what its places are, how many there are, and which of them are here."""

    kind: AxisKind
    letter: str  # as shapes are written: Tq Tk T D Dh d_ff V
    size: int  # of the whole axis
    labels: tuple[str, ...] = ()  # of all places; () = they are numbered
    text: Literal["", "source", "target"] = ""  # which tokens these are
    start: int = 0  # the first place that is here
    count: int = -1  # how many places are here; −1 = all

    def __post_init__(self) -> None:
        if self.count < 0:
            object.__setattr__(self, "count", self.size - self.start)

    @property
    def stop(self) -> int:
        return self.start + self.count

    @property
    def n_hidden(self) -> int:
        """How many places of the whole axis are not here."""
        return self.size - self.count

    def label(self, place: int) -> str:
        """The name of a place of the whole axis; its number from 0 where it has none."""
        return self.labels[place] if self.labels else str(place)

    def cut(self, start: int, count: int) -> Axis:
        """A part of it, kept within what is here."""
        start = min(max(start, self.start), self.stop)
        return replace(self, start=start, count=max(0, min(count, self.stop - start)))


ONE = Axis("one", "1", 1)


@dataclass(frozen=True, eq=False)
class Matrix:
    """Numbers with a name; `values` holds the part of it that both axes say is here."""

    key: str  # one matrix of a chain has one key, so that it is sent once
    name: str  # Q, W_Q, scores, …
    values: Tensor  # float32 on the CPU, [rows.count, columns.count], whatever it was handed as
    rows: Axis
    columns: Axis
    colour: Colour = "signed"
    role: Literal["", "q", "k", "v"] = ""
    turned_name: str = ""  # its name where it is read transposed: Kᵀ, W_Q (stored [out, in])
    largest: float = -1.0  # the largest size of a finite number of the whole matrix; −1 = of `values`

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", self.values.detach().float().cpu())
        assert tuple(self.values.shape) == (self.rows.count, self.columns.count), self.key
        if self.largest < 0:
            finite = self.values[torch.isfinite(self.values)]
            object.__setattr__(self, "largest", float(finite.abs().max()) if len(finite) else 0.0)

    @property
    def nbytes(self) -> int:
        return self.values.nbytes

    def cut(self, rows: tuple[int, int], columns: tuple[int, int]) -> Matrix:
        """A part of it; (start, count) of each axis."""
        new_rows, new_columns = self.rows.cut(*rows), self.columns.cut(*columns)
        first, left = new_rows.start - self.rows.start, new_columns.start - self.columns.start
        values = self.values[first : first + new_rows.count, left : left + new_columns.count]  # [rows, columns]
        return replace(self, values=values, rows=new_rows, columns=new_columns)


@dataclass(frozen=True, eq=False)
class Reading:
    """A matrix as a step reads it: as it is, or transposed."""

    matrix: Matrix
    is_turned: bool = False

    @property
    def name(self) -> str:
        return (self.matrix.turned_name or f"{self.matrix.name}ᵀ") if self.is_turned else self.matrix.name

    @property
    def values(self) -> Tensor:
        return self.matrix.values.mT if self.is_turned else self.matrix.values  # [rows, columns]

    @property
    def rows(self) -> Axis:
        return self.matrix.columns if self.is_turned else self.matrix.rows

    @property
    def columns(self) -> Axis:
        return self.matrix.rows if self.is_turned else self.matrix.columns

    def cut(self, rows: tuple[int, int], columns: tuple[int, int]) -> Reading:
        """A part of it, counted as it is read."""
        return replace(
            self, matrix=self.matrix.cut(columns, rows) if self.is_turned else self.matrix.cut(rows, columns)
        )


@dataclass(frozen=True, eq=False)
class StepMatrix:
    """One step of one run: the matrix it wrote, and what it read."""

    step: Step
    group: str  # steps that stand under one name on the rail, such as Q, K and V
    written: Matrix  # the run's own numbers
    operands: tuple[Reading, ...]
    bias: Matrix | None = None  # [1, columns], product only
    extras: Mapping[str, Matrix] = field(default_factory=dict)  # softmax: highest exp sum; norm: mean … gain shift
    facts: Mapping[str, float | str] = field(default_factory=dict)  # epsilon first offset base curve cap sink
    factors: Mapping[str, float] = field(default_factory=dict)  # scale only, by symbol: 1/√Dh, 1/τ
    ids: tuple[int, ...] = ()  # lookup only: which rows of the table the second operand holds
    rest: Matrix | None = None  # what the hidden terms add up to; softmax: their share of the sum of exponentials
    head: int | None = None
    difference: float = 0.0  # of `written` from the rule over the operands in float64, in largest values of `written`
    note: str = ""  # message id: why this step cannot be written out; then it has no operands

    def __post_init__(self) -> None:
        for name in ("extras", "facts", "factors"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def name(self) -> str:
        return self.step.name

    @property
    def key(self) -> str:
        """Unique in its chain."""
        return self.written.key

    @property
    def rule(self) -> Rule:
        return self.step.rule

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        """Every matrix of this step, the written one first."""
        others = [reading.matrix for reading in self.operands] + [part for part in (self.bias, self.rest) if part]
        return (self.written, *others, *self.extras.values())


@dataclass(frozen=True)
class Note:
    """A sentence about a whole chain: a message id and what fills it."""

    id: str
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Chain:
    """The steps of one tab over one run, in order: every matrix a step reads was written before it, or is given."""

    tab: str
    site: str  # "encoder.0.self"
    head: int
    steps: tuple[StepMatrix, ...]
    notes: tuple[Note, ...] = ()
    edits: tuple[str, ...] = ()  # what was changed in this run

    def __getitem__(self, name: str) -> StepMatrix:
        """The first step of that name, or the step of that key.

        Raises:
            StepError: this chain has none.
        """
        for step in self.steps:
            if name in (step.key, step.name):
                return step
        names = ", ".join(dict.fromkeys(step.name for step in self.steps))
        raise StepError(f"There is no step {name!r} here. This chain has {names}.", id="no-such-step", step=name)

    @property
    def matrices(self) -> dict[str, Matrix]:
        """Every matrix by its key, each once."""
        return {matrix.key: matrix for step in self.steps for matrix in step.matrices}

    @property
    def nbytes(self) -> int:
        """Bytes of all matrices, each counted once."""
        return sum(matrix.nbytes for matrix in self.matrices.values())
