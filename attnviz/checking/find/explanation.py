"""Explains an output: which layout, which positions, which faults give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination, Explained, gap
from attnviz.checking.find.faults import (
    BY_VALUE_WIDTH,
    CAUSAL_MISSING,
    CAUSAL_UNASKED,
    FORWARD,
    KEYS,
    ORDERS,
    ROTARY,
    TILED,
    TILED_APART,
    Fault,
    texts_mixed_up,
)
from attnviz.checking.find.other_scale import explain_with_other_scale
from attnviz.checking.find.positions import known_positions
from attnviz.checking.find.search import Explanation, explain, first_of_each_kind
from attnviz.checking.find.several_faults import explain_in_parts
from attnviz.checking.find.symptoms import symptoms_of
from attnviz.checking.find.unexplained import other_parameters, without_explanation, wrong_shape
from attnviz.checking.find.variant import divisors
from attnviz.checking.report import Finding, Measurement, StageResult, note


def explain_output(
    examination: Examination, inputs: Inputs, answer: Answer
) -> tuple[Explained | None, StageResult]:  # fmt: skip
    """The faults behind the output, and what to say of it."""
    theirs = answer.numbers
    assert theirs is not None  # checked before
    if tuple(theirs.shape) != examination.out_shape(inputs):
        return None, StageResult((wrong_shape(examination, inputs, theirs),))
    explanation = _explanation(examination, inputs, theirs, _known(examination))
    if explanation is None:
        return None, StageResult((without_explanation(examination, inputs, answer),))
    explained = Explained(examination, explanation, inputs, answer)
    mistakes = [_refined(explained, fault) for fault in explanation.faults if fault not in ORDERS]
    # Measured together, so said once.
    findings = tuple(
        replace(one, evidence=_evidence(explained, theirs)) if one is mistakes[0] else one for one in mistakes
    )
    orders = tuple(explained.finding(fault) for fault in explanation.faults if fault in ORDERS)
    return explained, StageResult(findings, orders, ("output",)) + _notes(explained)


def _known(examination: Examination) -> tuple[Fault, ...]:
    """The faults that this candidate may have."""
    known, projections = FORWARD, examination.readings[0].projections
    if projections is not None:
        known += texts_mixed_up(examination.candidate.signature)
        known += (TILED, *TILED_APART) if projections.n_groups < projections.n_heads else ()
        known += (BY_VALUE_WIDTH,) if projections.value_width != projections.head_width else ()
    if examination.is_causal is None:
        return known
    return (*known, CAUSAL_MISSING if examination.is_causal else CAUSAL_UNASKED)


def _explanation(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: tuple[Fault, ...]
) -> Explanation | None:
    """The simplest: one fault or none; then positions; then another scale; then two faults, and more in parts."""
    found = explain(theirs, inputs, examination.readings, known=(*known, *KEYS))
    if found is not None or not bool(torch.isfinite(theirs).all()):
        return found
    symptoms = symptoms_of(examination, inputs, theirs)
    if symptoms.order_free is False or (symptoms.tokens_alike and symptoms.one_token):
        also = () if symptoms.order_free else known  # q alone turned: the last token does not notice
        found = _explain_with_positions(examination, inputs, theirs, also)
    if found is None and symptoms.tokens_alike:
        found = explain_with_other_scale(examination.readings[:2], inputs, theirs)  # causal or not
    if found is not None or other_parameters(examination):
        return found  # what other parameters do can be anything: more faults would be guessing
    found = explain(theirs, inputs, examination.readings, known=known, at_once=2)
    return found or explain_in_parts(examination, inputs, theirs, known)


def _explain_with_positions(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: Sequence[Fault]
) -> Explanation | None:
    """The same with each known kind of positions made in ours."""
    readings = [
        replace(reading, variant=replace(reading.variant, positions=positions))
        for positions in known_positions(examination.candidate.subject)
        for reading in examination.readings
    ]
    right = explain(theirs, inputs, readings, known=())
    usual = [reading for reading in readings if reading.layout is examination.readings[0].layout]
    return right or explain(theirs, inputs, usual, known=(*ROTARY, *first_of_each_kind(known)))


def _evidence(explained: Explained, theirs: Tensor) -> tuple[Measurement, ...]:
    """How far the output is from the right one, and from ours with the same mistakes."""
    reading, faults = explained.explanation.reading, explained.explanation.faults
    is_causal = any("causal" in fault.changes and fault is not CAUSAL_UNASKED for fault in faults)
    variant = replace(reading.variant, causal="right") if is_causal else reading.variant
    right = Explanation(replace(reading, variant=variant), (), 0.0).values(explained.inputs).out  # [B, Tq, D]
    from_right = gap("largest difference from the right output", right, theirs)
    if bool(theirs.isnan().any()):
        from_right = Measurement("numbers that are NaN in the output", float(theirs.isnan().sum()))
    mistakes = "mistakes" if len(faults) > 1 else "mistake"
    return from_right, Measurement(f"and from ours with the same {mistakes}", explained.explanation.difference)


def _refined(explained: Explained, fault: Fault) -> Finding:
    """A fault as a finding; two wrong scales may be the same number, and a function's axes may be meant."""
    found = explained.finding(fault)
    if fault.changes.get("scale") == "model":
        projections, sizes = explained.projections, explained.examination.sizes
        head_width = projections.head_width if projections else sizes.head_width
        divisor = divisors(head_width, explained.n_heads, sizes.tokens)
        if abs(divisor["model"] - divisor["twice"]) < 1e-9:
            sentence = (
                f"QKᵀ is divided by {divisor['model']:.4g}, which with these sizes is √d_model and d_head alike; "
                f"expected √d_head = {divisor['head']:.4g}. Either the width is that of all heads, or the scale is "
                "used twice."
            )
            fix = f"{found.fix}; and once: F.scaled_dot_product_attention divides by itself"
            return replace(found, id="scale-wrong", sentence=sentence, fix=fix)
    if fault.id == "heads-look-at-heads" and explained.candidate.is_function:
        fix = (
            "QKᵀ over [batch, head, token, feature], the order of F.scaled_dot_product_attention. If yours takes "
            "[batch, token, head, feature] on purpose, as flash-attention does, check lambda q, k, v: "
            "f(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)"
        )
        return replace(found, fix=fix)
    return found


def _notes(explained: Explained) -> StageResult:
    """What is no fault and worth knowing: positions, a triangle, an unusual layout."""
    reading, result = explained.explanation.reading, StageResult()
    if reading.variant.positions is not None:
        sentence = f"It adds {reading.variant.positions}. What follows was compared with ours that does the same."
        result += note("positions", sentence)
    if explained.examination.is_causal is None and reading.variant.causal == "right":
        result += _causal(explained)
    if reading.layout is not None and reading.layout.note:
        fix = "nothing, if that is meant; weights of another layer have to be loaded so, too"
        result += note("parameters-read", reading.layout.note, fix)
    return result


def _causal(explained: Explained) -> StageResult:
    signature = explained.candidate.signature
    if signature.n_inputs != 2:
        sentence = "It is causal: without any mask each token sees only itself and what comes before it."
        return note("causal", sentence, "nothing, if that is meant; check_attention(…, is_causal=True) asks for it")
    memory = dict(zip(signature.places, signature.names, strict=False)).get(1, "memory")
    sentence = f"It is causal over another text: query 0 sees one token of {memory}, query 1 two, and so on."
    fix = "leave the triangle out, a line copied from self-attention; it is right only where the texts run side by side"
    return note("causal", sentence, fix)
