"""The stage for a switch: whether is_causal=True hides the future."""

from __future__ import annotations

from dataclasses import replace

from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.faults_of_masks import CAUSAL, CAUSAL_MISSING
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import changed, difference, explain, finding
from attnviz.checking.report import Finding, Measurement


def causal_switch(understood: Understood) -> Seen:
    """Whether is_causal=True, where there is such a switch, hides the future."""
    examination, switch = understood.examination, understood.examination.candidate.signature.causal
    if switch is None or understood.explanation.variant.causal != "no":
        return Seen()
    answer = examination.ask(understood.inputs, flags={switch: True})
    if answer.out is None:
        return Seen(unchecked=(f"{switch}=True: it stops with an error: {answer.said}",))
    reading = understood.explanation.reading
    causal = replace(reading, variant=replace(reading.variant, causal="right"))
    known, theirs = (*CAUSAL, CAUSAL_MISSING), answer.out.detach()
    explanation = explain(theirs, understood.inputs, [causal], known=known, already=understood.explanation.faults)
    right = changed(causal.variant, understood.explanation.faults)
    ours = attention(understood.inputs, reading.numbers, right).out  # [B, T, D]
    measured = Measurement(f"largest difference with {switch}=True", difference(ours, theirs))
    if explanation is None:
        sentence = f"With {switch}=True the output differs from ours and no known mistake explains it."
        return Seen((Finding("causal-differs", sentence, CAUSAL_MISSING.fix, (measured,)),))
    fault = next((f for f in explanation.faults if f in known), None)
    found = () if fault is None else (finding(fault, measured),)
    return Seen(found, checked=(f"{switch}=True",))
