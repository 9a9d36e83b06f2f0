"""Explains an output: which layout, which positions, which faults give it; where none do, those without its norms."""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.interception import NORMS, with_torchs_norms
from attnviz.checking.call.isolation import clone
from attnviz.checking.find import faults as table
from attnviz.checking.find.examination import HEAD_WIDTH, Examination, Explained, gap, name_of, values_by_name
from attnviz.checking.find.faults import Fault
from attnviz.checking.find.positional_schemes import known_positions
from attnviz.checking.find.search import Reading, changed, difference, explain, first_of_each_kind
from attnviz.checking.find.unexplained import other_parameters, symptoms_of, without_explanation, wrong_shape
from attnviz.checking.report import Measurement, StageResult, note, unchecked

WIDEST, POINTS, FINEST = 3.5, 28, 1e-13  # powers of e around √d_head, points on each side of it, and the last step


def explain_output(
    examination: Examination, inputs: Inputs, answer: Answer
) -> tuple[Explained | None, StageResult]:  # fmt: skip
    """The faults behind the output, and what to say of it."""
    theirs = answer.numbers
    assert theirs is not None  # checked before
    if tuple(theirs.shape) != examination.out_shape(inputs):
        return None, StageResult((wrong_shape(examination, inputs, theirs),))
    reading = _explanation(examination, inputs, theirs, _known(examination))
    if reading is None:
        return None, StageResult((without_explanation(examination, inputs, answer),))
    explained = Explained(examination, reading, inputs, answer)
    findings = [explained.finding(fault) for fault in reading.faults if fault not in table.ORDERS]
    if findings:  # measured together, so said once
        findings[0] = replace(findings[0], evidence=_evidence(explained, theirs))
    orders = tuple(explained.finding(fault) for fault in reading.faults if fault in table.ORDERS)
    return explained, StageResult(tuple(findings), orders, ("output",)) + _notes(explained)


def _known(examination: Examination) -> tuple[Fault, ...]:
    known, projections = table.FORWARD, examination.readings[0].projections
    n_heads, head_width, value_width = examination.head_sizes(projections)
    if projections is not None:
        if head_width == n_heads:
            both = table.BY_MODEL_WIDTH_OR_TWICE
            known = tuple(both if fault is table.BY_MODEL_WIDTH else fault for fault in known)
        known += table.texts_mixed_up(examination.candidate.signature)
        known += (table.TILED, *table.TILED_APART) if projections.n_groups < n_heads else ()
    known += (table.BY_VALUE_WIDTH,) if value_width != head_width else ()
    if examination.is_causal is None:
        return known
    return (*known, table.CAUSAL_MISSING if examination.is_causal else table.CAUSAL_UNASKED)


def _explanation(examination: Examination, inputs: Inputs, theirs: Tensor, known: tuple[Fault, ...]) -> Reading | None:
    """The simplest: one fault or none; then positions; then another scale; then two faults or three."""
    found = explain(theirs, inputs, examination.readings, known=(*known, *table.KEYS_LOST))
    if found is not None or not bool(torch.isfinite(theirs).all()):
        return found
    tokens_alike, order_free = symptoms_of(examination, inputs, theirs)
    if order_free is False or tokens_alike:
        also = () if order_free else known  # q alone turned: the last token does not notice
        found = _explain_with_positions(examination, inputs, theirs, also)
    if found is None and tokens_alike:
        found = _explain_with_other_scale(examination.readings[:2], inputs, theirs)  # causal or not
    if found is not None or other_parameters(examination):
        return found  # what other parameters do can be anything: more faults would be guessing
    return explain(theirs, inputs, examination.readings, known=known, at_once=3)


def _explain_with_positions(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: Sequence[Fault]
) -> Reading | None:
    """The same with each known kind of positions made in ours."""
    kinds = known_positions(examination.candidate.subject)
    readings = [reading.changed(positions=kind) for kind in kinds for reading in examination.readings]
    right = explain(theirs, inputs, readings, known=())
    usual = [reading for reading in readings if reading.layout is examination.readings[0].layout]
    return right or explain(theirs, inputs, usual, known=(*table.ROTARY, *first_of_each_kind(known)))


