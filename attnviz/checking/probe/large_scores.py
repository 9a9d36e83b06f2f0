"""Tries scores of thousands, where a naive softmax overflows and a finite mask value hides nothing."""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Run
from attnviz.checking.find.search import agrees, difference, gap
from attnviz.checking.probe.masks import MaskedCall
from attnviz.checking.report import Measurement, StageResult, checked, fault, unchecked

LARGE = 2000.0  # the largest score at least: e to that power is infinite in any precision
HUGE, SEEN = 1e30, 1e-3  # scores that no finite number in use outweighs, and what counts as seen of the future
LOOSEST = 0.05  # relative to the largest value: a softmax that overflows is wrong by much more
_FIX = "torch.softmax(scores, dim=-1), or scores - scores.amax(-1, keepdim=True) before exp"
_GONE, _CLEAR = -760.0, -9.0  # the logarithm of a sum that is 0 in any precision, and of one that no eps outweighs


def large_scores(run: Run, masks: Sequence[MaskedCall]) -> StageResult:
    """Whether the output is right where e to the power of a score is infinite, without a mask and with each."""
    inputs = _inputs(run, LARGE)
    if inputs is None:
        return unchecked("large scores: larger inputs do not make them")
    large = replace(run, inputs=inputs)
    at = Measurement("at scores as large as", _largest(large.ours().masked))
    tolerance = _tolerance(run, at.value)
    result = _unmasked(large, at, tolerance)
    for masked in () if result.findings else masks:
        result += _masked(masked.fed(run.examination, inputs), at, tolerance)
    return result if result.findings or run.reading.variant.causal != "right" else result + _future(run)


def _unmasked(large: Run, at: Measurement, tolerance: float) -> StageResult:
    ours, answer = large.ours().out, large.call()
    theirs = answer.numbers
    if theirs is None:
        sentence = f"With large scores it stops with an error: {answer.message}"
        return fault("large-scores-differ", sentence, _FIX, at)
    if agrees(ours, theirs, tolerance):
        return checked("large scores")
    if not bool(torch.isfinite(theirs).all()):
        sentence = "Large scores give NaN or infinite numbers: exp overflows, or a row is divided by a sum that is 0."
        return fault("softmax-overflows", sentence, _FIX, at)
    sentence = (
        "With large scores the output is finite and wrong, with small ones right: scores are clamped, NaN is replaced, "
        "what is subtracted before exp is not each row's own maximum, or what hides a token is not low enough."
    )
    return fault("large-scores-differ", sentence, _FIX, gap("largest difference from ours", ours, theirs), at)


def _future(run: Run) -> StageResult:
    """Whether a causal layer hides what comes after a token at any score: a finite number does not."""
    seen = _seen_of_the_future(run, HUGE)
    if seen is None:
        return unchecked("the future with scores of any size: the output is not finite")
    if seen < SEEN:
        return checked("the future with scores of any size")
    sizes = [10.0**power for power in range(3, 31)]
    size, share = next((size, share) for size in sizes if (share := _seen_of_the_future(run, size) or 0.0) >= SEEN)
    sentence = "The future is hidden by a finite number: with scores of its size tokens see what comes after them."
    fix = 'scores.masked_fill(future, float("-inf")): nothing outweighs it'
    measured = (
        Measurement("the future is seen with scores as large as", size),
        Measurement("share of the output that then depends on the last token alone", share),
    )
    return fault("causal-outweighed", sentence, fix, *measured)


def _seen_of_the_future(run: Run, size: float) -> float | None:
    """How much the earlier outputs change with the last token, of the largest output; None where one is not finite."""
    inputs = _inputs(run, size)
    if inputs is None:
        return None
    query, key, value = (torch.cat([x[..., :-1, :], -x[..., -1:, :]], dim=-2) for x in inputs)  # [B, T, d_model]
    one, other = run.examination.call(inputs).numbers, run.examination.call((query, key, value)).numbers
    if one is None or other is None or not bool(torch.isfinite(one + other).all()):
        return None
    return float((one - other)[..., :-1, :].abs().max() / one.abs().max().clamp(min=1e-30))


def _masked(large: MaskedCall, at: Measurement, tolerance: float) -> StageResult:
    """Whether what a mask hides stays hidden where its score is larger than all that is seen."""
    allowed = large.example()  # [T, T] or [B, T]
    right, theirs = large.ours(allowed).out, large.call(allowed).numbers  # [B, T, d_model] each
    if theirs is None or not bool(torch.isfinite(right).all()):
        return unchecked(f"{large.name} with large scores")
    if agrees(right, theirs, tolerance):
        return checked(f"{large.name} with large scores")
    id, why = "mask-outweighed", "what hides a token is a number that large scores outweigh, so hidden tokens are seen."
    if _leaves_nothing(large, allowed, theirs):
        id = "mask-leaves-nothing"
        why = "the mask comes after the softmax, and where a hidden token takes all, the others have weights of 0 left."
    sentence = f"With large scores and a mask ({large.name}) the output is wrong: {why}"
    fix = 'scores.masked_fill(~mask, float("-inf")) before the softmax'
    return fault(id, sentence, fix, gap("largest difference from ours", right, theirs), at)


def _leaves_nothing(large: MaskedCall, allowed: Tensor, theirs: Tensor) -> bool:
    """Whether weights were hidden after the softmax and divided by what is left, which is 0, or less than an eps."""
    mask, scores = large.broadcast(allowed), large.run.ours().masked  # [B, H, T_q, T_k]
    share = scores.masked_fill(~mask, -math.inf).logsumexp(-1) - scores.logsumexp(-1)  # [B, H, T_q], a logarithm
    is_gone, is_clear = share < _GONE, (share < _GONE) | (share > _CLEAR)  # [B, H, T_q] each
    # [B, T_q, d_model], zeros from heads with nothing left
    empty = large.run.ours(mask & ~is_gone[..., None]).out
    if share.ndim == theirs.ndim:  # a layer mixes the heads, [B, T_q, d_model]; a function gives each, [B, H, T_q, d_k]
        is_gone, is_clear = is_gone.any(1), is_clear.all(1)  # [B, T_q] each
    expected = empty.masked_fill(is_gone[..., None], math.nan) if bool(theirs.isnan().any()) else empty
    return bool((is_gone & is_clear).any()) and agrees(expected[is_clear], theirs[is_clear])


def _inputs(run: Run, size: float) -> Inputs | None:
    """Inputs whose largest score is positive and at least `size`: a large negative one overflows nothing."""
    query, key, value = run.examination.inputs(41)
    for _ in range(12):
        largest = _largest(run.reading.values((query, key, value)).masked)
        if largest >= size:
            return query, key, value
        factor = min(1e8, max(1.1, (size / max(largest, 1e-3)) ** 0.5))
        query, key, value = query * factor, key * factor, value * factor
    return None


def _largest(masked: Tensor) -> float:
    return float(masked.amax(-1).max())


def _tolerance(run: Run, largest: float) -> float:
    """Rounding of scores grows with them, and e to their power with it: as precise as at ordinary scores, no more."""
    usual = run.ours()
    apart = difference(usual.out, run.theirs) / max(1.0, float(usual.out.abs().max()))
    return min(LOOSEST, max(1e-3, 10 * apart * largest / max(1.0, _largest(usual.masked))))
