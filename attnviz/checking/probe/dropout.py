"""The stage for dropout in training mode: what it is applied to, and whether what stays is rescaled.

Torch's own dropout is watched as it is called; what it cannot tell, and dropout written by hand, is worked out from the
output (dropout_by_hand.py).
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import RESTARTED, Candidate
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.isolation import Dropped, twin
from attnviz.checking.find.examination import Examination, Seen, Understood
from attnviz.checking.find.heads import heads_of
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.chance import depends_on_chance
from attnviz.checking.probe.dropout_by_hand import AFTER_SOFTMAX, by_hand
from attnviz.checking.report import Finding

SHARE = 0.3  # dropped, where the layer says 0
_HUGE = 1e3  # a score as far from 0 is a hidden one
_BEFORE = ("scores", "raw scores", "masked scores")


def dropout_in_training(understood: Understood) -> Seen:
    """Look at every dropout of a module: torch's first, then what is left of chance without it."""
    examination = understood.examination
    if examination.candidate.is_calm:
        return Seen()
    if not isinstance(examination.candidate.subject, nn.Module):
        return _of_function(understood)
    calls: list[Dropped] = []
    candidate = replace(_dropping(examination.candidate), is_calm=True, seen_by_dropout=calls)
    calm = replace(examination, candidate=candidate)
    answer = calm.ask(understood.inputs, training=True)
    if answer.out is None:
        return Seen(unchecked=(f"dropout: it stops with an error: {answer.said}",))
    seen, is_clear = _of_torch(understood, list(calls))
    bare = replace(calm, candidate=replace(candidate, seen_by_dropout=None))
    has_chance = depends_on_chance(bare)
    if seen.findings:
        return seen
    dropping = replace(examination, candidate=replace(candidate, is_calm=False, seen_by_dropout=None))
    if calls and RESTARTED not in answer.changed and _repeats(dropping, understood.inputs):
        return seen + Seen((_REPEATS,))
    ours = understood.explanation.values(understood.inputs).out  # [B, T, D]
    if has_chance or not agrees(ours, answer.out.detach()):
        seen += by_hand(replace(understood, examination=bare), has_chance is not False)
    elif not is_clear:
        seen += by_hand(replace(understood, examination=dropping), True)
    has_layer = any(isinstance(m, nn.modules.dropout._DropoutNd) for m in _modules(candidate))
    if has_layer and not calls and not has_chance:
        sentence = "It has a dropout layer that is never called."
        seen += Seen(notes=(Finding("dropout-unused", sentence, "weights = self.dropout(weights)"),))
    return seen


def _repeats(dropping: Examination, inputs: Inputs) -> bool:
    """Whether dropout drops the same at every call, and anything at all."""
    first, *others = [dropping.ask(inputs, training=True, seed=seed).out for seed in range(4)]
    calm = dropping.ask(inputs).out
    if first is None or calm is None or agrees(calm.detach(), first.detach()):
        return False
    return all(other is not None and difference(first, other) == 0 for other in others)


def _of_function(understood: Understood) -> Seen:
    """Give a function the dropout that it asks for, a layer or a share, and see what it is applied to."""
    examination = understood.examination
    name, default = examination.candidate.signature.dropout or ("", None)
    if not name:
        return Seen()
    calls: list[Dropped] = []
    calm = replace(examination, candidate=replace(examination.candidate, is_calm=True, seen_by_dropout=calls))
    answer = calm.ask(understood.inputs, flags={name: nn.Dropout(SHARE) if default is None else SHARE})
    if answer.out is None:
        return Seen(unchecked=(f"{name}: it stops with an error: {answer.said}",))
    return _of_torch(understood, calls)[0] if calls else Seen(unchecked=(f"{name}: torch's dropout is not called",))


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


def _of_torch(understood: Understood, calls: list[Dropped]) -> tuple[Seen, bool]:
    """What torch's dropout was applied to, by comparing numbers with each value of ours; and whether that says all."""
    values = values_by_name(understood)
    names = [name_of(call.what, values) for call in calls]
    found = next((name for name in names if name in _BEFORE), None)
    if found is not None:
        sentence = (
            f"Dropout is applied to the {found}, before the softmax: a dropped score is 0, and e⁰ = 1 still takes "
            "weight, so that in training no token is left out and others change."
        )
        return Seen((Finding("dropout-before-softmax", sentence, AFTER_SOFTMAX),)), True
    of_weights = [call.by for call, name in zip(calls, names, strict=True) if name == "weights"]
    other = next((by for by in of_weights if "alpha" in by), "")
    if other:
        sentence = f"In training mode {other} makes what it drops of the weights a number below 0, and moves the rest."
        return Seen((Finding("dropout-not-zero", sentence, "nn.Dropout; the other kind belongs to SELU layers"),)), True
    notes = tuple(
        Finding("dropout-elsewhere", f"In training mode dropout is applied to the {name} too.", _IF_MEANT)
        for name in dict.fromkeys(names) if name in ("queries", "keys", "values", "context", "input")
    )  # fmt: skip
    is_clear = "" not in names and all(call.is_of_each for call in calls)
    checked = ("dropout of the weights",) if "weights" in names and is_clear else ()
    return Seen(notes=notes, checked=checked), is_clear


_REPEATS = Finding(
    "dropout-repeats",
    "In training mode dropout drops the same at every call: its random numbers start anew each time.",
    "draw anew at each call: no seed that is set in forward, not for a generator of its own either",
)
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
