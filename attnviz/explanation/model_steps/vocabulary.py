"""The last steps of a decoder: how well each vector fits each word of the vocabulary, and the probabilities."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.explanation.matrices import ONE, Axis, Matrix, RunStep
from attnviz.explanation.model_steps.block import STATES
from attnviz.explanation.step_makers import product, product_step, state, step_of
from attnviz.trace.trace import Trace

MOST_WORDS = 1024  # of a vocabulary that are here; softmax runs over all of them


def vocabulary_steps(trace: Trace, beside: Trace | None = None) -> tuple[RunStep, ...]:
    """Logits and next-token probabilities of every row. The words that are most probable in any row, also of the run
    beside this one, come first; of a large vocabulary, only those are here.
    """
    runs = [trace] if beside is None else [trace, beside]
    weight = trace.parameters("decoder.vocabulary")["w"].float().cpu()  # [V, d_model]
    read = _last_state(trace)
    whole = ops.project(read.values, weight)  # [T, V]
    others = [ops.project(_last_state(other).values, weight) for other in runs[1:]]  # [T, V]
    shares = torch.softmax(torch.cat([whole, *others]), -1).amax(0)  # [V], the largest that any row gives
    order = shares.sort(descending=True, stable=True).indices[:MOST_WORDS]  # [words]
    columns = Axis("vocabulary", "V", len(weight), _names(runs, order.tolist()), count=len(order))
    logits = product("decoder.logits", "logits", read, weight[order], None, columns)  # [T, words]
    made = product_step("logits", logits, read, weight[order], None, "W_vocabulary")
    return made, _probabilities(logits, whole, order)


def _last_state(trace: Trace) -> Matrix:
    has_norm = "decoder.final_norm" in trace.matrices
    return state(trace, "decoder", "decoder.out", "norm" if has_norm else STATES["out"])


def _names(runs: Sequence[Trace], ids: list[int]) -> tuple[str, ...]:
    """What the traces call the words; the number of those they have no name for."""
    known: dict[int, str] = {}
    for trace in runs:
        if (target := trace.tokens.target) is not None:
            known |= dict(zip(target.ids, target.text, strict=True))
        if (found := trace.predicted_tokens) is not None:
            for row, texts in zip(found.ids.tolist(), found.texts, strict=True):
                known |= dict(zip(row, texts, strict=True))
    return tuple(known.get(number, f"#{number}") for number in ids)


def _probabilities(logits: Matrix, whole: Tensor, ids: Tensor) -> RunStep:
    """Softmax over all words [T, V]; those that are here are `ids` [words]."""
    highest = whole.amax(-1, keepdim=True)  # [T, 1]
    hidden = torch.exp(whole.double() - highest).index_fill(-1, ids, 0.0).sum(-1, keepdim=True)  # [T, 1]
    extras = {"highest": Matrix(f"{logits.key}.highest", "highest", highest, logits.rows, ONE)}
    rest = Matrix(f"{logits.key}.rest", "rest", hidden, logits.rows, ONE) if logits.columns.n_hidden else None
    values = ops.softmax_rows(whole)[:, ids]  # [T, words]
    result = Matrix("decoder.probabilities", "probabilities", values, logits.rows, logits.columns, "weights")
    return step_of("probabilities", result, logits, extras=extras, rest=rest)
