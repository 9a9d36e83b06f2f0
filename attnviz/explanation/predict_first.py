"""Questions about what a step wrote, for a reader to guess before it is shown; the answers are the run's own."""

from dataclasses import dataclass

import torch
from torch import Tensor

from attnviz.explanation.matrices import Note, RunStep

TIE = 1e-6  # as a share of the matrix's largest value: numbers this close are equally right


@dataclass(frozen=True)
class Question:
    step: str  # the key of the step
    row: int | None  # the row to choose a column of; None = any cell of the matrix
    words: Note  # the question itself
    answers: tuple[tuple[int, int], ...]  # row and column of the right cell, best first, and of those equal to it
    wrong: str = ""  # message id: what a wrong guess takes for true, said of its token and position


def question(step: RunStep) -> Question | None:
    """Ask which token a row looks at most, which word comes next, which cell is largest, or of a rotation which token
    it does not turn. None where there is nothing to guess.

    Where the rows are shares, it is about the row with the clearest answer.
    """
    if step.rule == "rotate":
        return _not_turned(step)
    values, rows = step.result.values, step.result.rows
    if step.rule != "softmax row":
        words = Note("step-predict-cell", {"name": step.result.name})
        return Question(step.key, None, words, _largest(step, 0, len(values)))
    clearest = _clearest_row(values)
    id = "step-predict-next" if step.result.columns.kind == "vocabulary" else "step-predict-row"
    row = rows.start + clearest
    words = Note(id, {"token": rows.label(row)})
    return Question(step.key, row, words, _largest(step, clearest, clearest + 1))


def _not_turned(step: RunStep) -> Question | None:
    """Which token stands at position 0; None where another is not turned either, or that one is not among these."""
    rows, columns = step.result.rows, step.result.columns
    if rows.start > 0 or rows.count < 2 or not bool(step.extras["frequency"].values.any()):
        return None
    answers = tuple((0, column) for column in range(columns.start, columns.stop))
    return Question(step.key, None, Note("step-predict-turned"), answers, "view-stepper-guess-turned")


def _clearest_row(values: Tensor) -> int:
    """The row whose largest share is furthest above its second, among those that have a choice."""
    if values.shape[1] < 2:
        return 0
    top = values.topk(2, dim=-1).values  # [rows, 2]
    has_choice = (values > 0).sum(-1) > 1  # [rows]; the first row of a causal mask has none
    margin = torch.where(has_choice, top[:, 0] - top[:, 1], -1.0)  # [rows]
    return int(margin.argmax())


def _largest(step: RunStep, first: int, stop: int) -> tuple[tuple[int, int], ...]:
    """The cells of some rows that hold the largest number, or one as good as equal to it, largest first."""
    values = step.result.values[first:stop]  # [rows, columns]
    least = float(values.max()) - TIE * max(step.result.largest, 1e-12)
    cells = sorted((values >= least).nonzero().tolist(), key=lambda cell: -float(values[cell[0], cell[1]]))
    rows, columns = step.result.rows.start + first, step.result.columns.start
    return tuple((rows + row, columns + column) for row, column in cells)
