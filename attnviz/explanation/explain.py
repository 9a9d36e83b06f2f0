"""Finds the cell that is asked for by site, step, head and indices, and writes it out."""

from attnviz.core.errors import InputError, StepError
from attnviz.core.site import Site
from attnviz.core.tensor_checks import index_in
from attnviz.explanation.attention_steps import attention_step
from attnviz.explanation.cell_rules import Cell, checked, explain_cell
from attnviz.explanation.head_view import HeadView
from attnviz.explanation.matrices import RunStep
from attnviz.explanation.model_steps.block import Block, feed_forward_steps, final_norm, steps_after, steps_before
from attnviz.explanation.model_steps.embedding import embedding_steps
from attnviz.explanation.model_steps.vocabulary import vocabulary_steps
from attnviz.explanation.steps import ATTENTION_STEPS, BY_NAME, EMBEDDING_STEPS, VOCABULARY_STEPS, Step
from attnviz.models.support.hf_names import BY_MODEL_TYPE
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
    token: int | None = None,
    entry: int | None = None,
) -> Cell:
    """Write out one cell of one step. In an attention, only the row that is asked for is computed.

    >>> import attnviz as av
    >>> cell = av.explain(av.load("reverse").trace("a b c"), "encoder.0.self", "raw", head=1, query=2, key=0)
    >>> abs(cell.value - sum(term.product for term in cell.terms)) < 1e-4
    True

    Args:
        trace: the run.
        site: where, `"encoder.2.self"`; for the steps around attention its stack and its layer count.
        step: a name of `attnviz.explanation.STEPS`: q k v q-rotated k-rotated raw scores masked weights context out,
            tokens positions embed self-norm mid gate hidden active gated ff-out block-out logits probabilities, …
        head: which head, from 0 (not for steps over all heads).
        query, key, feature: the cell's row and column, from 0 or, negative, from the end, as the step's axes need them.
        token: the row of a step around attention; `query` says the same.
        entry: the column of logits and probabilities. One order serves all rows: the words that are most probable in
            any of them come first; `chain(trace, "decoder")["logits"].result.columns.labels` names them.
    Returns:
        the cell; `cell.recomputed` gives `cell.value` again.
    Raises:
        InputError: what came is no trace.
        StepError: no such step, a missing or impossible index, a value that an edit replaced, or a trace without the
            matrices this step uses.
    """
    if not isinstance(trace, Trace):
        raise InputError(id="no-trace", came=type(trace).__name__)
    if step not in BY_NAME:
        raise StepError(id="no-step", step=repr(step), known=tuple(BY_NAME))
    definition = BY_NAME[step]
    given = {"query": query, "key": key, "feature": feature, "token": query if token is None else token, "entry": entry}
    row_axis, column_axis = definition.axes
    if definition in ATTENTION_STEPS:
        view = HeadView.of(trace, site, head)
        n_rows = view.record.n_keys if row_axis == "key" else view.record.n_queries
        row = _index(step, row_axis, given[row_axis], n_rows)
        rows = None if row_axis == "key" else slice(row, row + 1)
        made = attention_step(HeadView.of(trace, site, head, rows), "q-split" if step == "split" else step)
    else:
        made = _step_around_attention(HeadView.of(trace, site), definition)
        row = _index(step, row_axis, given[row_axis], made.result.rows.size)
    column = _index(step, column_axis, given[column_axis], made.result.columns.size)
    return explain_cell(checked(made, trace), row, column)


def _step_around_attention(view: HeadView, definition: Step) -> RunStep:
    """One step of an embedding, a block or a vocabulary."""
    trace, stack = view.trace, view.site.stack
    if definition in EMBEDDING_STEPS:
        made = embedding_steps(trace, stack)
    elif definition in VOCABULARY_STEPS:
        made = vocabulary_steps(trace)
    elif definition.name == "final-norm":
        made = final_norm(trace, stack)
    elif definition.name in ("ff-norm", "gate", "hidden", "active", "gated", "ff-out", "ff-norm-after", "block-out"):
        made = feed_forward_steps(Block.of(view))
    else:
        made = (*steps_before(view), *steps_after(view))
    asked_for = next((step for step in made if step.name == definition.name), None)
    if asked_for is None:
        is_known = trace.card.family not in BY_MODEL_TYPE or Block.of(view).is_known
        raise StepError(
            id="no-step-there",
            step=repr(definition.name),
            site=str(view.site),
            model=trace.card.name,
            holds="steps" if is_known else "attention",
        )
    return asked_for


def _index(step: str, axis: str, given: int | None, size: int) -> int:
    """A row or a column of a cell that exists; a negative one is counted from the end."""
    place = index_in(given, size)
    if place is None:
        raise StepError(
            id="no-such-cell" if given is not None else "cell-without-index",
            step=repr(step),
            axis=axis,
            last=str(size - 1),
            size=str(size),
            came=str(given),
        )
    return place
