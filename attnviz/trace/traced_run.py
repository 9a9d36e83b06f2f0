"""Runs a model of our own blocks over one text, and makes the verified trace of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.core.edit import Edit
from attnviz.trace.rerun import Rerun
from attnviz.trace.run_facts import Card, Prediction
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.traceable import record
from attnviz.trace.verify import verify

N_PREDICTIONS = 20  # most probable tokens that are kept for each position


def traced_run(
    forward: Callable[[], Tensor],
    *,
    card: Card,
    tokens: Tokens,
    target: Tokens | None = None,
    parameters: Mapping[str, Mapping[str, Tensor]],
    edits: Sequence[Edit] = (),
    rerun: Rerun | None = None,
) -> tuple[Trace, Tensor]:
    """Record one forward pass and check its replay against what the kernel returned.

    Args:
        forward: runs the model on a batch of one text.
        card, tokens, target, parameters: what the trace says about the run, as `run.trace` takes them.
        edits: changes to make on the way.
        rerun: how the same run is made again without them.
    Returns:
        the trace, with `verified`; and what `forward` returned, without its batch axis.
    """
    with torch.inference_mode():
        with record(edits=edits) as run:
            out = forward()
        trace = run.trace(0, card=card, tokens=tokens, target=target, parameters=parameters)
        context = {key: run[f"{key}.context"][0] for key in trace.records}  # [H, T, d_v] each
        proof = verify(trace.records, context)
        if rerun is not None:  # dropout is an edit that nobody gave: such a run cannot be made again
            rerun = replace(rerun, edits=tuple(edits)) if len(trace.edits) == len(edits) else None
        return replace(trace, verified=proof, rerun=rerun), out[0]


def prediction_of(logits: Tensor, text_of: Callable[[int], str]) -> Prediction:
    """The most probable next tokens at each position.

    Args:
        logits: [T, V].
        text_of: the text of a token id.
    """
    probabilities = torch.softmax(logits, dim=-1)  # [T, V]
    best, ids = probabilities.topk(min(N_PREDICTIONS, logits.shape[-1]), dim=-1)  # [T, 20] each
    return Prediction(ids, best, tuple(tuple(text_of(number) for number in row) for row in ids.tolist()))
