"""The stage that feeds masks: in which convention they are read, and whether they hide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.isolation import Watching
from attnviz.checking.call.mask_format import Convention, is_lengths, of_keys, of_queries
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.faults_of_masks import MASK
from attnviz.checking.find.search import Reading, agrees, difference, explain, finding
from attnviz.checking.find.unexplained import overwritten
from attnviz.checking.probe.blocked_row import blocked_row
from attnviz.checking.probe.lengths import off_by_one, said_of_lengths
from attnviz.checking.probe.mask_pairs import with_triangle
from attnviz.checking.probe.masked import Masked
from attnviz.checking.probe.penalties import small_penalty
from attnviz.checking.report import Finding, Measurement


def masks_obeyed(understood: Understood) -> tuple[Seen, tuple[Masked, ...]]:
    """Every mask it takes; and those that are read rightly."""
    signature, declared = understood.examination.candidate.signature, understood.examination.mask_means
    if signature.mask is None:
        why = "no argument is known as one" if signature.untried else "it takes none"
        return Seen(unchecked=(f"mask: {why}",)), ()
    axes, has_torchs = understood.examination.axes, _has_torchs(understood)
    keys = of_keys(declared, signature.mask) if axes > 2 else ()
    queries = () if is_lengths(signature.mask) else of_queries(declared, has_torchs, axes)
    seen, agreed = _obeyed(understood, signature.mask, queries, keys)
    if signature.padding is None:
        return seen, () if agreed is None else (agreed,)
    if agreed is None:
        return seen + Seen(unchecked=(f"{signature.padding}: until {signature.mask} is right",)), ()
    other, also = _obeyed(understood, signature.padding, (), of_keys(declared, signature.padding))
    said = {found.id for found in (*seen.notes, *seen.findings)}  # once for both masks
    findings, notes = (tuple(f for f in found if f.id not in said) for found in (other.findings, other.notes))
    other = replace(other, findings=findings, notes=notes)
    return seen + other, tuple(masked for masked in (agreed, also) if masked is not None)


def _has_torchs(understood: Understood) -> bool:
    """Whether it hands its mask to torch's own layer, or to the function that this calls."""
    subject = understood.examination.candidate.subject
    if isinstance(subject, nn.Module) and any(isinstance(m, nn.MultiheadAttention) for m in subject.modules()):
        return True
    with Watching() as watching:
        understood.examination.ask(understood.inputs)
    return watching.calls_torchs


def _obeyed(
    understood: Understood, name: str, queries: Iterable[Convention], keys: Iterable[Convention]
) -> tuple[Seen, Masked | None]:
    """Feed one mask; find the convention in which it is right, or the fault; then let a row have no key."""
    trials: list[Trial] = []
    declared = understood.examination.mask_means
    for group in (queries, keys):
        for convention in group:
            inverted = [t.masked.convention.means for t in trials if t.kind == "inverted"]
            if inverted and convention.means in (*inverted, "added"):
                continue  # that it reads an added mask rightly does not excuse a bool one the wrong way round
            trial = _trial(Masked(understood, name, convention))
            if trial.kind == "right":
                alike = [t for t in trials if t.masked.convention.means == convention.means]
                misread = Seen() if understood.explanation.has_mistakes else _misread(alike)
                as_numbers = Seen() if declared == "added" else _bools_as_numbers(trial.masked)
                return misread + trial.seen + as_numbers + blocked_row(trial.masked), trial.masked
            if trial.kind == "own rows":
                return trial.seen, None
            trials.append(trial)
        for kind in ("inverted", "known"):
            found = next((trial for trial in trials if trial.kind == kind), None)
            if found is not None:
                return found.seen, None
    if understood.explanation.has_mistakes:
        return Seen(unchecked=(f"{name}: until what was found above is mended",)), None
    unknown = next((trial.seen for trial in trials if trial.kind == "unknown"), None)
    if unknown is None and is_lengths(name):  # a number for all texts may be meant
        return Seen(unchecked=(f"{name}: with one for each text it stops with an error",)), None
    return unknown or trials[0].seen, None


def _misread(earlier: Sequence[Trial]) -> Seen:
    """A mask of each query that was taken and gave neither its own result nor an error, though one of keys is right."""
    return next((Seen(trial.seen.findings) for trial in earlier if trial.kind == "unknown"), Seen())


def _bools_as_numbers(masked: Masked) -> Seen:
    """Whether a float mask is added, and a bool one too, as 1 and 0; no fault where only floats ever come."""
    if masked.convention.form != "added":
        return Seen()
    examination, inputs = masked.understood.examination, masked.understood.inputs
    allowed = replace(masked.convention, form="bool").write(masked.some(), masked.sizes[0])
    bools = examination.ask(inputs, allowed, mask_name=masked.name).out
    numbers = examination.ask(inputs, allowed.to(torch.float64), mask_name=masked.name).out
    if bools is None or numbers is None or not agrees(bools.detach(), numbers.detach()):
        return Seen()
    small = small_penalty(masked, masked.some(), bools.detach())
    if small is not None:
        return Seen((small,))
    sentence = (
        f"A bool {masked.name} hides nothing: it is added as numbers, True as 1. A float one, 0 and −∞, is right."
    )
    fix = (
        'give it floats only (mask_means="added" says so), or where mask.dtype is torch.bool write '
        "scores.masked_fill(~mask, -inf)"
    )
    return Seen(notes=(Finding("mask-added-as-number", sentence, fix),))


@dataclass(frozen=True)
class Trial:
    """What one way of writing a mask led to."""

    kind: str  # "right", "own rows" (right but where it hides), "inverted", "known" (another fault), "unknown", "stops"
    masked: Masked
    seen: Seen


