"""The stage for a query that may look at nothing: zeros, everything, or NaN."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.examination import Seen, Understood
from attnviz.checking.faults import BLOCKED
from attnviz.checking.masked import Masked
from attnviz.checking.prepared import in_precision
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import agrees, difference, finding
from attnviz.checking.variant import attention


def blocked_row(masked: Masked) -> Seen:
    """Let one query, or one text, see nothing, in the precision the person uses: zeros, everything, or NaN."""
    understood = masked.understood
    examination, explanation = understood.examination, understood.explanation
    own = in_precision(examination.candidate, examination.candidate.own_dtype)
    low = masked.elsewhere(replace(understood, examination=replace(examination, candidate=own)))
    allowed = masked.convention.blocking(*masked.sizes)  # [T, T] or [B, T]
    answer = low.ask(allowed)
    if answer.out is None:
        sentence = f"It stops with an error when a query may look at nothing: {answer.said}"
        return Seen((Finding("blocked-row-raises", sentence, "give zeros for such a row"),))
    theirs, name = answer.out.detach(), "row with no allowed key"
    tolerance = max(1e-4, 4 * _imprecision(low.understood))
    for blocked in ("zeros", "nan", "uniform", "open"):
        variant = replace(explanation.variant, blocked=blocked)
        ours = attention(understood.inputs, explanation.reading.numbers, variant, masked.ours(allowed)).out  # [B, T, D]
        if not agrees(ours, theirs, tolerance):
            continue
        if blocked in BLOCKED:
            measured = Measurement("largest difference from zeros weighing the values",
                                   difference(masked.values(allowed).out, theirs))  # fmt: skip
            return Seen((finding(BLOCKED[blocked], measured),), checked=(name,))
        if explanation.faults:
            return Seen(checked=(name,))  # first things first
        notes = (_NAN_ROW,) if blocked == "nan" else _nan_gradient(low, allowed)
        return Seen(notes=notes, checked=(name,))
    if explanation.faults:
        return Seen()  # first things first
    sentence = "When one query may look at nothing, what comes out is neither zeros nor anything known"
    sentence += ", and NaN reaches other queries." if bool(theirs.isnan().any()) else "."
    return Seen((Finding("blocked-row-differs", sentence, "give zeros for such a row, and leave the others alone"),))


def _imprecision(understood: Understood) -> float:
    """How far it is from ours without a mask in its own precision, which torch.autocast inside may lower."""
    out = understood.examination.ask(understood.inputs).out
    ours = understood.explanation.values(understood.inputs).out  # [B, T, D]
    gap = float("inf") if out is None else difference(ours, out.detach())
    return min(gap / max(1.0, float(ours.abs().max())), 0.02)


_NAN_ROW = Finding(
    "blocked-row-nan",
    "A query that may look at nothing gives NaN, as nn.MultiheadAttention does; one layer later NaN is everywhere.",
    "weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the softmax; before it, scores of 0 for such a row",
)


def _nan_gradient(masked: Masked, allowed: Tensor) -> tuple[Finding, ...]:
    answer = masked.ask(allowed, grad=True)
    if answer.out is None or not answer.out.requires_grad:
        return ()
    try:
        grads = torch.autograd.grad(answer.out.sum(), answer.inputs, allow_unused=True)
    except RuntimeError:
        return ()  # the stage for gradients says so
    if not any(grad is not None and bool(grad.isnan().any()) for grad in grads):
        return ()
    sentence = (
        "A query that may look at nothing gives zeros, and its gradient is NaN: one such row spoils a training step."
    )
    fix = "give the scores of such a row 0 before the softmax; nan_to_num after it repairs the output only"
    return (Finding("blocked-row-nan-gradient", sentence, fix),)
