"""The stages that feed masks: in which convention they are read, whether they hide, what a row with no key gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from attnviz.checking.candidate import Answer, in_precision
from attnviz.checking.examination import MaskMeans, Seen, Understood
from attnviz.checking.faults import BLOCKED, CAUSAL, CAUSAL_MISSING, MASK
from attnviz.checking.probes import some_mask, with_blocked_row
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import Reading, agrees, changed, difference, explain, finding
from attnviz.checking.variant import attention


@dataclass(frozen=True)
class Convention:
    """How a mask is written for the candidate."""

    means: MaskMeans
    form: str  # "bool", "0/1" or "added"
    shape: str  # "query key", "text 1 query key", "text query key"; "text key" in padding.py

    def numbers(self, allowed: Tensor) -> Tensor:
        """bool, True = may look, of any shape: the same in the candidate's form and meaning."""
        if self.form == "added":
            return torch.zeros(allowed.shape, dtype=torch.float64).masked_fill(~allowed, float("-inf"))  # as allowed
        mask = ~allowed if self.means == "may not look" else allowed  # as allowed
        return mask if self.form == "bool" else mask.to(torch.float64)

    def write(self, allowed: Tensor, batch: int) -> Tensor:
        """bool [Tq, Tk], True = may look, as the candidate wants it."""
        mask = self.numbers(allowed)  # [Tq, Tk]
        axes = {"query key": (), "text query key": (batch,), "text 1 query key": (batch, 1)}[self.shape]
        return mask.expand(*axes, *mask.shape).clone()  # [..., Tq, Tk]

    def __str__(self) -> str:
        written = {"bool": f"bool, True = {self.means}", "0/1": f"1 = {self.means}, 0 not", "added": "float, added"}
        return f"{written[self.form]}, [{self.shape.replace(' ', ', ')}]"


@dataclass(frozen=True)
class Agreed:
    """A convention in which the mask is read rightly, and what explains the output then."""

    understood: Understood
    convention: Convention


def conventions(understood: Understood) -> Iterator[Convention]:
    """Every way the candidate may want its mask, the declared or usual one first; around torch's layer, torch's."""
    examination = understood.examination
    declared = examination.mask_means
    subject = examination.candidate.subject
    has_torchs = isinstance(subject, nn.Module) and any(isinstance(m, nn.MultiheadAttention) for m in subject.modules())
    if declared is None and has_torchs:
        declared = "may not look"
    means: MaskMeans = declared or "may look"
    forms = ("added",) if declared == "added" else ("bool", "0/1") if declared else ("bool", "0/1", "added")
    shapes = ("query key", "text 1 query key", "text query key") if examination.axes > 2 else ("query key",)
    for form in forms:
        for shape in shapes:
            yield Convention("added" if form == "added" else means, form, shape)


def mask_obeyed(understood: Understood) -> tuple[Seen, Agreed | None]:
    """Feed a mask; find the convention in which it is right, or the fault; then let a row have no key."""
    examination, candidate = understood.examination, understood.examination.candidate
    if candidate.signature.mask is None:
        return Seen(unchecked=("mask, it takes none",)), None
    allowed = some_mask(examination.sizes.tokens, 7)  # [T, T]
    readings, said = readings_of(understood), ""
    suspect: Seen | None = None
    unexplained: Seen | None = None
    for convention in conventions(understood):
        answer = _ask(understood, convention, allowed)
        if answer.out is None or tuple(answer.out.shape) != examination.wants(understood.inputs):
            said = said or answer.said
            continue
        theirs = answer.out.detach()
        explanation = explain(
            theirs, understood.inputs, readings, allowed, known=MASK, pairs=False, already=understood.explanation.faults
        )
        ours = understood.explanation.values(understood.inputs, allowed).out  # [B, T, D]
        measured = Measurement("largest difference from ours with the mask", difference(ours, theirs))
        if explanation is None:
            unexplained = unexplained or Seen((_strange_mask(convention, measured),))
            continue
        fault = next((f for f in explanation.faults if f in MASK), None)
        checked = (f"mask ({convention})",)
        if fault is None:
            read = replace(understood, explanation=replace(understood.explanation, reading=explanation.reading))
            seen = Seen(checked=checked, notes=_replaces(read, understood)) + blocked_row(read, convention)
            return seen, Agreed(read, convention)
        found = Seen((finding(fault, measured, **inverted_words(convention)),), checked=checked)
        if fault.id == "mask-inverted":
            return found, None  # that it reads an added mask rightly does not excuse this
        suspect = suspect or found
    sentence = f"It stops with an error when it is given a mask: {said}"
    fallback = Seen((Finding("mask-raises", sentence, "a mask is [query, key], or [batch, 1, query, key]"),))
    if suspect is None and understood.explanation.faults:
        return Seen(unchecked=("mask, until what was found above is mended",)), None
    return suspect or unexplained or fallback, None


def readings_of(understood: Understood) -> list[Reading]:
    """As without a mask; and, for a causal layer, a mask that takes the place of the triangle."""
    reading = understood.explanation.reading
    if reading.variant.causal == "no":
        return [reading]
    return [reading, replace(reading, variant=replace(reading.variant, causal="no"))]


