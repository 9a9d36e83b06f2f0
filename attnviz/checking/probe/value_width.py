"""The stage that gives a function values of another width than its queries and keys: no scale comes from them."""

from __future__ import annotations

from dataclasses import replace

from attnviz.checking.find.examination import WIDTH, Seen, Understood
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.faults_of_scores import BY_VALUE_WIDTH
from attnviz.checking.find.search import agrees, difference, explain, finding, words_for
from attnviz.checking.report import Finding, Measurement

WIDER = WIDTH + 4  # of the values
_WHAT = "values of another width than keys"
_FIX = "take the scale and the number of features from q or k, and the width of what comes out from v"


def values_of_another_width(understood: Understood) -> Seen:
    """A layer's values are as wide as its matrices make them; a function's may be drawn wider."""
    examination = understood.examination
    if not examination.candidate.is_function or examination.candidate.signature.heads is not None:
        return Seen()
    wide = replace(examination, widths=(WIDTH, WIDTH, WIDER), out_width=WIDER)
    inputs = wide.inputs(91)
    answer = wide.ask(inputs)
    if answer.out is None:
        return Seen(unchecked=(f"{_WHAT}: it stops with an error: {answer.said.rstrip('.')}",))
    try:
        ours = understood.explanation.values(inputs).out  # [B, H, Tq, Dv]
    except RuntimeError:  # such as keys made with W_V, which are then wider than the queries
        return Seen(unchecked=(f"{_WHAT}: until what was found above is mended",))
    theirs = answer.out.detach()  # [B, H, Tq, Dv]
    if agrees(ours, theirs):
        return Seen(checked=(_WHAT,))
    already, reading = understood.explanation.faults, understood.explanation.reading
    measured = Measurement("largest difference from the right output", difference(ours, theirs))
    found = explain(theirs, inputs, [reading], known=(BY_VALUE_WIDTH, *FORWARD), already=already)
    new = [fault for fault in found.faults if fault not in already] if found is not None else []
    if new:
        words = words_for(new[0], examination.sizes.n_heads, WIDTH, inputs[0].shape[-2], WIDER)
        return Seen((finding(new[0], measured, **words),), checked=(_WHAT,))
    sentence = "The output is right when values are as wide as keys, and wrong when they are wider."
    return Seen((Finding("value-width-differs", sentence, _FIX, (measured,)),), checked=(_WHAT,))
