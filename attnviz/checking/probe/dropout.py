"""Looks at dropout in training mode: what it is applied to, how it draws, and whether what stays is rescaled.

Torch's own dropout is watched as it is called. How it draws, and dropout written by hand, show in the returned weights.
"""

from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import RESEEDED
from attnviz.checking.call.interception import DROPOUTS
from attnviz.checking.find.examination import Explained, name_of, values_by_name
from attnviz.checking.find.search import agrees
from attnviz.checking.probe.other_calls import with_dropout
from attnviz.checking.probe.probe_state import Progress
from attnviz.checking.report import Measurement, StageResult, checked, fault, unchecked

SHARE = 0.3  # dropped, where the layer says 0
CALLS = 24  # with different seeds
_BEFORE = ("scores", "raw scores", "masked scores")
_SHARED_DRAWS = {  # along which axes of [call, text, head, query, key] one draw serves all; the first is said
    (3, 4): "all weights of a head are dropped at once, or none",
    (0,): "the same weights are dropped at every call",
    (2,): "the same weights are dropped in all heads",
    (1,): "the same weights are dropped in all texts",
}


def dropout(progress: Progress) -> StageResult:
    """Look at what torch's dropout is applied to, then at the weights that are returned while it drops."""
    explained, candidate = progress.explained, progress.explained.candidate
    is_reseeded = RESEEDED in explained.answer.changed  # then it repeats, and that is said
    if is_reseeded or not isinstance(candidate.subject, nn.Module):
        return StageResult()
    dropping = with_dropout(candidate, SHARE)
    calm = dropping.without(DROPOUTS)
    replace(explained.examination, candidate=calm).call(explained.inputs, training=True)
    values = values_by_name(explained)
    names = [name_of(tensor, values) for tensor in calm.taken_out[-1].applied_to]
    before = next((name for name in names if name in _BEFORE), None)
    if before is not None:
        sentence = (
            f"Dropout is applied to the {before}, before the softmax: a dropped score is 0, and e⁰ = 1 still takes "
            "weight, so that in training no token is left out and others change."
        )
        fix = "weights = dropout(torch.softmax(scores, dim=-1)); out = weights @ v"
        return fault("dropout-before-softmax", sentence, fix)
    weights = _returned_weights(explained.fed(replace(explained.examination, candidate=dropping), explained.inputs))
    if weights is not None:
        return _of_weights(explained.ours().weights, weights)
    return checked("dropout of the weights") if "weights" in names else StageResult()


def _returned_weights(dropping: Explained) -> Tensor | None:
    """The weights that calls with different seeds return, [calls, B, H, T_q, T_k]; None where chance changes none."""
    expected = dropping.ours().weights
    answers = [dropping.call(training=True, seed=seed) for seed in range(CALLS)]
    found = [t.detach() for answer in answers for _, t in answer.others if t.shape == expected.shape]
    if len(found) != CALLS or all(agrees(expected, weights) for weights in found):
        return None
    used = torch.stack(found)
    is_chance = any(not torch.equal(used[0], weights) for weights in used)
    return used if is_chance or bool((used == 0).any()) else None  # else it computes something else in training mode


def _of_weights(ours: Tensor, used: Tensor) -> StageResult:
    """ours [B, H, T_q, T_k], used [calls, B, H, T_q, T_k]."""
    is_seen = (ours > 1e-3).expand_as(used)  # [calls, B, H, T_q, T_k]; a smaller weight says nothing
    shares = (used / ours.clamp(min=1e-3))[is_seen]  # [n], of what a weight is without dropout
    is_dropped = shares.abs() <= 1e-6
    kept, dropped = shares[~is_dropped], float(is_dropped.double().mean())
    if not len(kept) or not dropped or float(kept.max() - kept.min()) > 1e-4 * float(kept.abs().max()):
        return unchecked("dropout by hand: chance changes the weights, and not as dropout of the weights does")
    words = _shared_draw(used.abs() <= 1e-6, is_seen)
    if words is not None:
        sentence = f"In training mode {words}; expected a draw for each weight of each call by itself."
        fix = "kept = torch.rand_like(weights) >= p, without a seed; or F.dropout(weights, p, training=self.training)"
        return fault("dropout-shared", sentence, fix, Measurement("share dropped", dropped))
    factor = float(kept.mean())
    if factor > 1 + 1e-4 and abs(1 / factor - (1 - dropped)) < 0.15:  # the share that is seen says p roughly
        return checked("dropout of the weights")
    sentence = (
        f"Dropout of the weights does not rescale rightly: what is kept is multiplied by {factor:.4g}; expected it "
        "divided by 1 − p, for the average to be as in eval mode."
    )
    fix = "F.dropout(weights, p, training=self.training), or weights * kept / (1 - p)"
    measured = Measurement("share dropped", dropped), Measurement("what is kept is multiplied by", factor)
    return fault("dropout-not-rescaled", sentence, fix, *measured)


def _shared_draw(is_dropped: Tensor, is_seen: Tensor) -> str | None:
    """How dropout draws for several weights at once; None where each is dropped by itself."""
    alike = set()
    for axis in range(5):
        is_mixed = (is_dropped & is_seen).any(axis) & (~is_dropped & is_seen).any(axis)
        alike |= {axis} if is_dropped.shape[axis] > 1 and not bool(is_mixed.any()) else set()
    return next((words for axes, words in _SHARED_DRAWS.items() if alike >= set(axes)), None)
