"""Any cell of any step of any tab, written out."""

from __future__ import annotations

from attnviz.core.errors import StepError
from attnviz.core.site import Site
from attnviz.explanation import attention_cell as attention
from attnviz.explanation.attention_cell import checked_index
from attnviz.explanation.cell import Cell
from attnviz.explanation.cell_arithmetic import cell
from attnviz.explanation.matrices import StepMatrix
from attnviz.explanation.model_steps.block import Block, entered, feed_forward_steps, left
from attnviz.explanation.model_steps.embedding import embedding_steps
from attnviz.explanation.model_steps.table import BY_NAME
from attnviz.explanation.model_steps.vocabulary import final_norm, vocabulary_steps
from attnviz.explanation.steps import BY_NAME as ATTENTION
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
    """One cell of one step, written out.

    Args:
        trace: the run.
        site: where, `"encoder.2.self"`; for the steps around attention its stack and its layer count.
        step: a name of `ALL_STEPS`: q k v raw scores masked weights context out, tokens positions embed self-norm mid
            hidden active ff-out block-out logits probabilities, …
        head: which head, from 0 (not for steps over all heads).
        query, key, feature: the cell's row and column, from 0, as the step's axes need them.
        token: the row of a step around attention; `query` says the same.
        entry: the column of logits and probabilities, in the order of the chain: the likeliest words stand first.
    Returns:
        the cell; `cell.recomputed` gives `cell.value` again.
    Raises:
        StepError: no such step, a missing or impossible index, a value that an edit replaced, or a trace without the
            matrices this step uses.
    """
    if step in ATTENTION:
        return attention.explain(trace, site, step, head=head, query=query, key=key, feature=feature)
    if step not in BY_NAME:
        names = ", ".join(dict.fromkeys([*ATTENTION, *BY_NAME]))
        raise StepError(f"There is no step {step!r}. Expected one of: {names}.", id="no-such-step", step=step)
    made = around(trace, trace[site].site, step)
    row = checked_index(step, "token", query if token is None else token, made.written.rows.size)
    is_entry = made.written.columns.kind == "vocabulary"
    axis, given = ("entry", entry) if is_entry else ("feature", feature)
    return cell(made, row, checked_index(step, axis, given, made.written.columns.size))


def around(trace: Trace, site: Site, name: str) -> StepMatrix:
    """One step around attention.

    Raises:
        StepError: this model or this place has no such step.
    """
    block = Block(trace, site.stack, site.layer)
    made: tuple[StepMatrix, ...] = ()
    if name in ("tokens", "scaled", "sinusoid", "positions", "embed", "embed-norm"):
        made = embedding_steps(trace, site.stack)
    elif name in ("logits", "probabilities"):
        made = vocabulary_steps(trace)
    elif name == "final-norm":
        made = final_norm(trace, site.stack)
    elif name in ("self-norm", "cross-norm", "mid", "crossed"):
        made = (*entered(block, site.kind), *left(block, site.kind))
    else:
        made = feed_forward_steps(block)
    found = next((step for step in made if step.name == name), None)
    if found is None:
        raise StepError(
            f"There is no step {name!r} at {site} in {trace.card.name}.",
            id="no-step-here", step=name, site=site.key, model=trace.card.name,
        )  # fmt: skip
    return found
