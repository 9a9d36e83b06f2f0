"""Explains a layer that normalises inside, such as one with QK-norm, by taking its norms out, and says so."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.interception import with_torchs_norms
from attnviz.checking.call.isolation import clone
from attnviz.checking.find.examination import Examination, Explained, name_of, values_by_name
from attnviz.checking.find.explanation import explain_output
from attnviz.checking.find.search import changed
from attnviz.checking.report import StageResult, note, unchecked

_NO_PLACE = ("scores", "raw scores", "masked scores", "weights")  # where no norm belongs


def explain_without_norms(examination: Examination, inputs: Inputs) -> tuple[Explained, StageResult] | None:
    """What explains the output once nothing is normalised; None where that is not why it differs."""
    if not isinstance(examination.candidate.subject, nn.Module):
        return None
    copied = clone(examination.candidate.subject)
    assert copied is not None  # the subject is itself a copy
    candidate = replace(examination.candidate, subject=with_torchs_norms(copied), normed=[])
    adding = [replace(r, variant=replace(r.variant, out="residual")) for r in examination.readings[:2]]
    without = replace(examination, candidate=candidate, readings=(*examination.readings, *adding))
    answer = without.call(inputs)
    normed = list(candidate.normed or ())
    if answer.out is None or not normed:
        return None
    explained, result = explain_output(without, inputs, answer)
    if explained is None:
        return None
    values = values_by_name(explained)
    names = list(dict.fromkeys(name_of(tensor, values) for tensor in normed))
    if any(name in _NO_PLACE for name in names):
        return None
    has_own_scale = False
    if "queries" in names and "keys" in names:
        explained, result, has_own_scale = _with_own_scale(explained, result)
    result += note("norms", _sentence(explained, names, has_own_scale))
    return explained, result + unchecked("its norms: they were taken out, and everything was compared without them")


def _with_own_scale(explained: Explained, result: StageResult) -> tuple[Explained, StageResult, bool]:
    """Normalised q and k may have any scale: a scale that would be a fault belongs to this reading."""
    explanation = explained.explanation
    scales = [fault for fault in explanation.faults if fault.id.startswith("scale")]
    reading = replace(explanation.reading, variant=changed(explanation.reading.variant, scales))
    faults = tuple(fault for fault in explanation.faults if fault not in scales)
    findings = tuple(found for found in result.findings if not found.id.startswith("scale"))
    explained = replace(explained, explanation=replace(explanation, reading=reading, faults=faults))
    return explained, replace(result, findings=findings), bool(scales)


def _sentence(explained: Explained, names: list[str], has_own_scale: bool) -> str:
    what = " and ".join(f"the {name}" if name else "a value that ours does not have" for name in names)
    sentence = f"It normalises {what}, as plain attention does not"
    sentence += ", with a scale of its own" if has_own_scale else ""
    if explained.explanation.variant.out == "residual":
        sentence += ", and adds its input to the output, as the block around attention does"
    return sentence + ". Whether the norms themselves are right was not looked at."
