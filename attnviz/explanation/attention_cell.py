"""Any cell of an attention, written out: the terms it is made of and the rule that makes it.

Values come from the trace; the rule recomputed in float64 over the terms gives the value again, and a test walks
every step to hold that. What a trace cannot write out is refused in a sentence. Only the row that is asked for is made.
"""

from __future__ import annotations

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation.attention_steps import step_of
from attnviz.explanation.cell import Cell, Term
from attnviz.explanation.cell_arithmetic import cell
from attnviz.explanation.head_view import Place
from attnviz.explanation.steps import BY_NAME
from attnviz.trace.trace import Trace


def explain(
    trace: Trace,
    site: str | Site,
    step: str,
    *,
    head: int = 0,
    query: int | None = None,
    key: int | None = None,
    feature: int | None = None,
) -> Cell:
    """One cell of one step, written out.

    Args:
        trace: the run.
        site: where, `"encoder.2.self"`.
        step: which matrix: q k v raw scores capped masked weights context head-out concat out.
        head: which head, from 0 (not for `concat` and `out`, which have all heads side by side).
        query, key, feature: the cell's row and column, from 0, as the step's axes need them.
    Returns:
        the cell; `cell.recomputed` gives `cell.value` again.
    Raises:
        StepError: no such step, a missing or impossible index, or a trace without the matrices this step uses.
    """
    if step not in BY_NAME:
        raise StepError(
            f"There is no step {step!r}. Expected one of: {', '.join(BY_NAME)}.", id="no-such-step", step=step
        )
    row_axis, column_axis = BY_NAME[step].axes
    given = {"query": query, "key": key, "feature": feature}
    place = Place.of(trace, site, head)
    sizes = {"query": place.record.n_queries, "key": place.record.n_keys}
    row = checked_index(step, row_axis, given[row_axis], sizes[row_axis])
    made = step_of(
        Place.of(trace, site, head, slice(row, row + 1)) if row_axis == "query" else place, MADE.get(step, step)
    )
    column = checked_index(step, column_axis, given[column_axis], made.written.columns.size)
    return cell(made, row, column)


MADE = {"split": "q-split"}  # what `split` means where nobody says of what


def checked_index(step: str, axis: str, given: int | None, size: int) -> int:
    """A row or a column of a cell that there is.

    Raises:
        StepError: it is missing, or outside the matrix.
    """
    if given is None or not 0 <= given < size:
        came = "nothing" if given is None else str(given)
        raise StepError(
            f"A cell of {step!r} needs {axis}= from 0 to {size - 1}; came {came}.",
            id="bad-cell", step=step, axis=axis, last=size - 1, came=came,
        )  # fmt: skip
    return given


__all__ = ["Cell", "Term", "checked_index", "explain"]
