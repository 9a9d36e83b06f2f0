"""The last probes, for a layer in which nothing was found so far.

Its weights under a mask, a mask for each text, training mode, a longer text, and scores so large that a careless
softmax overflows.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.candidate import Candidate
from attnviz.checking.examination import Seen, Understood
from attnviz.checking.faults import FORWARD
from attnviz.checking.isolation import twin
from attnviz.checking.masking import Masked
from attnviz.checking.per_text import mask_per_text
from attnviz.checking.positions import windows
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import agrees, difference, explain, words_for
from attnviz.checking.shown import other_weights

LONG = 33  # tokens of the longer text
LARGE = 2000.0  # the largest score of the probe for overflow: e to that power is infinite in any precision


def further_probes(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """All of them; agreed are the masks that it takes and reads rightly."""
    seen = Seen()
    for masked in agreed:
        seen += weights_with_mask(masked) + mask_per_text(masked)
    return seen + in_training(understood, agreed) + longer_text(understood, agreed) + large_scores(understood)


def weights_with_mask(masked: Masked) -> Seen:
    """Whether the weights it returns are those that made the output also when there is a mask."""
    allowed = masked.some()
    answer, values = masked.ask(allowed), masked.values(allowed)
    measured = other_weights(answer, values)
    if measured is None:
        return Seen()
    understood = masked.understood
    is_bare = other_weights(answer, understood.explanation.values(understood.inputs)) is None
    sentence = (
        "With a mask the output is right and the returned weights are those without it: they show looks at tokens that "
        "are hidden." if is_bare else
        "With a mask the output is right and the returned weights are not those that made it."
    )  # fmt: skip
    fix = "return the tensor that multiplies v, from the same call"
    return Seen((Finding("weights-without-mask" if is_bare else "weights-differ", sentence, fix, (measured,)),))


def in_training(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """The same in training mode with every dropout at 0: nothing else may change."""
    examination = understood.examination
    if examination.candidate.is_function:
        return Seen()
    calm = replace(examination, candidate=_undropped(examination.candidate))
    answers = [calm.ask(understood.inputs, training=True, seed=seed) for seed in (0, 1)]
    if answers[0].out is None or answers[1].out is None:
        sentence = f"It runs in eval mode, and stops with an error in training mode: {answers[0].said}"
        return Seen((Finding("raises-in-training", sentence, "look for `if self.training` in forward"),))
    if difference(answers[0].out, answers[1].out):
        return Seen(unchecked=("training mode: two calls differ even without dropout",))
    values, theirs = understood.explanation.values(understood.inputs), answers[0].out.detach()
    if not agrees(values.out, theirs):
        return Seen((_wrong_where(understood, values.out, theirs, "in training mode", "right in eval mode"),))
    measured = other_weights(answers[0], values)
    if measured is not None:
        return Seen((_other_weights("In training mode", measured),))
    for masked in agreed:
        found = _mask_in_training(masked.elsewhere(replace(understood, examination=calm)), values.out)
        if found is not None:
            return Seen((found,))
    return Seen(checked=("training mode",))


def _mask_in_training(masked: Masked, bare: Tensor) -> Finding | None:
    allowed = masked.some()
    answer, right = masked.ask(allowed, training=True).out, masked.values(allowed).out  # [B, T, D] each
    if answer is not None and agrees(right, answer.detach()):
        return None
    is_ignored = answer is not None and agrees(bare, answer.detach())
    gap = float("inf") if answer is None else difference(right, answer)
    what = "the mask is ignored" if is_ignored else "the output with a mask is wrong"
    sentence = f"In training mode {what}; in eval mode it is right."
    measured = Measurement("largest difference from ours with the mask", gap)
    return Finding("mask-in-training", sentence, "look for `if self.training` in forward", (measured,))


def _other_weights(where: str, measured: Measurement) -> Finding:
    sentence = f"{where} the output is right and the returned weights are not those that made it."
    return Finding("weights-differ", sentence, "return the tensor that multiplies v, from the same call", (measured,))


def _undropped(candidate: Candidate) -> Candidate:
    """The candidate with every dropout at 0, in whatever module or attribute it is kept."""
    assert isinstance(candidate.subject, nn.Module)  # a function has no training mode
    copied = twin(candidate.subject)
    assert copied is not None  # the subject is itself a copy
    for module in copied.modules():
        if isinstance(module, nn.modules.dropout._DropoutNd):
            module.p = 0.0
        for name, value in list(vars(module).items()):
            if "drop" in name.lower() and isinstance(value, float):
                setattr(module, name, 0.0)
    return replace(candidate, subject=copied, is_calm=True)


def longer_text(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """A text several times as long; a layer may refuse it, it may not answer wrongly."""
    examination = understood.examination
    sizes = examination.sizes
    taken = {sizes.n_heads, sizes.head_width, sizes.n_heads * sizes.head_width}
    tokens = next(n for n in (LONG, LONG + 4, LONG + 8, LONG + 10) if n not in taken)
    long = replace(examination, sizes=replace(sizes, tokens=tokens))
    inputs = long.inputs(31)
    answer = long.ask(inputs)
    if answer.out is None:
        return Seen(unchecked=(f"a text of {tokens} tokens: it stops with an error: {answer.said}",))
    values, theirs = understood.explanation.values(inputs), answer.out.detach()
    there = replace(understood, examination=long, inputs=inputs)
    where = f"With {tokens} tokens"
    if not agrees(values.out, theirs):
        window = _window(there, theirs)
        if window is not None:
            return Seen(notes=(window,), checked=(f"a text of {tokens} tokens",))
        found = _wrong_where(there, values.out, theirs, where, f"right with {sizes.tokens}", "longer-text-differs")
        return Seen((found,))
    measured = other_weights(answer, values)
    if measured is not None:
        return Seen((_other_weights(where, measured),))
    for masked in agreed:
        longer = masked.elsewhere(there)
        allowed = longer.some()
        out, right = longer.ask(allowed).out, longer.values(allowed).out  # [B, T, D] each
        if out is not None and not agrees(right, out.detach()):
            sentence = f"{where} the output with a mask is wrong; with {sizes.tokens} it is right."
            measured = Measurement("largest difference from ours with the mask", difference(right, out))
            return Seen((Finding("mask-of-longer-text", sentence, "look for a length in forward", (measured,)),))
    return Seen(checked=(f"a text of {tokens} tokens",))


def _window(understood: Understood, theirs: Tensor) -> Finding | None:
    """Whether a longer text shows that it looks only so far."""
    reading = understood.explanation.reading
    if reading.variant.positions is not None:
        return None
    narrow = [replace(reading, variant=replace(reading.variant, positions=window)) for window in windows(LONG)]
    found = explain(theirs, understood.inputs, narrow, known=(), already=understood.explanation.faults)
    if found is None:
        return None
    sentence = f"It has {found.reading.variant.positions}; in shorter texts it sees all."
    return Finding("window", sentence, "nothing, if that is meant")


def _wrong_where(
    understood: Understood, ours: Tensor, theirs: Tensor, where: str, otherwise: str, id: str = "training-differs"
) -> Finding:
    """What is wrong only there, named when it is a known mistake."""
    measured = Measurement(f"largest difference from ours {where}", difference(ours, theirs))
    named = None
    if ours.shape == theirs.shape:
        named = explain(theirs, understood.inputs, [understood.explanation.reading], known=FORWARD)
    start = f"{where[0].upper()}{where[1:]} the output is wrong, and {otherwise}."
    if named is None or not named.faults:
        return Finding(id, start, "look for an `if` in forward that tells the two apart", (measured,))
    fault, numbers = named.faults[0], understood.explanation.reading.numbers
    n_heads = numbers.n_heads if numbers else understood.examination.sizes.n_heads
    words = words_for(fault, n_heads, understood.examination.head_width, understood.inputs[0].shape[-2])
    return Finding(id, f"{start} {fault.sentence.format(**words)}", fault.fix.format(**words), (measured,))


def large_scores(understood: Understood) -> Seen:
    """Scores that overflow when the softmax does not take off each row's maximum."""
    examination = understood.examination
    inputs = examination.inputs(41)
    largest = float(understood.explanation.values(inputs).scores.abs().max())
    grown = max(1.0, LARGE / max(largest, 1e-9)) ** 0.5
    parts = [x * grown for x in inputs]
    inputs = (parts[0], parts[1], parts[2])
    ours, answer = understood.explanation.values(inputs), examination.ask(inputs)
    if not bool(torch.isfinite(ours.out).all()) or answer.out is None or bool(torch.isfinite(answer.out).all()):
        return Seen(checked=("large scores",))
    count = float((~torch.isfinite(answer.out)).sum())
    sentence = "The softmax overflows: large scores give NaN or infinite numbers; expected finite ones."
    fix = "torch.softmax(scores, dim=-1), or scores - scores.amax(-1, keepdim=True) before exp"
    measured = (
        Measurement("numbers that are not finite in the output", count),
        Measurement("at scores as large as", float(ours.scores.abs().max())),
    )
    return Seen((Finding("softmax-overflows", sentence, fix, measured),))
