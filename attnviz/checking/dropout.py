"""The stage for dropout in training mode: what it is applied to, and whether what stays is rescaled.

Torch's own dropout is watched as it is called. For dropout written by hand the weights that made the output are worked
out from it (see used_weights.py) and compared with ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from attnviz.checking.candidate import Candidate
from attnviz.checking.chance import depends_on_chance
from attnviz.checking.examination import Seen, Understood
from attnviz.checking.heads import heads_of
from attnviz.checking.isolation import twin
from attnviz.checking.mistaken import attention
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import agrees, difference
from attnviz.checking.used_weights import used_weights, with_few_tokens

SHARE = 0.3  # dropped, where the layer says 0
CALLS = 24  # with different seeds, for dropout by hand
_HUGE = 1e3  # a score as far from 0 is a hidden one
_BEFORE = ("scores", "raw scores", "masked scores")
_FIX = "weights = dropout(torch.softmax(scores, dim=-1)); out = weights @ v"
_RESCALE = "F.dropout(weights, p, training=self.training), or weights * kept / (1 - p)"
_HIDDEN = Finding(
    "dropout-elsewhere",
    "In training mode keys are hidden at random before the softmax, and the rows still sum to 1: the paper drops "
    "weights behind it.",
    "nothing, if that is meant",
)


def dropout_in_training(understood: Understood) -> Seen:
    """Look at every dropout of a module: torch's first, then what is left of chance without it."""
    examination = understood.examination
    if examination.candidate.is_calm:
        return Seen()
    if not isinstance(examination.candidate.subject, nn.Module):
        return _of_function(understood)
    calls: list[Tensor | None] = []
    candidate = replace(_dropping(examination.candidate), is_calm=True, seen_by_dropout=calls)
    calm = replace(examination, candidate=candidate)
    answer = calm.ask(understood.inputs, training=True)
    if answer.out is None:
        return Seen(unchecked=(f"dropout: it stops with an error: {answer.said}",))
    seen = _of_torch(understood, list(calls))
    has_chance = depends_on_chance(replace(calm, candidate=replace(candidate, seen_by_dropout=None)))
    if has_chance and not seen.findings:
        seen += _by_hand(replace(understood, examination=calm))
    has_layer = any(isinstance(m, nn.modules.dropout._DropoutNd) for m in _modules(candidate))
    if has_layer and not calls and not has_chance:
        sentence = "It has a dropout layer that is never called."
        seen += Seen(notes=(Finding("dropout-unused", sentence, "weights = self.dropout(weights)"),))
    return seen


def _of_function(understood: Understood) -> Seen:
    """Give a function the dropout that it asks for, a layer or a share, and see what it is applied to."""
    examination = understood.examination
    name, default = examination.candidate.signature.dropout or ("", None)
    if not name:
        return Seen()
    calls: list[Tensor | None] = []
    calm = replace(examination, candidate=replace(examination.candidate, is_calm=True, seen_by_dropout=calls))
    answer = calm.ask(understood.inputs, flags={name: nn.Dropout(SHARE) if default is None else SHARE})
    if answer.out is None:
        return Seen(unchecked=(f"{name}: it stops with an error: {answer.said}",))
    return _of_torch(understood, calls) if calls else Seen(unchecked=(f"{name}: torch's dropout is not called",))


def _modules(candidate: Candidate) -> list[nn.Module]:
    return list(candidate.subject.modules()) if isinstance(candidate.subject, nn.Module) else []


def _dropping(candidate: Candidate) -> Candidate:
    """The candidate with a share to drop where it has 0, so that its dropout shows."""
    assert isinstance(candidate.subject, nn.Module)  # a function has no training mode
    copied = twin(candidate.subject)
    assert copied is not None  # the subject is itself a copy
    for module in copied.modules():
        for name, value in list(vars(module).items()):
            if ("drop" in name.lower() or name == "p") and isinstance(value, float) and value == 0:
                setattr(module, name, SHARE)
    return replace(candidate, subject=copied)