def _explain_with_other_scale(readings: Sequence[Reading], inputs: Inputs, theirs: Tensor) -> Reading | None:
    """The divisor of QKᵀ that gives this output, where one does, such as √d_head times a temperature or plus an eps."""
    for reading in readings:
        head_width = reading.projections.head_width if reading.projections else inputs[0].shape[-1]
        best, step, points = math.log(head_width) / 2, WIDEST / (POINTS // 2), POINTS // 2  # of the logarithm
        while step > FINEST:
            tried = [best + step * place for place in range(-points, points + 1)]
            with torch.no_grad():
                outs = [reading.values(inputs, scale=repr(math.exp(power))).out for power in tried]
            apart = [difference(out, theirs) for out in outs]
            best, step, points = tried[apart.index(min(apart))], step / 3, 3
        found = explain(theirs, inputs, [reading], known=(table.other_scale(math.exp(best)),))
        if found is not None:
            return found
    return None


def _evidence(explained: Explained, theirs: Tensor) -> tuple[Measurement, ...]:
    """How far the output is from the right one, and from ours with the same mistakes."""
    faults = explained.reading.faults
    is_causal = any("causal" in fault.changes and fault is not table.CAUSAL_UNASKED for fault in faults)
    right = replace(explained.reading.changed(causal="right") if is_causal else explained.reading, faults=())
    from_right = gap("largest difference from the right output", right.values(explained.inputs).out, theirs)
    if bool(theirs.isnan().any()):
        from_right = Measurement("numbers that are NaN in the output", float(theirs.isnan().sum()))
    mistakes = "mistakes" if len(faults) > 1 else "mistake"
    return from_right, gap(f"and from ours with the same {mistakes}", explained.ours().out, theirs)


def _notes(explained: Explained) -> StageResult:
    """What is no fault and worth knowing: positions, a triangle, an unusual layout."""
    reading, result = explained.reading, StageResult()
    if reading.variant.positions is not None:
        sentence = f"It adds {reading.variant.positions}. What follows was compared with ours that does the same."
        result += note("positions", sentence)
    if explained.examination.is_causal is None and reading.variant.causal == "right":
        sentence = "It is causal: without any mask query i sees only the first i + 1 tokens."
        result += note("causal", sentence, "nothing, if that is meant; check_attention(…, is_causal=True) asks for it")
    if explained.candidate.is_function and explained.examination.widths[2] == HEAD_WIDTH:
        result += unchecked("values wider than keys: it stops with an error, or gives another width")
    unusual = reading.layout.note(reading.projections) if reading.layout and reading.projections else ""
    if unusual:
        fix = "nothing, if that is meant; weights of another layer have to be loaded so, too"
        result += note("parameters-read", unusual, fix)
    return result


_NO_PLACE = ("scores", "raw scores", "masked scores", "weights")  # where no norm belongs


def explain_without_norms(examination: Examination, inputs: Inputs) -> tuple[Explained, StageResult] | None:
    """What explains the output once nothing is normalised; None where that is not why it differs."""
    if not isinstance(examination.candidate.subject, nn.Module):
        return None
    subject = with_torchs_norms(clone(examination.candidate.subject))
    candidate = replace(examination.candidate, subject=subject).without(NORMS)
    adding = [reading.changed(out="residual") for reading in examination.readings[:2]]
    without = replace(examination, candidate=candidate, readings=(*examination.readings, *adding))
    answer = without.call(inputs)
    normed = list(candidate.taken_out[-1].applied_to)
    if answer.out is None or not normed:
        return None
    explained, result = explain_output(without, inputs, answer)
    if explained is None:
        return None
    values = values_by_name(explained)
    names = list(dict.fromkeys(name_of(tensor, values) for tensor in normed))
    if any(name in _NO_PLACE for name in names):
        return None
    what = " and ".join(f"the {name}" if name else "a value that ours does not have" for name in names)
    sentence = f"It normalises {what}, as plain attention does not"
    scales = [fault for fault in explained.reading.faults if fault.id.startswith("scale")]
    if scales and "queries" in names and "keys" in names:  # normalised q and k may have any scale
        plain = changed(explained.reading.plain, scales)
        faults = tuple(fault for fault in explained.reading.faults if fault not in scales)
        explained = replace(explained, reading=replace(explained.reading, plain=plain, faults=faults))
        result = replace(result, findings=tuple(one for one in result.findings if not one.id.startswith("scale")))
        sentence += ", with a scale of its own"
    if explained.reading.variant.out == "residual":
        sentence += ", and adds its input to the output, as the block around attention does"
    result += note("norms", sentence + ". Whether the norms themselves are right was not looked at.")
    return explained, result + unchecked("its norms: they were taken out, and everything was compared without them")
