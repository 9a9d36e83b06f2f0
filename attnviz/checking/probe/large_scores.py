"""Tries scores of thousands, where a naive softmax overflows and a finite mask value hides nothing."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Run
from attnviz.checking.find.mistaken_attention import Values
from attnviz.checking.find.search import agrees, difference, gap
from attnviz.checking.probe.masks import MaskedCall
from attnviz.checking.report import Measurement, StageResult, checked, fault, note, unchecked

LARGE = 2000.0  # the largest score at least: e to that power is infinite in any precision
SIZES = (25.0, 250.0, 2500.0, 25000.0)  # scores that occur; no two are 65504 apart, the largest number of float16
VAST, CLOSE = 1e11, 1e-3  # scores beside which a number of these sizes is 0, and how precise an output is there
HUGE = 1e30  # scores that no finite number in use outweighs
LOOSEST = 0.05  # relative to the largest value: a softmax that overflows is wrong by much more
_FINITE = "The number that hides {what} is finite"
_FILL = 'scores.masked_fill(~mask, float("-inf")) before the softmax: nothing outweighs it'
_FIX = "torch.softmax(scores, dim=-1), or scores - scores.amax(-1, keepdim=True) before exp"
_GONE, _CLEAR = -760.0, -9.0  # the logarithm of a sum that is 0 in any precision, and of one that no eps outweighs


def large_scores(run: Run, masks: Sequence[MaskedCall]) -> StageResult:
    """Whether the output is right where e to the power of a score is infinite, without a mask and with each."""
    inputs = _inputs(run, LARGE, run.examination.inputs(41), _largest)
    if inputs is None:
        return unchecked("large scores: larger inputs do not make them")
    result = _outweighed(run) if run.reading.variant.causal == "right" else StageResult()
    for masked in () if result.findings else masks:
        result += _outweighed(masked.run, masked)
    if result.findings:
        return result
    large = replace(run, inputs=inputs)
    at = Measurement("at scores as large as", _largest(large.ours()))
    tolerance = _tolerance(run, at.value)
    result += _unmasked(large, at, tolerance)
    for masked in () if result.findings else masks:
        result += _masked(masked.fed(run.examination, inputs), at, tolerance)
    return result


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
        "or what is subtracted before exp is not each row's own maximum."
    )
    return fault("large-scores-differ", sentence, _FIX, gap("largest difference from ours", ours, theirs), at)


def _outweighed(run: Run, masked: MaskedCall | None = None) -> StageResult:
    """Whether what hides a token, a mask or else the layer's own triangle, is a finite number that scores outweigh.

    Beside vast scores such a number is 0 where it replaces a score, and nothing where it is added to one.
    """
    what, mask, given, causal = "the future", None, {}, run.reading.variant.causal
    seen = [{"causal": "zero"}, {"causal": "no"}]
    if masked is not None:
        allowed = masked.format.alone(*masked.batch_and_tokens)  # [T, T] or [B, T]
        what, mask = f"tokens in a mask ({masked.name})", masked.broadcast(allowed)
        given = {masked.name: masked.written(allowed)}
        triangles = ("right", "zero", "no") if causal == "right" else (causal,)
        seen = [{"causal": one, "mask": other} for one in triangles for other in ("zero", "ignored")]
    drawn = max((_first_tokens_large(run, seed) for seed in range(41, 57)), key=lambda x: _lowest_seen(run, mask, x))

    def outs(size: float, how: Mapping[str, str] | None = None) -> tuple[Tensor, Tensor | None]:
        inputs = _inputs(run, size, drawn, _widest)
        if inputs is None:
            return drawn[0], None
        reading = run.reading.changed(**how or {})
        return reading.values(inputs, mask).out, run.examination.call(inputs, given).numbers  # [B, T_q, d_model] each

    sizes = [size for size in SIZES if not agrees(*outs(size), LOOSEST)]
    if sizes and any(agrees(*outs(VAST, how), CLOSE) for how in seen):
        measured = gap("largest difference from ours", *outs(sizes[0])), Measurement("at scores as large as", sizes[0])
        id = "causal-outweighed" if masked is None else "mask-outweighed"
        return fault(id, f"{_FINITE.format(what=what)}, and scores of its size outweigh it.", _FILL, *measured)
    if sizes or masked is not None:
        return StageResult()  # what else is wrong with large scores is asked next
    right, theirs = outs(HUGE)
    if theirs is None or not bool(torch.isfinite(theirs).all()):
        return unchecked("the future with scores of any size: the output is not finite")
    if agrees(right, theirs, LOOSEST):
        return checked("the future with scores of any size")
    sentence = f"{_FINITE.format(what=what)}. Only scores of more than {SIZES[-1]:,.0f} outweigh it, which are rare."
    return note("causal-finite", sentence, _FILL)


def _first_tokens_large(run: Run, seed: int) -> Inputs:
    """Inputs whose largest score is, likely, one of the first two tokens'."""
    query, key, value = (torch.cat([x[..., :2, :], x[..., 2:, :] / 2], -2) for x in run.examination.inputs(seed))
    return query, key, value  # [B, T, d_model] each


