"""Works out from the output what dropout did: by hand, or torch's where it was not called on what attention computes.

The weights that made the output (used_weights.py) are compared with ours, over many calls with different seeds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.shared_draw import shared_draw
from attnviz.checking.probe.used_weights import used_weights, with_few_tokens
from attnviz.checking.report import Finding, Measurement

CALLS = 24  # with different seeds
AFTER_SOFTMAX = "weights = dropout(torch.softmax(scores, dim=-1)); out = weights @ v"
_RESCALE = "F.dropout(weights, p, training=self.training), or weights * kept / (1 - p)"
_HIDDEN = Finding(
    "dropout-elsewhere",
    "In training mode keys are hidden at random before the softmax, and the rows still sum to 1: the paper drops "
    "weights behind it.",
    "nothing, if that is meant",
)
_NOT_FINITE = Finding(
    "dropout-not-finite",
    "In training mode the output holds NaN or infinite numbers, by chance: the score of a hidden token, −∞, times 0 is "
    "NaN, and so is a row divided by a sum of which all is dropped.",
    AFTER_SOFTMAX,
)


@dataclass(frozen=True)
class Kept:
    """What is left of a value under dropout, as a share of what it is without."""

    shares: Tensor  # [n], 0 where something was dropped

    @property
    def factor(self) -> float | None:
        """By what the rest is multiplied; None where that is not one number."""
        rest = self.shares[self.shares.abs() > 1e-6]
        is_one = rest.numel() > 0 and float(rest.max() - rest.min()) < 1e-4 * float(rest.abs().max())
        return float(rest.mean()) if is_one and rest.numel() < self.shares.numel() else None

    @property
    def dropped(self) -> float:
        """The share of zeros."""
        return float((self.shares.abs() <= 1e-6).double().mean())


def by_hand(understood: Understood, has_chance: bool) -> Seen:
    """What chance changes in training mode: the weights, the scores, or the output; without chance, what is dropped."""
    few = with_few_tokens(understood)
    outs = [few.examination.ask(few.inputs, training=True, seed=seed).out for seed in range(CALLS)]
    ours = few.explanation.values(few.inputs)
    added = few.inputs[0] if few.explanation.variant.out == "residual" else torch.zeros_like(ours.out)  # [B, T, D]
    theirs = [out.detach() - added for out in outs if out is not None and out.shape == ours.out.shape]
    broken = [out for out in theirs if not bool(torch.isfinite(out).all())]
    if broken and has_chance:
        measured = Measurement(f"of {CALLS} calls, those with such numbers", len(broken))
        return Seen((replace(_NOT_FINITE, evidence=(measured,)),))
    kept = Kept(torch.cat([(out / (ours.out - added)).flatten() for out in theirs]))
    if kept.factor is not None and has_chance:
        return _rescaled(kept, "the output")
    used = [used_weights(few, out) for out in theirs]  # [B, H, Tq, Tk] each, or None
    if any(weights is None for weights in used) or not used:
        if not has_chance:
            return Seen()  # the stage for training mode says that it is wrong there
        return Seen(unchecked=("dropout by hand: it cannot be worked out from the output what it is applied to",))
    return _of_weights(ours.weights, torch.stack([weights for weights in used if weights is not None]), has_chance)


def _of_weights(ours: Tensor, used: Tensor, has_chance: bool) -> Seen:
    """ours [B, H, Tq, Tk], used [calls, B, H, Tq, Tk]."""
    is_seen = (ours > 1e-3).expand_as(used)
    kept = Kept((used / ours.clamp(min=1e-3))[is_seen])
    if kept.factor is not None:
        found = shared_draw(used.abs() <= 1e-6, is_seen, kept.dropped)
        if found is not None:
            return Seen((found,))
        return _rescaled(kept, "the weights")
    if not has_chance:
        return Seen()  # another fault of training mode, whose stage says what
    if agrees(torch.ones_like(used.sum(-1)), used.sum(-1)):
        if kept.dropped > 0:
            return Seen(notes=(_HIDDEN,))
        measured = Measurement(
            "largest change of a weight, in rows that sum to 1", difference(ours.expand_as(used), used)
        )
        sentence = (
            "In training mode chance changes the scores, before the softmax: no weight is 0, and rows still sum to 1. "
            "Dropout of a score makes it 0, and e⁰ = 1 still takes weight."
        )
        return Seen((Finding("dropout-before-softmax", sentence, AFTER_SOFTMAX, (measured,)),))
    return Seen(unchecked=("dropout by hand: chance changes the weights, and not as dropout does",))


def _rescaled(kept: Kept, what: str) -> Seen:
    """Whether what stays is divided by 1 − p; the share that is seen to be dropped says p roughly."""
    factor = kept.factor or 0.0
    expected = 1 / max(1e-9, 1 - kept.dropped)
    if factor > 1 + 1e-4 and abs(1 / factor - 1 / expected) < 0.15:
        return Seen(checked=(f"dropout of {what}",))
    sentence = (
        f"Dropout of {what} does not rescale rightly: what is kept is multiplied by {factor:.4g}; expected it divided "
        "by 1 − p, for the average to be as in eval mode."
    )
    measured = (Measurement("share dropped", kept.dropped), Measurement("what is kept is multiplied by", factor))
    return Seen((Finding("dropout-not-rescaled", sentence, _RESCALE, measured),))
