"""Predict, then reveal: a question about what a step wrote, the run's own answer, and the arithmetic of a guess."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.core.errors import StepError
from attnviz.explanation.cell import Cell
from attnviz.explanation.cell_arithmetic import cell
from attnviz.explanation.matrices import Note, StepMatrix

TIE = 1e-6  # numbers this close, in largest values of the matrix, are equally right
Place = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Question:
    """What to guess about one step."""

    step: str  # the key of the step
    row: int | None  # the row to choose a column of; None = any cell of the matrix
    words: Note  # the question itself
    answers: tuple[Place, ...]  # the right cells, more than one where they are equal; best first
    value: float  # the number that stands there


@dataclass(frozen=True)
class Verdict:
    """What a guess was worth: both cells, written out."""

    is_right: bool
    guessed: Cell
    answer: Cell


def question(step: StepMatrix, row: int | None = None) -> Question:
    """The question of a step: which token does a row look at most, which word comes next, or which cell is largest.

    Args:
        row: the row to ask about, for steps whose rows are shares; the one with the clearest answer if not given.
    Raises:
        StepError: the step was replaced by an edit, or has no such row, or no finite number.
    """
    if step.note:
        raise StepError(
            f"{step.name} was replaced by an edit; nothing is asked of it.", id="edited-step", step=step.name
        )
    values = step.written.values
    if step.rule != "softmax row":
        asked = Note("step-predict-cell", {"name": step.written.name})
        return Question(step.key, None, asked, *_highest(step, values, 0))
    at = _clearest(values) if row is None else row - step.written.rows.start
    if not 0 <= at < len(values):
        raise StepError(f"{step.name} has no row {row}.", id="bad-cell", step=step.name, axis="row",
                        last=step.written.rows.stop - 1, came=str(row))  # fmt: skip
    place = step.written.rows.start + at
    kind = "step-predict-next" if step.written.columns.kind == "vocabulary" else "step-predict-row"
    asked = Note(kind, {"token": step.written.rows.label(place)})
    return Question(step.key, place, asked, *_highest(step, values[at : at + 1], at))


def judged(step: StepMatrix, asked: Question, guess: Place) -> Verdict:
    """A guess, and the arithmetic of the guessed and of the right cell.

    Raises:
        StepError: the guess is no cell of this step, or in another row than was asked about.
    """
    if asked.row is not None and guess[0] != asked.row:
        raise StepError(f"The question is about row {asked.row}; the guess is in row {guess[0]}.", id="other-row")
    return Verdict(guess in asked.answers, cell(step, *guess), cell(step, *asked.answers[0]))


def _clearest(values: Tensor) -> int:
    """The row whose largest share stands out most from its second, among those that have a choice."""
    if values.shape[1] < 2:
        return 0
    top = values.topk(2, dim=-1).values  # [rows, 2]
    has_choice = (values > 0).sum(-1) > 1  # [rows]; the first row of a causal mask has none
    margin = torch.where(has_choice, top[:, 0] - top[:, 1], -1.0)  # [rows]
    return int(margin.argmax())


def _highest(step: StepMatrix, values: Tensor, first: int) -> tuple[tuple[Place, ...], float]:
    """Where the largest number stands, and where others equal it."""
    finite = values[torch.isfinite(values)]
    if not len(finite):
        raise StepError(f"{step.name} holds no finite number here; there is nothing to guess.", id="nothing-to-guess")
    best = float(finite.max())
    margin = TIE * max(step.written.largest, 1e-12)
    rows, columns = step.written.rows.start + first, step.written.columns.start
    near = (values >= best - margin).nonzero().tolist()
    order = sorted(near, key=lambda place: -float(values[place[0], place[1]]))
    return tuple((rows + row, columns + column) for row, column in order), best
