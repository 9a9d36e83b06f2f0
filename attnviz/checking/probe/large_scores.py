"""The probe with scores of thousands, where a careless softmax overflows or answers with other numbers."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.left_over import nothing_is_left
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement

LARGE = 2000.0  # the largest score at least: e to that power is infinite in any precision
LOOSEST = 0.05  # relative to the largest value: a softmax that overflows is wrong by much more
_SEEDS = range(41, 49)


def large_scores(understood: Understood) -> Seen:
    """Whether the output is right also where e to the power of a score is infinite."""
    inputs = _grown(understood)
    if inputs is None:
        return Seen(unchecked=("large scores: larger inputs do not make them",))
    values, answer = understood.explanation.values(inputs), understood.examination.ask(inputs)
    if not bool(torch.isfinite(values.out).all()):
        return Seen(unchecked=("large scores: ours is not finite there either",))
    at = Measurement("at scores as large as", _largest(values.masked))
    if answer.out is None:
        sentence = f"With large scores it stops with an error: {answer.said}"
        return Seen((Finding("large-scores-differ", sentence, _FIX, (at,)),))
    theirs = answer.out.detach()
    if agrees(values.out, theirs, _tolerance(understood, at.value)):
        return Seen(checked=("large scores",))
    if not bool(torch.isfinite(theirs).all()):
        count = Measurement("numbers that are not finite in the output", float((~torch.isfinite(theirs)).sum()))
        sentence = (
            "Large scores give NaN or infinite numbers; expected finite ones: exp overflows, or a row is divided by a "
            "sum that is 0."
        )
        return Seen((Finding("softmax-overflows", sentence, _FIX, (count, at)),))
    gap = Measurement("largest difference from the right output", difference(values.out, theirs))
    sentence = (
        "With large scores the output is finite and wrong, and with small ones it is right: scores are clamped, NaN is "
        "replaced, what is taken off before exp is not each row's own maximum, or what hides a token is not low enough."
    )
    return Seen((Finding("large-scores-differ", sentence, _FIX, (gap, at)),))


def large_scores_masked(masked: Masked) -> Seen:
    """Whether what a mask hides stays hidden where its score is larger than all that may be seen."""
    understood = masked.understood
    inputs = _grown(understood)
    if inputs is None:
        return Seen()  # said without a mask
    allowed = masked.some()  # [T, T] or [B, T]
    values = understood.explanation.values(inputs, masked.ours(allowed))
    answer = understood.examination.ask(inputs, masked.written(allowed), mask_name=masked.name)
    if answer.out is None or not bool(torch.isfinite(values.out).all()):
        return Seen(unchecked=(f"{masked.name} with large scores",))
    theirs = answer.out.detach()
    at = _largest(understood.explanation.values(inputs).masked)
    if agrees(values.out, theirs, _tolerance(understood, at)):
        return Seen(checked=(f"{masked.name} with large scores",))
    gap = Measurement("largest difference from the right output", difference(values.out, theirs))
    id = "mask-outweighed"
    why = "what hides a token is a number that large scores outweigh, so hidden tokens are looked at."
    if nothing_is_left(masked, inputs, allowed, theirs):
        id = "mask-leaves-nothing"
        why = "the mask comes after the softmax, and where a hidden token takes all, the others have weights of 0 left."
    sentence = f"With large scores and a mask ({masked.name}) the output is wrong: {why}"
    fix = 'scores.masked_fill(~mask, float("-inf")) before the softmax'
    return Seen((Finding(id, sentence, fix, (gap, Measurement("at scores as large as", at))),))


_FIX = "torch.softmax(scores, dim=-1), or scores - scores.amax(-1, keepdim=True) before exp"


def _grown(understood: Understood) -> Inputs | None:
    """Inputs whose largest score is positive and at least LARGE: a large negative one overflows nothing."""
    for seed in _SEEDS:
        query, key, value = understood.examination.inputs(seed)
        for _ in range(6):
            largest = _largest(understood.explanation.values((query, key, value)).masked)
            if largest >= LARGE:
                return query, key, value
            grown = min(100.0, max(1.1, (LARGE / max(largest, 1e-3)) ** 0.5))
            query, key, value = query * grown, key * grown, value * grown
    return None


def _largest(masked: Tensor) -> float:
    return float(masked.amax(-1).max())


def _tolerance(understood: Understood, largest: float) -> float:
    """Rounding of scores grows with them, and e to their power with it: as precise as at ordinary scores, no more."""
    usual = understood.explanation.values(understood.inputs)
    gap = understood.explanation.difference / max(1.0, float(usual.out.abs().max()))
    return min(LOOSEST, max(1e-3, 10 * gap * largest / max(1.0, _largest(usual.masked))))
