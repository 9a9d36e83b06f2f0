"""The stage for a query that may look at nothing: zeros, everything, or NaN."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.preparation import in_precision
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.faults_of_masks import BLOCKED
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import agrees, difference, finding
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement


def blocked_row(masked: Masked) -> Seen:
    """Let one query, or one text, see nothing: in the precision the person uses, then in the more exact one.

    A number such as -1e9 swallows the score it is added to in one precision and only rounds it in another.
    """
    understood = masked.understood
    candidate, has_faults = understood.examination.candidate, understood.explanation.has_mistakes
    allowed = masked.convention.blocking(*masked.sizes)  # [T, T] or [B, T]
    unknown: Tensor | None = None
    for asked in dict.fromkeys((candidate.own_dtype, candidate.dtype)):
        there = replace(understood.examination, candidate=in_precision(candidate, asked))
        low = masked.elsewhere(replace(understood, examination=there))
        answer = low.ask(allowed)
        if answer.out is None:
            sentence = f"It stops with an error when a query may look at nothing: {answer.said}"
            return Seen((Finding("blocked-row-raises", sentence, "give zeros for such a row"),))
        seen = _known_row(low, allowed, answer.out.detach())
        if seen is not None:
            return seen
        unknown = answer.out.detach() if unknown is None else unknown
    assert unknown is not None  # asked at least once
    if has_faults:
        return Seen()  # first things first
    sentence = "When one query may look at nothing, what comes out is neither zeros nor anything known"
    sentence += ", and NaN reaches other queries." if bool(unknown.isnan().any()) else "."
    return Seen((Finding("blocked-row-differs", sentence, "give zeros for such a row, and leave the others alone"),))


def _known_row(masked: Masked, allowed: Tensor, theirs: Tensor) -> Seen | None:
    """What such a row gives: zeros, NaN, all keys alike, or as without a mask; None where it is none of them."""
    understood, name = masked.understood, "row with no allowed key"
    explanation = understood.explanation
    tolerance = max(1e-4, 4 * _imprecision(understood))
    for blocked in ("zeros", "nan", "uniform", "open"):
        variant = replace(explanation.variant, blocked=blocked)
        ours = attention(understood.inputs, explanation.reading.numbers, variant, masked.ours(allowed)).out  # [B, T, D]
        if not agrees(ours, theirs, tolerance):
            continue
        if blocked in BLOCKED:
            gap = difference(masked.values(allowed).out, theirs)
            measured = Measurement("largest difference from zeros weighing the values", gap)
            return Seen((finding(BLOCKED[blocked], measured),), checked=(name,))
        if explanation.has_mistakes:
            return Seen(checked=(name,))  # first things first
        notes = (_NAN_ROW,) if blocked == "nan" else _nan_gradient(masked, allowed)
        return Seen(notes=notes, checked=(name,))
    return None


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