def _replaces(read: Understood, understood: Understood) -> tuple[Finding, ...]:
    if read.explanation.reading.variant == understood.explanation.reading.variant:
        return ()
    sentence = (
        "It is causal only while no mask is passed: a mask takes the place of the triangle, and may show the future."
    )
    return (Finding("mask-replaces-causal", sentence, "pass a mask that hides the future too, or join the two inside"),)


def inverted_words(convention: Convention) -> dict[str, str]:
    if convention.means == "may not look":
        return {"invert": "scores.masked_fill(mask, -inf): True was said to mean may not look"}
    other = 'If True means may not look on purpose, say check_attention(…, mask_means="may not look").'
    return {"invert": f"scores.masked_fill(~mask, -inf), for masks where True means may look. {other}"}


def _strange_mask(convention: Convention, measured: Measurement) -> Finding:
    return Finding(
        "mask-differs",
        f"Without a mask the output is right; with one ({convention}) it differs and no known mistake explains it.",
        "scores.masked_fill(~mask, -inf) before the softmax", (measured,),
    )  # fmt: skip


def _ask(understood: Understood, convention: Convention, allowed: Tensor, **options: bool) -> Answer:
    mask = convention.write(allowed, understood.examination.sizes.batch)
    return understood.examination.ask(understood.inputs, mask, **options)


def blocked_row(understood: Understood, convention: Convention) -> Seen:
    """Let one query see nothing, in the precision the person uses: zeros, everything, or NaN."""
    examination = understood.examination
    own = in_precision(examination.candidate, examination.candidate.own_dtype)
    low = replace(understood, examination=replace(examination, candidate=own))
    allowed = with_blocked_row(examination.sizes.tokens, 1)  # [T, T]
    answer = _ask(low, convention, allowed)
    if answer.out is None:
        sentence = f"It stops with an error when a query may look at nothing: {answer.said}"
        return Seen((Finding("blocked-row-raises", sentence, "give zeros for such a row"),))
    theirs, name = answer.out.detach(), "row with no allowed key"
    for blocked in ("zeros", "nan", "uniform", "open"):
        variant = replace(understood.explanation.variant, blocked=blocked)
        ours = attention(understood.inputs, understood.explanation.reading.numbers, variant, allowed).out  # [B, T, D]
        if not agrees(ours, theirs, 1e-4):
            continue
        if blocked in BLOCKED:
            right = understood.explanation.values(understood.inputs, allowed).out  # [B, T, D]
            measured = Measurement("largest difference from zeros weighing the values", difference(right, theirs))
            return Seen((finding(BLOCKED[blocked], measured),), checked=(name,))
        if understood.explanation.faults:
            return Seen(checked=(name,))  # first things first
        if blocked == "nan":
            return Seen(notes=(_NAN_ROW,), checked=(name,))
        return Seen(notes=_nan_gradient(low, convention, allowed), checked=(name,))
    sentence = "When one query may look at nothing, what comes out is neither zeros nor anything known"
    sentence += ", and NaN reaches other queries." if bool(theirs.isnan().any()) else "."
    return Seen((Finding("blocked-row-differs", sentence, "give zeros for such a row, and leave the others alone"),))


_NAN_ROW = Finding(
    "blocked-row-nan",
    "A query that may look at nothing gives NaN, as nn.MultiheadAttention does; one layer later NaN is everywhere.",
    "weights.masked_fill(~mask.any(-1, keepdim=True), 0) after the softmax; before it, scores of 0 for such a row",
)


def _nan_gradient(understood: Understood, convention: Convention, allowed: Tensor) -> tuple[Finding, ...]:
    answer = _ask(understood, convention, allowed, grad=True)
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


def causal_switch(understood: Understood) -> Seen:
    """Whether is_causal=True, where there is such a switch, hides the future."""
    examination, switch = understood.examination, understood.examination.candidate.signature.causal
    if switch is None or understood.explanation.variant.causal != "no":
        return Seen()
    answer = examination.ask(understood.inputs, flags={switch: True})
    if answer.out is None:
        return Seen(unchecked=(f"{switch}=True, it stops with an error: {answer.said}",))
    reading = understood.explanation.reading
    causal = replace(reading, variant=replace(reading.variant, causal="right"))
    known, theirs = (*CAUSAL, CAUSAL_MISSING), answer.out.detach()
    explanation = explain(
        theirs, understood.inputs, [causal], known=known, pairs=False, already=understood.explanation.faults
    )
    right = changed(causal.variant, understood.explanation.faults)
    ours = attention(understood.inputs, reading.numbers, right).out  # [B, T, D]
    measured = Measurement(f"largest difference with {switch}=True", difference(ours, theirs))
    if explanation is None:
        sentence = f"With {switch}=True the output differs from ours and no known mistake explains it."
        return Seen((Finding("causal-differs", sentence, CAUSAL_MISSING.fix, (measured,)),))
    fault = next((f for f in explanation.faults if f in known), None)
    found = () if fault is None else (finding(fault, measured),)
    return Seen(found, checked=(f"{switch}=True",))
