"""The first stages: can it be called, is it the same twice, and what explains its output and its weights."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import torch
from torch import Tensor

from attnviz.checking.candidate import Answer, in_precision
from attnviz.checking.examination import Examination, Seen, Understood
from attnviz.checking.faults import CAUSAL_MISSING, CAUSAL_UNASKED, FORWARD, Fault
from attnviz.checking.probes import Inputs
from attnviz.checking.report import Finding, Measurement
from attnviz.checking.search import Explanation, Reading, agrees, difference, explain, finding, words_for
from attnviz.checking.variant import attention, divisors


def first_answer(examination: Examination) -> tuple[Examination, Inputs, Answer]:
    """Call it with what it most likely takes; where that fails, in its own precision, and with fewer axes."""
    attempts = [examination]
    if examination.candidate.is_function:
        attempts += [replace(examination, axes=3), replace(examination, axes=2)]
    kept: tuple[Examination, Inputs, Answer] | None = None
    for attempt in attempts:
        own = replace(attempt, candidate=in_precision(attempt.candidate, attempt.candidate.own_dtype))
        for precise in (attempt, own):
            inputs = precise.inputs(1)
            answer = precise.ask(inputs)
            if answer.problem != "raised":
                return precise, inputs, answer
        kept = kept or (own, inputs, answer)
    assert kept is not None  # there is at least one attempt
    return kept


def without_answer(examination: Examination, inputs: Inputs, answer: Answer) -> Finding:
    """What to say when no tensor came back."""
    fed = " and ".join(dict.fromkeys(str(list(x.shape)) for x in inputs[: examination.candidate.signature.n_inputs]))
    if answer.problem == "raised":
        sentence = f"It stops with an error on inputs of shape {fed}: {answer.said}"
        return Finding("raises", sentence + _when_it_runs(examination), "run it on such inputs and read the traceback")
    if answer.problem == "printed":
        return Finding("prints-without-end", answer.said, "remove the print, or check that its loop ends")
    fix = "return out, or return out, weights: tensors of floating-point numbers"
    return Finding("returns-nothing" if answer.problem == "nothing" else "returns-no-tensor", answer.said, fix)


def _when_it_runs(examination: Examination) -> str:
    """The first smaller probe that does run, in words."""
    sizes = examination.sizes
    for words, changes in (
        ("one text at a time", {"batch": 1}),
        ("one token", {"tokens": 1}),
        ("as many tokens as heads", {"tokens": sizes.n_heads}),
        ("as many texts as tokens", {"batch": sizes.tokens}),
        ("as many tokens as features", {"tokens": examination.widths[0]}),
    ):
        tried = replace(examination, sizes=replace(sizes, **changes))
        if tried.sizes != sizes and not tried.ask(tried.inputs(1)).problem:
            return f" (It runs with {words}.)"
    return ""


def repeatable(
    examination: Examination, inputs: Inputs, answer: Answer
) -> tuple[Examination, Answer, Seen, bool]:  # fmt: skip
    """Whether two calls agree; if not, whether taking out dropout makes them agree."""
    assert answer.out is not None  # checked before
    again = examination.ask(inputs, seed=1)
    if again.out is not None and difference(answer.out, again.out) == 0:
        return examination, answer, Seen(checked=("two calls agree",)), True
    size = float("inf") if again.out is None else difference(answer.out, again.out)
    measured = Measurement("largest difference between two calls with the same input", size)
    calm = replace(examination, candidate=replace(examination.candidate, is_calm=True))
    answers = [calm.ask(inputs, seed=seed) for seed in (0, 1)]
    if all(a.out is not None for a in answers) and difference(answers[0].out, answers[1].out) == 0:  # type: ignore[arg-type]
        sentence = (
            "Dropout is active although nobody trains: the same q, k and v give two different outputs."
            if examination.candidate.is_function else
            "Dropout is active in eval mode: the same input gives two different outputs."
        )  # fmt: skip
        fix = "F.dropout(weights, p, training=self.training): its default is training=True; or use nn.Dropout"
        return calm, answers[0], Seen((Finding("dropout-at-eval", sentence, fix, (measured,)),)), True
    sentence = "Two calls with the same input give two different outputs, and dropout is not the cause."
    fix = "look for torch.rand, torch.empty, or something kept from call to call"
    return examination, answer, Seen((Finding("random", sentence, fix, (measured,)),)), False


def explained(examination: Examination, inputs: Inputs, answer: Answer) -> tuple[Understood | None, Seen]:
    """Find the faults behind the output."""
    theirs = answer.out
    assert theirs is not None  # checked before
    wants = examination.wants(inputs)
    known = FORWARD
    if examination.is_causal is not None:
        known += (CAUSAL_MISSING if examination.is_causal else CAUSAL_UNASKED,)
    if tuple(theirs.shape) != wants:
        return None, Seen((_wrong_shape(examination, inputs, theirs),))
    is_alone = not _other_parameters(examination)
    explanation = explain(theirs.detach(), inputs, examination.readings, known=known, pairs=is_alone)
    if explanation is None:
        return None, _without_explanation(examination, inputs, answer)
    reading = explanation.reading
    n_queries, theirs = inputs[0].shape[-2], theirs.detach()
    numbers = reading.numbers
    n_heads = numbers.n_heads if numbers else examination.sizes.n_heads if examination.axes == 4 else 1
    head_width = numbers.weight["q"].shape[0] // n_heads if numbers else examination.head_width
    evidence = _evidence(explanation, inputs, theirs)
    found = [
        _named(finding(f, *evidence, **words_for(f, n_heads, head_width, n_queries)), f, examination,
               divisors(head_width, n_heads, n_queries))
        for f in explanation.faults
    ]  # fmt: skip
    notes = tuple(replace(f, evidence=()) for f in found if f.id == "heads-strided") + _said(reading, examination)
    faults = tuple(f for f in found if f.id != "heads-strided")
    understood = Understood(examination, explanation, inputs, answer)
    return understood, Seen(faults, notes, ("output",))


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
            "QKᵀ over [batch, head, token, feature]: q, k and v come in that order, as F.scaled_dot_product_attention's"
        )
        return replace(found, fix=fix)
    return found


def _said(reading: Reading, examination: Examination) -> tuple[Finding, ...]:
    notes = []
    if examination.is_causal is None and reading.variant.causal == "right":
        sentence = "It is causal: without any mask each token sees only itself and what comes before it."
        notes.append(
            Finding("causal", sentence, "nothing, if that is meant; check_attention(…, is_causal=True) asks for it")
        )
    if reading.layout is not None and reading.layout.said:
        fix = "nothing, unless weights of another layer are to be loaded: reorder them first"
        notes.append(Finding("fused-order", reading.layout.said, fix))
    return tuple(notes)


def _wrong_shape(examination: Examination, inputs: Inputs, theirs: Tensor) -> Finding:
    wants = examination.wants(inputs)
    came = f"The output has shape {list(theirs.shape)}; expected {list(wants)}"
    names = {4: ("batch", "head", "token", "feature"), 3: ("batch", "token", "feature"), 2: ("token", "feature")}
    words = names[examination.axes]
    for reading in examination.readings:
        ours = attention(inputs, reading.numbers, reading.variant).out  # [B, Tq, D]
        for order in permutations(range(ours.ndim)):
            if ours.ndim == theirs.ndim and agrees(ours.permute(*order), theirs.detach()):
                axes = ", ".join(words[axis] for axis in order)
                return Finding("axes-reordered", f"{came}: the numbers are right and the axes come as {axes}.",
                               f"out.permute(…) back to [{', '.join(words)}]")  # fmt: skip
        if ours.numel() == theirs.numel() and agrees(ours.flatten(), theirs.detach().flatten()):
            return Finding("wrong-shape", f"{came}: the numbers are right, the axes are joined or split.",
                           f"out.reshape({', '.join(map(str, wants))})")  # fmt: skip
    return Finding("wrong-shape", came + ".", f"each query gives one row: [{', '.join(words)}]")


def _without_explanation(examination: Examination, inputs: Inputs, answer: Answer) -> Seen:
    """The last guesses: it wrote into its input, or it has another number of heads than it says."""
    assert answer.out is not None  # checked before
    theirs = answer.out.detach()
    written = [name for name in answer.changed if name.startswith("input")]
    if written:
        return Seen((overwritten(written),))
    for reading in examination.readings:
        numbers = reading.numbers
        width = numbers.weight["q"].shape[0] if numbers else 0
        for n_heads in range(1, width + 1):
            if numbers is None or width % n_heads or n_heads == numbers.n_heads:
                continue
            other = replace(reading, numbers=replace(numbers, n_heads=n_heads))
            if explain(theirs, inputs, [other], known=()) is not None:
                sentence = f"It attends with {n_heads} heads; expected {numbers.n_heads}, as was said."
                fix = "look at the sizes in .view(B, T, H, d_head), and at n_heads"
                return Seen((Finding("other-head-count", sentence, fix),))
    return Seen((_unexplained(examination, inputs, answer),))


def overwritten(names: list[str]) -> Finding:
    """The call wrote into its inputs."""
    sentence = f"The call writes into the caller's tensor: {', '.join(names)}."
    return Finding("input-overwritten", sentence, "use the operation without the underscore: x = x * 2, not x *= 2")


def _unexplained(examination: Examination, inputs: Inputs, answer: Answer) -> Finding:
    """What differs, by how much and where first, when no known mistake gives this output."""
    assert answer.out is not None  # checked before
    theirs, reading = answer.out.detach(), examination.readings[0]
    values = attention(inputs, reading.numbers, reading.variant)
    if not bool(torch.isfinite(theirs).all()):
        place = (~torch.isfinite(theirs)).nonzero()[0].tolist()
        count = float((~torch.isfinite(theirs)).sum())
        return Finding("not-finite", f"The output holds NaN or infinite numbers, the first at {place}, with no mask.",
                       "look for a division by zero, or exp of large scores: torch.softmax subtracts the maximum",
                       (Measurement("numbers that are not finite", count),))  # fmt: skip
    wrong = (values.out - theirs).abs() > 1e-5  # [B, Tq, D]
    place = wrong.nonzero()[0].tolist() if bool(wrong.any()) else [0] * theirs.ndim
    names = ("text", "head", "query", "feature")[-theirs.ndim :] if theirs.ndim != 3 else ("text", "query", "feature")
    where = ", ".join(f"{name} {i}" for name, i in zip(names, place, strict=True))
    sentence = f"The output differs from ours and no known mistake explains it; the first difference is at {where}."
    evidence = [Measurement("largest difference of the output", difference(values.out, theirs))]
    fix = (
        "compare step by step with av.record(): raw, scores, masked, weights, context, out. Ours has no rotary "
        "positions, position bias, q and k norm or softcap: if yours has them on purpose, check it without them"
    )
    shown = next((t.detach() for _, t in answer.others if t.shape == values.weights.shape), None)
    if shown is not None and agrees(values.weights, shown):
        sentence += " The weights agree with ours, so the fault comes after the softmax."
        fix = "look at weights @ v, at how the heads are joined, and at the output projection"
    elif shown is not None:
        evidence.append(Measurement("largest difference of the weights", difference(values.weights, shown)))
        at = ((values.weights - shown).abs() > 1e-5).nonzero()[0].tolist()  # [B, H, Tq, Tk]
        named = zip(("text", "head", "query", "key")[-len(at) :], at, strict=True)
        sentence += f" The weights differ too, first at {', '.join(f'{name} {i}' for name, i in named)}."
        fix = (
            "look at q, k, the scale and the softmax first. Ours has no rotary positions, position bias, q and k norm "
            "or softcap: if yours has them on purpose, check it with them switched off"
        )
    sentence += _other_parameters(examination)
    return Finding("differs", sentence, fix, tuple(evidence))


def _other_parameters(examination: Examination) -> str:
    layout = examination.readings[0].layout
    others = [name for name in examination.candidate.parameters() if layout and name not in layout.names]
    if not others:
        return ""
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return (
        f" It has parameters that are no part of attention ({', '.join(others[:3])}{more}): check the attention alone."
    )
