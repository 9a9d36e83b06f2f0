"""Texts of other sizes than the probe's: several times as long, one token, one text alone."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.faults import FORWARD
from attnviz.checking.find.positions import windows
from attnviz.checking.find.search import agrees, difference, explain, words_for
from attnviz.checking.probe.masked import Masked
from attnviz.checking.probe.returned_weights import other_weights
from attnviz.checking.report import Finding, Measurement

LONG = 33  # tokens of the longer text


def one_alone(understood: Understood) -> Seen:
    """One text, and one token: sizes of 1 that .squeeze() takes for no axis at all."""
    examination = understood.examination
    checked: list[str] = []
    sizes, has_texts = examination.sizes, examination.axes > 2 and not examination.candidate.arrangement.is_single
    tried = [("one text", replace(sizes, batch=1))] if has_texts else []
    for what, smaller in [*tried, ("one token", replace(sizes, tokens=1))]:
        few = replace(examination, sizes=smaller)
        found = _of_one(replace(understood, examination=few, inputs=few.inputs(51)), what)
        if found is not None:
            return Seen((found,), checked=tuple(checked))
        checked.append(what)
    return Seen(checked=tuple(checked))


def _of_one(understood: Understood, what: str) -> Finding | None:
    examination, inputs, id = understood.examination, understood.inputs, f"{what.replace(' ', '-')}-differs"
    ours, answer = understood.explanation.values(inputs).out, examination.ask(inputs)  # [B, T, D]
    if answer.out is None:
        sentence = f"With {what} it stops with an error: {answer.said}"
        return Finding(id, sentence, f"run it on {what} and read the traceback")
    theirs = answer.out.detach()
    if theirs.shape != ours.shape:
        sentence = f"With {what} the output has shape {list(theirs.shape)}; expected {list(ours.shape)}."
        fix = "no .squeeze() without an axis: it takes away every axis of length 1, also that of the texts"
        return Finding(id, sentence, fix)
    if agrees(ours, theirs):
        return None
    return wrong_where(understood, ours, theirs, f"with {what}", "right with several", id)


def longer_text(understood: Understood, agreed: tuple[Masked, ...]) -> Seen:
    """A text several times as long; a layer may refuse it, it may not answer wrongly."""
    examination = understood.examination
    sizes = examination.sizes
    taken = {sizes.n_heads, sizes.head_width, sizes.n_heads * sizes.head_width}
    tokens = next(n for n in (LONG, LONG + 4, LONG + 8, LONG + 10) if n not in taken)
    long = replace(examination, sizes=replace(sizes, tokens=tokens))
    inputs = long.inputs(31)
    answer = long.ask(inputs)
    if answer.out is None:
        return Seen(unchecked=(f"a text of {tokens} tokens: it stops with an error: {answer.said}",))
    values, theirs = understood.explanation.values(inputs), answer.out.detach()
    there = replace(understood, examination=long, inputs=inputs)
    where = f"With {tokens} tokens"
    if not agrees(values.out, theirs):
        window = _window(there, theirs)
        if window is not None:
            return Seen(notes=(window,), checked=(f"a text of {tokens} tokens",))
        found = wrong_where(there, values.out, theirs, where, f"right with {sizes.tokens}", "longer-text-differs")
        return Seen((found,))
    measured = other_weights(answer, values)
    if measured is not None:
        return Seen((weights_differ(where, measured),))
    for masked in agreed:
        longer = masked.elsewhere(there)
        allowed = longer.some()
        out, right = longer.ask(allowed).out, longer.values(allowed).out  # [B, T, D] each
        if out is not None and not agrees(right, out.detach()):
            sentence = f"{where} the output with a mask is wrong; with {sizes.tokens} it is right."
            measured = Measurement("largest difference from ours with the mask", difference(right, out))
            return Seen((Finding("mask-of-longer-text", sentence, "look for a length in forward", (measured,)),))
    return Seen(checked=(f"a text of {tokens} tokens",))


def _window(understood: Understood, theirs: Tensor) -> Finding | None:
    """Whether a longer text shows that it looks only so far."""
    reading = understood.explanation.reading
    if reading.variant.positions is not None:
        return None
    narrow = [replace(reading, variant=replace(reading.variant, positions=window)) for window in windows(LONG)]
    found = explain(theirs, understood.inputs, narrow, known=(), already=understood.explanation.faults)
    if found is None:
        return None
    sentence = f"It has {found.reading.variant.positions}; in shorter texts it sees all."
    return Finding("window", sentence, "nothing, if that is meant")


def wrong_where(
    understood: Understood, ours: Tensor, theirs: Tensor, where: str, otherwise: str, id: str = "training-differs"
) -> Finding:
    """What is wrong only there, named when it is a known mistake."""
    measured = Measurement(f"largest difference from ours {where}", difference(ours, theirs))
    named = None
    if ours.shape == theirs.shape:
        named = explain(theirs, understood.inputs, [understood.explanation.reading], known=FORWARD)
    start = f"{where[0].upper()}{where[1:]} the output is wrong, and {otherwise}."
    if named is None or not named.faults:
        return Finding(id, start, "look for an `if` in forward that tells the two apart", (measured,))
    fault, numbers = named.faults[0], understood.explanation.reading.numbers
    n_heads = numbers.n_heads if numbers else understood.examination.sizes.n_heads
    words = words_for(fault, n_heads, understood.examination.head_width, understood.inputs[0].shape[-2])
    return Finding(id, f"{start} {fault.sentence.format(**words)}", fault.fix.format(**words), (measured,))


def weights_differ(where: str, measured: Measurement) -> Finding:
    sentence = f"{where} the output is right and the returned weights are not those that made it."
    return Finding("weights-differ", sentence, "return the tensor that multiplies v, from the same call", (measured,))
