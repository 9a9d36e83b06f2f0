"""Tries a query that can attend to nothing: it gets zeros, NaN, or everything."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.preparation import in_precision
from attnviz.checking.find.examination import gap
from attnviz.checking.find.faults import BLOCKED
from attnviz.checking.find.search import agrees, finding
from attnviz.checking.probe.masked_call import MaskedCall
from attnviz.checking.report import StageResult, checked, fault, note

_CHECKED = checked("row without an allowed key")


def blocked_row(masked: MaskedCall) -> StageResult:
    """Let one query, or one text, attend to nothing: in the precision the person uses, then in the more exact one.

    A number such as -1e9 replaces the score it is added to in one precision and only rounds it in another.
    """
    explained, candidate = masked.explained, masked.explained.candidate
    allowed = masked.format.blocking(*masked.batch_and_tokens)  # [T, T] or [B, T]
    unknown: list[Tensor] = []
    for dtype in dict.fromkeys((candidate.own_dtype, candidate.dtype)):
        there = replace(explained.examination, candidate=in_precision(candidate, dtype))
        low = masked.fed(there, explained.inputs)
        answer = low.call(allowed)
        if answer.numbers is None:
            sentence = f"It stops with an error when a query can attend to nothing: {answer.message}"
            return fault("blocked-row-raises", sentence, "give zeros for such a row")
        result = _known_row(low, allowed, answer.numbers)
        if result is not None:
            return result
        unknown.append(answer.numbers)
    if explained.explanation.has_mistakes:
        return StageResult()  # first things first
    sentence = "When one query can attend to nothing, what comes out is neither zeros nor anything known"
    sentence += ", and NaN reaches other queries." if bool(unknown[0].isnan().any()) else "."
    return fault("blocked-row-differs", sentence, "give zeros for such a row, and leave the others alone")


def _known_row(masked: MaskedCall, allowed: Tensor, theirs: Tensor) -> StageResult | None:
    """What such a row gives: zeros, NaN, all keys alike, or as without a mask; None where it is none of them."""
    tolerance = max(1e-4, 4 * _imprecision(masked))
    for blocked in ("zeros", "nan", "uniform", "open"):
        if not agrees(masked.ours(allowed, blocked=blocked).out, theirs, tolerance):
            continue
        if blocked in BLOCKED:
            measured = gap("largest difference from zeros weighing the values", masked.ours(allowed).out, theirs)
            return StageResult((finding(BLOCKED[blocked], measured),)) + _CHECKED
        if masked.explained.explanation.has_mistakes:
            return _CHECKED  # first things first
        return _CHECKED + (_NAN_ROW if blocked == "nan" else _nan_gradient(masked, allowed))
    return None


def _imprecision(masked: MaskedCall) -> float:
    """How far it is from ours without a mask in its own precision, which torch.autocast inside may lower."""
    ours = masked.explained.ours().out  # [B, T, D]
    apart = gap("", ours, masked.explained.call().numbers).value
    return min(apart / max(1.0, float(ours.abs().max())), 0.02)


_NAN_ROW = note(
    "blocked-row-nan",
    "A query that can attend to nothing gives NaN, as nn.MultiheadAttention does; one layer later NaN is everywhere.",
    "weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the softmax; before it, scores of 0 for such a row",
)


def _nan_gradient(masked: MaskedCall, allowed: Tensor) -> StageResult:
    answer = masked.call(allowed, grad=True)
    if answer.out is None or not answer.out.requires_grad:
        return StageResult()
    try:
        grads = torch.autograd.grad(answer.out.sum(), answer.inputs, allow_unused=True)
    except RuntimeError:
        return StageResult()  # the probe of gradients says so
    if not any(grad is not None and bool(grad.isnan().any()) for grad in grads):
        return StageResult()
    sentence = "A query that can attend to nothing gives zeros, and its gradient is NaN: it spoils a training step."
    fix = "give the scores of such a row 0 before the softmax; nan_to_num after it repairs the output only"
    return note("blocked-row-nan-gradient", sentence, fix)
