"""The stage for a layer that normalises inside, such as one with QK-norm: its norms are taken out, and that is said."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.interception import with_torchs_norms
from attnviz.checking.call.isolation import twin
from attnviz.checking.find.examination import Examination, Seen, Understood
from attnviz.checking.find.explanation import explained
from attnviz.checking.find.search import changed
from attnviz.checking.probe.dropout import name_of, values_by_name
from attnviz.checking.report import Finding

_LOOKING = ("scores", "raw scores", "masked scores", "weights")


def explained_without_norms(examination: Examination, inputs: Inputs) -> tuple[Understood, Seen] | None:
    """What explains the output once nothing is normalised; None where that is not why it differs."""
    if not isinstance(examination.candidate.subject, nn.Module):
        return None
    copied = twin(examination.candidate.subject)
    assert copied is not None  # the subject is itself a copy
    candidate = replace(examination.candidate, subject=with_torchs_norms(copied), seen_by_norms=[])
    adding = [replace(r, variant=replace(r.variant, out="residual")) for r in examination.readings[:2]]
    bare = replace(examination, candidate=candidate, readings=(*examination.readings, *adding))
    answer = bare.ask(inputs)
    normed = list(candidate.seen_by_norms or ())
    if answer.out is None or not normed:
        return None
    understood, seen = explained(bare, inputs, answer)
    if understood is None:
        return None
    values = values_by_name(understood)
    names = list(dict.fromkeys(name_of(each, values) for each in normed))
    if any(name in _LOOKING for name in names):
        return None
    has_normed_scores = "queries" in names and "keys" in names
    understood, seen, has_own_scale = _own_scale(understood, seen) if has_normed_scores else (understood, seen, False)
    unchecked = "its norms: they were taken out, and everything that is listed as checked was compared without them"
    return understood, seen + Seen(notes=(_note(understood, names, has_own_scale),), unchecked=(unchecked,))


def _own_scale(understood: Understood, seen: Seen) -> tuple[Understood, Seen, bool]:
    """Normalised q and k may have any scale: what would be a fault of the scale is how this one is built."""
    explanation = understood.explanation
    scales = [fault for fault in explanation.faults if fault.id.startswith("scale")]
    if not scales:
        return understood, seen, False
    reading = replace(explanation.reading, variant=changed(explanation.reading.variant, scales))
    faults = tuple(fault for fault in explanation.faults if fault not in scales)
    findings = tuple(found for found in seen.findings if not found.id.startswith("scale"))
    return (
        replace(understood, explanation=replace(explanation, reading=reading, faults=faults)),
        replace(seen, findings=findings),
        True,
    )


def _note(understood: Understood, names: list[str], has_own_scale: bool) -> Finding:
    what = " and ".join(f"the {name}" if name else "a value that ours has not" for name in names)
    sentence = f"It normalises {what}, as plain attention does not"
    if has_own_scale:
        sentence += ", with a scale of its own"
    if understood.explanation.variant.out == "residual":
        sentence += ", and adds its input to the output, as the block around attention does"
    sentence += ". Whether the norms themselves are right was not looked at."
    return Finding("norms", sentence, "nothing, if that is meant")