def _of_torch(understood: Understood, calls: list[Tensor | None]) -> Seen:
    """What torch's dropout was applied to, by comparing the numbers with each value of ours."""
    values = values_by_name(understood)
    names = [name_of(call, values) for call in calls]
    found = next((name for name in names if name in _BEFORE), None)
    if found is not None:
        sentence = (
            f"Dropout is applied to the {found}, before the softmax: a dropped score is 0, and e⁰ = 1 still takes "
            "weight, so that in training no token is left out and others change."
        )
        return Seen((Finding("dropout-before-softmax", sentence, _FIX),))
    notes = tuple(
        Finding("dropout-elsewhere", f"In training mode dropout is applied to the {name} too.", _IF_MEANT)
        for name in dict.fromkeys(names) if name in ("queries", "keys", "input")
    )  # fmt: skip
    checked = ("dropout of the weights",) if "weights" in names else ()
    unknown = "dropout of something that is none of q, k, v, scores, weights, context and output"
    return Seen(notes=notes, checked=checked, unchecked=(unknown,) if "" in names else ())


_IF_MEANT = (
    "nothing, if that is meant; in the paper dropout is applied to the output, and in most layers to the weights"
)


def values_by_name(understood: Understood) -> dict[str, Tensor]:
    """Every value of ours that may be dropped from or normalised, by its name."""
    explanation, inputs = understood.explanation, understood.inputs
    numbers, variant = explanation.reading.numbers, explanation.variant
    ours = explanation.values(inputs)
    q, k, v = heads_of(inputs, numbers, variant)  # [B, H, T, Dh] each
    context, out = (attention(inputs, numbers, replace(variant, out=how)).out for how in ("missing", "right"))
    return {
        "weights": ours.weights, "scores": ours.scores, "raw scores": ours.raw, "masked scores": ours.masked,
        "queries": q, "keys": k, "values": v, "context": context, "output": out, "input": inputs[0],
        "memory": inputs[1], "output with the input added": out + inputs[0] if out.shape == inputs[0].shape else out,
    }  # fmt: skip


def name_of(call: Tensor | None, values: dict[str, Tensor]) -> str:
    """Which value holds these numbers; empty where none does."""
    if call is None:
        return "weights"  # inside torch's own function
    return next((name for name, value in values.items() if _has_same_numbers(call, value)), "")


def _has_same_numbers(call: Tensor, value: Tensor) -> bool:
    """Whether both hold the same numbers, in whatever order of axes; or those of one head."""
    heads = [value[:, head] for head in range(value.shape[1])] if value.ndim == 4 else []
    theirs = _sorted(call)
    return any(ours.shape == theirs.shape and agrees(ours, theirs) for ours in map(_sorted, [value, *heads]))


def _sorted(tensor: Tensor) -> Tensor:
    flat = tensor.detach().to("cpu", torch.float64).flatten()
    return flat[flat.abs() < _HUGE].sort().values


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


def _by_hand(understood: Understood) -> Seen:
    """Chance that is not torch's dropout: in the weights, in the scores, or in the output."""
    few = with_few_tokens(understood)
    outs = [few.examination.ask(few.inputs, training=True, seed=seed).out for seed in range(CALLS)]
    ours = few.explanation.values(few.inputs)
    added = few.inputs[0] if few.explanation.variant.out == "residual" else torch.zeros_like(ours.out)  # [B, T, D]
    theirs = [out.detach() - added for out in outs if out is not None and out.shape == ours.out.shape]
    kept = Kept(torch.cat([(out / (ours.out - added)).flatten() for out in theirs]))
    if kept.factor is not None:
        return _rescaled(kept, "the output")
    used = [used_weights(few, out) for out in theirs]  # [B, H, Tq, Tk] each, or None
    if any(weights is None for weights in used):
        return Seen(unchecked=("dropout by hand: it cannot be worked out from the output what it is applied to",))
    return _of_weights(ours.weights, torch.stack([weights for weights in used if weights is not None]))


def _of_weights(ours: Tensor, used: Tensor) -> Seen:
    """ours [B, H, Tq, Tk], used [calls, B, H, Tq, Tk]."""
    is_seen = (ours > 1e-3).expand_as(used)
    kept = Kept((used / ours.clamp(min=1e-3))[is_seen])
    if kept.factor is not None:
        return _rescaled(kept, "the weights")
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
        return Seen((Finding("dropout-before-softmax", sentence, _FIX, (measured,)),))
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