def _trial(masked: Masked) -> Trial:
    understood, allowed = masked.understood, masked.some()
    answer = masked.ask(allowed)
    if answer.out is None or tuple(answer.out.shape) != understood.examination.wants(understood.inputs):
        sentence = f"It stops with an error when it is given a mask ({masked.name}): {answer.said}"
        fix = "a mask is [query, key], or [batch, 1, query, key]"
        return Trial("stops", masked, Seen((Finding("mask-raises", sentence, fix),)))
    theirs = answer.out.detach()
    explanation = explain(
        theirs, understood.inputs, readings_of(understood), masked.ours(allowed), known=MASK,
        already=understood.explanation.faults,
    )  # fmt: skip
    ours, convention = masked.values(allowed).out, masked.convention  # [B, T, D]
    measured = Measurement("largest difference from ours with the mask", difference(ours, theirs))
    checked = (f"{masked.name} ({convention})",)
    if explanation is None and convention.names_keys_only and _is_right_where_seen(allowed, ours, theirs):
        unchecked = (f"{masked.name} further: outputs of hidden tokens are its own",)
        return Trial("own rows", masked, Seen(notes=(_OWN_ROWS,), checked=checked, unchecked=unchecked))
    if explanation is None:
        found = of_one_text(masked, allowed, theirs, ours) if convention.names_keys_only else None
        found = found or (off_by_one(masked, allowed, theirs, measured) if convention.form == "lengths" else None)
        found = found or with_triangle(masked, allowed, theirs, measured)
        found = found or (small_penalty(masked, allowed, theirs) if convention.form == "bool" else None)
        kind = "unknown" if found is None else "known"
        return Trial(kind, masked, Seen((found or _strange_mask(convention, measured),), checked=checked))
    fault = next((f for f in explanation.faults if f in MASK), None)
    if fault is None:
        reading = replace(understood.explanation, reading=explanation.reading)
        read = replace(masked, understood=replace(understood, explanation=reading))
        written = (overwritten([masked.name]),) if f"mask {masked.name}" in answer.changed else ()
        notes = () if convention.names_keys_only else _replaces(read.understood, understood)
        return Trial("right", read, Seen(written, notes, checked))
    kind = "inverted" if fault.id == "mask-inverted" else "known"
    is_second = masked.name == understood.examination.candidate.signature.padding
    found = finding(fault, measured, **inverted_words(convention))
    if fault.id == "mask-transposed" and convention.names_keys_only:
        found = replace(found, sentence=_OVER_QUERIES, fix="mask[:, None, None, :]: the last axis of scores is the key")
    if convention.form == "lengths":
        found = said_of_lengths(masked.name, found)
    elif is_second:
        found = replace(found, sentence=found.sentence.replace("The mask", f"The mask {masked.name}", 1))
    return Trial(kind, masked, Seen((found,), checked=checked))


def _is_right_where_seen(allowed: Tensor, ours: Tensor, theirs: Tensor) -> bool:
    """Whether every token that others may look at has the right output: allowed [B, T], outputs [B, T, D]."""
    if allowed.shape != ours.shape[:-1] or ours.shape != theirs.shape or not bool(theirs.isfinite().all()):
        return False
    return agrees(ours[allowed], theirs[allowed])


_OWN_ROWS = Finding(
    "own-rows",
    "Hidden tokens have outputs of their own, such as zeros; nothing reads them, and those of all others are right.",
    "nothing, if that is meant",
)
_OVER_QUERIES = "The mask of each text's tokens is laid over the queries: hidden tokens are still looked at, as keys."


def of_one_text(masked: Masked, allowed: Tensor, theirs: Tensor, right: Tensor) -> Finding | None:
    """Whether the mask of one text was used for all: allowed [B, …], one mask a text."""
    measured = Measurement("largest difference from ours with a mask for each text", difference(right, theirs))
    for text, its in enumerate(allowed):
        alone = its[None, None] if masked.convention.names_keys_only else its  # [1, 1, Tk] or [Tq, Tk]
        if agrees(masked.understood.explanation.values(masked.understood.inputs, alone).out, theirs):
            sentence = f"The mask of text {text} is used for all texts; expected each text's own."
            fix = "keep the mask's first axis, [batch, 1, query, key]: no mask[0], mask[:1] or mask[-1]"
            return Finding("mask-of-one-text", sentence, fix, (measured,))
    return _of_folded_heads(masked, allowed, theirs, measured)


def _of_folded_heads(masked: Masked, allowed: Tensor, theirs: Tensor, measured: Measurement) -> Finding | None:
    """Whether masks, repeated text after text, were laid over heads that follow each other text by text."""
    understood = masked.understood
    numbers = understood.explanation.reading.numbers
    n_heads = understood.examination.sizes.n_heads if numbers is None else numbers.n_heads
    if not understood.examination.has_heads or n_heads == 1:
        return None
    each = torch.cat([allowed] * n_heads).unflatten(0, (len(allowed), n_heads))  # [B, H, Tq, Tk] or [B, H, Tk]
    laid = each[:, :, None] if masked.convention.names_keys_only else each  # [B, H, Tq | 1, Tk]
    if not agrees(understood.explanation.values(understood.inputs, laid).out, theirs):
        return None
    return Finding(
        "mask-of-other-texts",
        "Texts get each other's masks: the heads lie one behind the other text by text, and the masks are repeated as "
        "a whole.",
        "mask.repeat_interleave(n_heads, dim=0), no mask.repeat(n_heads, 1, 1)",
        (measured,),
    )


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
    """The fix for a mask read the wrong way round."""
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
