"""The stage that finds what explains the output: which layout, which positions, which faults."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.differing import other_parameters
from attnviz.checking.find.examination import Examination, Seen, Understood
from attnviz.checking.find.fault import Fault
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.faults_of_masks import CAUSAL_MISSING, CAUSAL_UNASKED
from attnviz.checking.find.faults_of_scores import BY_VALUE_WIDTH, KEYS
from attnviz.checking.find.faults_of_texts import texts_mixed_up
from attnviz.checking.find.faults_of_values import APART, ORDERS, TILED
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.other_scale import explain_with_other_scale
from attnviz.checking.find.search import Explanation, Reading, difference, explain, finding, words_for
from attnviz.checking.find.several_faults import explain_in_parts, explain_with_positions
from attnviz.checking.find.symptoms import symptoms_of
from attnviz.checking.find.unexplained import without_explanation, wrong_shape
from attnviz.checking.find.variant import divisors
from attnviz.checking.report import Finding, Measurement


def explained(examination: Examination, inputs: Inputs, answer: Answer) -> tuple[Understood | None, Seen]:
    """Find the faults behind the output."""
    theirs = answer.out
    assert theirs is not None  # checked before
    wants = examination.wants(inputs)
    numbers = examination.readings[0].numbers
    known = FORWARD
    if numbers is not None:
        known += texts_mixed_up(examination.candidate.signature)
        known += (TILED, *APART) if numbers.shares_keys else ()
        known += (BY_VALUE_WIDTH,) if numbers.value_width != numbers.head_width else ()
    if examination.is_causal is not None:
        known += (CAUSAL_MISSING if examination.is_causal else CAUSAL_UNASKED,)
    if tuple(theirs.shape) != wants:
        return None, Seen((wrong_shape(examination, inputs, theirs),))
    explanation = _explanation(examination, inputs, theirs.detach(), known)
    if explanation is None:
        return None, without_explanation(examination, inputs, answer)
    reading = explanation.reading
    n_queries, theirs = inputs[0].shape[-2], theirs.detach()
    numbers = reading.numbers
    n_heads = numbers.n_heads if numbers else examination.sizes.n_heads if examination.axes == 4 else 1
    head_width = numbers.weight["q"].shape[0] // n_heads if numbers else examination.head_width
    words = divisors(head_width, n_heads, n_queries)
    sizes = (n_heads, head_width, n_queries, numbers.value_width if numbers else None)
    found = [
        _named(finding(fault, **words_for(fault, *sizes)), fault, examination, words) for fault in explanation.faults
    ]
    orders = {order.id for order in ORDERS}
    notes = tuple(one for one in found if one.id in orders) + _said(reading, examination)
    faults = [one for one in found if one.id not in orders]
    # Measured together, so said once.
    faults[:1] = [replace(one, evidence=_evidence(explanation, inputs, theirs)) for one in faults[:1]]
    understood = Understood(examination, explanation, inputs, answer)
    return understood, Seen(tuple(faults), notes, ("output",))


def _explanation(
    examination: Examination, inputs: Inputs, theirs: Tensor, known: tuple[Fault, ...]
) -> Explanation | None:  # fmt: skip
    """The simplest: one fault or none; then positions; then two faults, and more in parts."""
    found = explain(theirs, inputs, examination.readings, known=(*known, *KEYS))
    if found is not None or not bool(torch.isfinite(theirs).all()):
        return found
    symptoms = symptoms_of(examination, inputs, theirs)
    if symptoms.order_free is False or (symptoms.alike and symptoms.one_token):
        also = () if symptoms.order_free else known  # q alone turned: the last token does not notice
        found = explain_with_positions(examination, inputs, theirs, also)
    if found is None and symptoms.alike:
        found = explain_with_other_scale(examination.readings[:2], inputs, theirs)  # causal or not
    if found is not None or other_parameters(examination):
        return found  # what other parameters do can be anything: no use in guessing on
    found = explain(theirs, inputs, examination.readings, known=known, at_once=2)
    return found or explain_in_parts(examination, inputs, theirs, known)


def _evidence(explanation: Explanation, inputs: Inputs, theirs: Tensor) -> tuple[Measurement, ...]:
    """How far the output is from the right one, and from ours with the same mistakes."""
    reading, faults = explanation.reading, explanation.faults
    is_causal = any("causal" in fault.changes and fault is not CAUSAL_UNASKED for fault in faults)
    variant = replace(reading.variant, causal="right") if is_causal else reading.variant
    right = attention(inputs, reading.numbers, variant).out  # [B, Tq, D]
    from_right = Measurement("largest difference from the right output", difference(right, theirs))
    if bool(theirs.isnan().any()):
        from_right = Measurement("numbers that are NaN in the output", float(theirs.isnan().sum()))
    mistakes = "mistakes" if len(faults) > 1 else "mistake"
    return from_right, Measurement(f"and from ours with the same {mistakes}", explanation.difference)


def _named(found: Finding, fault: Fault, examination: Examination, divisor: dict[str, float]) -> Finding:
    """Two refinements: a function's axes may be meant, and two wrong scales may be the same number."""
    if fault.changes.get("scale") == "model" and abs(divisor["model"] - divisor["twice"]) < 1e-9:
        sentence = (
            f"QKᵀ is divided by {divisor['model']:.4g}, which with these sizes is √d_model and d_head alike; expected "
            f"√d_head = {divisor['head']:.4g}. Either the width is that of all heads, or the scale is used twice."
        )
        fix = f"{found.fix}; and once: F.scaled_dot_product_attention divides by itself"
        return replace(found, id="scale-wrong", sentence=sentence, fix=fix)
    if fault.id == "heads-look-at-heads" and examination.candidate.is_function:
        fix = (
            "QKᵀ over [batch, head, token, feature], the order of F.scaled_dot_product_attention. If yours takes "
            "[batch, token, head, feature] on purpose, as flash-attention does, check lambda q, k, v: "
            "f(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)"
        )
        return replace(found, fix=fix)
    return found


def _said(reading: Reading, examination: Examination) -> tuple[Finding, ...]:
    notes = []
    if reading.variant.positions is not None:
        sentence = f"It adds {reading.variant.positions}. What follows was compared with ours that does the same."
        notes.append(Finding("positions", sentence, "nothing, if that is meant"))
    if examination.is_causal is None and reading.variant.causal == "right":
        notes.append(_causal(examination))
    if reading.layout is not None and reading.layout.said:
        fix = "nothing, if that is meant; weights of another layer have to be loaded so, too"
        notes.append(Finding("parameters-read", reading.layout.said, fix))
    return tuple(notes)


def _causal(examination: Examination) -> Finding:
    """What to say of a triangle: over a second text it is nearly always a copied line."""
    signature = examination.candidate.signature
    if signature.n_inputs != 2:
        sentence = "It is causal: without any mask each token sees only itself and what comes before it."
        return Finding("causal", sentence, "nothing, if that is meant; check_attention(…, is_causal=True) asks for it")
    other = dict(zip(signature.places, signature.names, strict=False)).get(1, "memory")
    sentence = (
        f"It is causal over another text: query 0 sees one token of {other}, query 1 two, so that the end of {other} "
        "is hidden from most queries, though the two texts have no places in common."
    )
    fix = "leave the triangle out, a line copied from self-attention; it is right only where the texts run side by side"
    return Finding("causal", sentence, fix)
