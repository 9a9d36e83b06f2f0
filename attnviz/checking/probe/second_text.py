"""The stages for a second text, or keys and values, that may be left out: the layer's other way to run."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.find.examination import Examination, Seen, Understood
from attnviz.checking.find.search import agrees, difference, explain, finding, words_for
from attnviz.checking.probe.behaviour import other_lengths
from attnviz.checking.probe.gradients import gradients_flow
from attnviz.checking.probe.masks import masks_obeyed
from attnviz.checking.probe.per_head import mask_of_more_keys
from attnviz.checking.report import Finding, Measurement

_FIX = "source = x if context is None else context; k = W_k(source); v = W_v(source); q = W_q(x)"


def second_text(understood: Understood) -> Seen:
    """Give the second text that the layer can do without, and look at it as at any cross-attention."""
    examination = understood.examination
    name = examination.candidate.signature.second
    if name is None:
        return Seen()
    there = given_second(examination)
    inputs = there.inputs(61)
    answer, what = there.ask(inputs), f"a second text ({name})"
    if answer.out is None:
        return _stops(answer, what)
    found = _explained(understood, there, inputs, answer, what)
    if isinstance(found, Finding):
        return Seen((found,))
    if found.explanation.faults != understood.explanation.faults:
        new = [fault for fault in found.explanation.faults if fault not in understood.explanation.faults]
        sizes = (found.explanation.reading.numbers, examination.sizes)
        n_heads = sizes[0].n_heads if sizes[0] else sizes[1].n_heads
        words = words_for(new[0], n_heads, examination.head_width, inputs[0].shape[-2])
        measured = _measured(understood, inputs, answer)
        return Seen((_with(finding(new[0], measured, **words), what),))
    seen = other_lengths(found) + gradients_flow(found)
    if examination.candidate.signature.mask is not None and not seen.findings:
        masked, agreed = masks_obeyed(found)
        seen += masked
        for each in agreed:
            seen += mask_of_more_keys(each)
    findings = tuple(_with(one, what) for one in seen.findings)
    lengths = tuple(one for one in seen.checked if "more keys than queries" in one)
    unchecked = tuple(f"{one}, with {what}" for one in seen.unchecked)
    notes = (_causal_too(what),) if found.explanation.variant.causal == "right" else ()
    return Seen(findings, notes, (what, *lengths), unchecked)


def query_alone(understood: Understood) -> Seen:
    """Leave out key and value, where the layer can do without: it should look at itself."""
    examination, (query, _, _) = understood.examination, understood.inputs
    signature, widths = examination.candidate.signature, examination.widths
    if not signature.takes_query_alone or signature.places[0] != 0 or len(set(widths)) > 1:
        return Seen()
    candidate = replace(examination.candidate, signature=signature.query_alone())
    alone, inputs = replace(examination, candidate=candidate), (query, query, query)
    answer = alone.ask(inputs)
    if answer.out is None:
        return Seen(unchecked=(f"the query alone: it stops with an error: {answer.said}",))
    ours = understood.explanation.values(inputs).out  # [B, T, D]
    if agrees(ours, answer.out.detach()):
        return Seen(checked=("the query alone",))
    sentence = "With the query alone, key and value left out, the output differs from that with the query three times."
    fix = "key = query if key is None else key; value = key if value is None else value"
    measured = Measurement("largest difference from the right output", difference(ours, answer.out.detach()))
    return Seen((Finding("alone-differs", sentence, fix, (measured,)),))


def given_second(examination: Examination) -> Examination:
    """The same layer, called with the second text."""
    candidate = examination.candidate
    return replace(examination, candidate=replace(candidate, signature=candidate.signature.with_second()))


def without_second(understood: Understood) -> Seen:
    """What to say of a layer that was called with its second text only."""
    signature, widths = understood.examination.candidate.signature, understood.examination.widths
    if signature.second_given is None:
        return Seen()
    why = "it stops with an error" if widths[0] == widths[1] else "it is of another width than x"
    return Seen(unchecked=(f"the call without {signature.second_given}: {why}",))


def _stops(answer: Answer, what: str) -> Seen:
    """An error on purpose is a refusal; one of torch's own is a fault."""
    if not answer.said.startswith(("RuntimeError", "IndexError")):
        return Seen(unchecked=(f"{what}: it stops with an error: {answer.said}",))
    sentence = f"With {what} it stops with an error: {answer.said}"
    return Seen((Finding("second-text-raises", sentence, _FIX),))


def _explained(
    understood: Understood, there: Examination, inputs: Inputs, answer: Answer, what: str
) -> Understood | Finding:
    """The layer with a second text as ours explains it; or what is wrong with it."""
    assert answer.out is not None  # checked before
    theirs, reading = answer.out.detach(), understood.explanation.reading
    open_too = replace(reading, variant=replace(reading.variant, causal="no"))
    readings, already = [open_too, reading], understood.explanation.faults
    explanation = explain(theirs, inputs, readings, already=already, known=())
    query, key, _ = inputs
    instead = {
        "ignored": (query, query, query), "swapped": (key, query, query),
        "keys of x": (query, query, key), "values of x": (query, key, query),
    }  # fmt: skip
    if explanation is None and query.shape == key.shape:
        for how, other in instead.items():
            if agrees(understood.explanation.values(other).out, theirs):
                return _misused(how, what, _measured(understood, inputs, answer))
    explanation = explanation or explain(theirs, inputs, readings, already=already)
    if explanation is not None:
        return Understood(there, explanation, inputs, answer)
    sentence = f"With {what} the output differs from ours and no known mistake explains it; without it is right."
    return Finding("second-text-differs", sentence, _FIX, (_measured(understood, inputs, answer),))


def _causal_too(what: str) -> Finding:
    sentence = (
        f"With {what} it is causal too: query 0 sees one token of that text, query 1 two, though the two texts have no "
        "places in common."
    )
    return Finding("second-text-causal", sentence, "is_causal=context is None, unless the two texts run side by side")


def _misused(how: str, what: str, measured: Measurement) -> Finding:
    if how == "ignored":
        return Finding("second-text-ignored", f"The {what[2:]} is ignored: it attends to x.", _FIX, (measured,))
    if how == "swapped":
        sentence = f"The two texts have changed places: the queries are made of {what}, and keys and values of x."
        return Finding("second-text-swapped", sentence.replace("of a", "of the"), _FIX, (measured,))
    right, wrong = ("values", "keys") if how == "keys of x" else ("keys", "values")
    sentence = f"With {what} the {right} are made of it, and the {wrong} of x."
    return Finding("second-text-half-used", sentence, _FIX, (measured,))


def _measured(understood: Understood, inputs: Inputs, answer: Answer) -> Measurement:
    assert answer.out is not None  # checked before
    ours: Tensor = understood.explanation.values(inputs).out  # [B, Tq, D]
    return Measurement("largest difference from the right output", difference(ours, answer.out.detach()))


def _with(found: Finding, what: str) -> Finding:
    return replace(found, sentence=f"With {what}: {found.sentence}")
