"""The top of a decoder: the last norm, how well each vector fits each word of the vocabulary, and the probabilities."""

from __future__ import annotations

import torch

from attnviz.core import ops
from attnviz.core.site import Stack
from attnviz.explanation.matrices import ONE, Axis, Matrix, Reading, StepMatrix
from attnviz.explanation.model_steps.block import STATES
from attnviz.explanation.model_steps.parts import norm_step, product_step, state
from attnviz.explanation.model_steps.table import BY_NAME
from attnviz.explanation.recompute import proved
from attnviz.trace.trace import Trace

MOST_WORDS = 1024  # of a vocabulary that are here; softmax runs over all of them


def final_norm(trace: Trace, stack: Stack) -> tuple[StepMatrix, ...]:
    """The norm after the last block, which pre-norm models have."""
    point = f"{stack}.final_norm"
    if point not in trace.matrices:
        return ()
    n_layers = 1 + max(site.layer for site in trace.sites if site.stack == stack)
    last = state(trace, stack, f"{stack}.{n_layers - 1}.out", STATES["out"])
    key = f"{stack}.out"
    return (norm_step(trace, "final-norm", last, point, key=key, written=trace.stream[key]),)


def vocabulary_steps(trace: Trace) -> tuple[StepMatrix, ...]:
    """Logits and next-token probabilities of every row, over the whole vocabulary; the likeliest words stand first, and
    of a large vocabulary they alone are here.

    Raises:
        StepError: this trace does not hold the matrix of the vocabulary.
    """
    weight = trace.parameters("decoder.vocabulary")["w"].float().cpu()  # [V, D]
    read = state(trace, "decoder", "decoder.out", "norm" if final_norm(trace, "decoder") else STATES["out"])
    whole = ops.project(read.values, weight)  # [T, V]
    order = _likeliest_first(whole)[:MOST_WORDS]  # [words]
    columns = Axis("vocabulary", "V", len(weight), _names(trace, order.tolist()), count=len(order))
    ids = Matrix("decoder.vocabulary.ids", "ids", order[None], ONE, columns)  # [1, words]
    logits = product_step(
        trace, "logits", "logits", read, weight[order], None, key="decoder.logits", shown="logits", columns=columns,
        symbol="W_vocabulary",
    )  # fmt: skip
    return logits, _probabilities(trace, logits.written, ids, whole)


def _likeliest_first(logits: torch.Tensor) -> torch.Tensor:
    """The words in the order of the largest probability any row gives them: [T, V] -> [V]."""
    return torch.softmax(logits, -1).amax(0).sort(descending=True, stable=True).indices  # [V]


def _names(trace: Trace, ids: list[int]) -> tuple[str, ...]:
    """What the trace calls the words; the number of those it has no name for."""
    known: dict[int, str] = {}
    if trace.prediction is not None:
        for row, texts in zip(trace.prediction.ids.tolist(), trace.prediction.texts, strict=True):
            known |= dict(zip(row, texts, strict=True))
    return tuple(known.get(number, f"#{number}") for number in ids)


def _probabilities(trace: Trace, logits: Matrix, ids: Matrix, whole: torch.Tensor) -> StepMatrix:
    """Softmax over all words, also those that are not here: whole is [T, V]."""
    x = whole.double()  # [T, V]
    highest = x.amax(-1, keepdim=True)  # [T, 1]
    total = torch.exp(x - highest).sum(-1, keepdim=True)  # [T, 1]
    exp = torch.exp(logits.values.double() - highest)  # [T, words]
    hidden = (total - exp.sum(-1, keepdim=True)).clamp(min=0.0)  # [T, 1]
    extras = {
        "highest": Matrix(f"{logits.key}.highest", "highest", highest, logits.rows, ONE),
        "exp": Matrix(f"{logits.key}.exp", "exp", exp, logits.rows, logits.columns),
        "sum": Matrix(f"{logits.key}.sum", "sum", total, logits.rows, ONE),
        "ids": ids,
    }
    rest = Matrix(f"{logits.key}.rest", "rest", hidden, logits.rows, ONE) if logits.columns.n_hidden else None
    values = ops.softmax_rows(whole)[:, ids.values[0].long()]  # [T, words]
    written = Matrix("decoder.probabilities", "probabilities", values, logits.rows, logits.columns, "weights")
    step = StepMatrix(
        BY_NAME["probabilities"], "probabilities", written, (Reading(logits),), extras=extras, rest=rest
    )  # fmt: skip
    return proved(step, trace.edits)
