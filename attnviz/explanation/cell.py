"""One number of a step written out: the terms it is made of, and the rule that makes it of them."""

from dataclasses import dataclass

from attnviz.core.errors import StepError
from attnviz.explanation.cell_rules import RULES, Term, at
from attnviz.explanation.matrices import RunStep
from attnviz.explanation.steps import RuleName


@dataclass(frozen=True)
class Cell:
    """One number with the arithmetic that makes it."""

    value: float  # as the trace has it
    rule: RuleName
    terms: tuple[Term, ...]
    formula: str
    own: int = 0  # softmax row: which of the terms is this cell's

    @property
    def recomputed(self) -> float:
        """The rule over the terms, in float64."""
        return RULES[self.rule].value(self.terms, self.own)

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
        raise StepError(
            f"{step.name} was replaced by an edit, so no arithmetic makes it. Explain the untouched run.",
            id="edited-step", step=step.name,
        )  # fmt: skip
    if step.note:
        raise StepError(
            f"{step.name} is not what its rule makes of what this trace holds. Give run.trace() the ids and matrices "
            "that the model read.",
            id="not-its-rule", step=step.name,
        )  # fmt: skip
    value = at(step.result, row, column)
    terms = tuple(RULES[step.rule].terms(step, row, column))
    return Cell(value, step.rule, terms, step.kind.formula, column - step.result.columns.start)


__all__ = ["Cell", "Term", "explain_cell"]