def _lowest_seen(run: Run, mask: Tensor | None, drawn: Inputs) -> float:
    """How far below 0, and below all others, the scores are that one query sees, of the largest score."""
    inputs = _inputs(run, SIZES[-1], drawn, _widest)
    if inputs is None:
        return 0.0
    values = run.reading.values(inputs, mask)
    seen = values.masked.amax(-1)  # [B, H, T_q]
    return float(torch.minimum(-seen, values.scores.amax(-1) - seen).max()) / _widest(values)


def _masked(large: MaskedCall, at: Measurement, tolerance: float) -> StageResult:
    """Whether what a mask hides stays hidden where its score is larger than all that is seen."""
    allowed = large.example()  # [T, T] or [B, T]
    right, theirs = large.ours(allowed).out, large.call(allowed).numbers  # [B, T, d_model] each
    if theirs is None or not bool(torch.isfinite(right).all()):
        return unchecked(f"{large.name} with large scores")
    if agrees(right, theirs, tolerance):
        return checked(f"{large.name} with large scores")
    id, why = "mask-differs", "without it right: the mask comes after the softmax, or what hides a token depends on it."
    if _leaves_nothing(large, allowed, theirs):
        id = "mask-leaves-nothing"
        why = "the mask comes after the softmax, and where a hidden token takes all, the others have weights of 0 left."
    sentence = f"With large scores and a mask ({large.name}) the output is wrong: {why}"
    return fault(id, sentence, _FILL, gap("largest difference from ours", right, theirs), at)


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


def _largest(values: Values) -> float:
    """The largest score, where it is positive: a large negative one overflows nothing."""
    return float(values.masked.amax(-1).max())


def _widest(values: Values) -> float:
    return float(values.scores.abs().max())


def _inputs(run: Run, size: float, drawn: Inputs, measure: Callable[[Values], float]) -> Inputs | None:
    """These inputs, larger, so that they make scores of this size at least, and hardly more."""
    query, key, value = drawn
    for _ in range(12):
        largest = measure(run.reading.values((query, key, value)))
        if largest >= size:
            return query, key, value
        factor = min(1e8, max(1.1, (size / max(largest, 1e-3)) ** 0.5))
        query, key, value = query * factor, key * factor, value * factor
    return None


def _tolerance(run: Run, largest: float) -> float:
    """Rounding of scores grows with them, and e to their power with it: as precise as at ordinary scores, no more."""
    usual = run.ours()
    apart = difference(usual.out, run.theirs) / max(1.0, float(usual.out.abs().max()))
    return min(LOOSEST, max(1e-3, 10 * apart * largest / max(1.0, _largest(usual))))
