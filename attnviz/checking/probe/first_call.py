"""The first stages: can it be called, and is it the same twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor

from attnviz.checking.call.axis_order import BATCH_FIRST, ONE_TEXT, TOKENS_LAST
from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.mask_format import of_keys, of_queries
from attnviz.checking.call.preparation import in_precision
from attnviz.checking.find.differing import alone
from attnviz.checking.find.examination import Examination, Seen
from attnviz.checking.find.search import difference
from attnviz.checking.probe.reseeding import reseeds
from attnviz.checking.read.parameter_roles import has_convolutions
from attnviz.checking.report import Finding, Measurement


def first_answer(examination: Examination) -> tuple[Examination, Inputs, Answer]:
    """Call it with what it most likely takes; where that fails, in its own precision, or with other axes."""
    kept: tuple[Examination, Inputs, Answer] | None = None
    for attempt in _attempts(examination):
        own = replace(attempt, candidate=in_precision(attempt.candidate, attempt.candidate.own_dtype))
        for precise in (attempt, own):
            inputs = precise.inputs(1)
            answer = precise.ask(inputs)
            is_hidden = attempt.candidate.open_mask is not None and answer.out is not None and _all_nan(answer.out)
            if answer.problem != "raised" and not is_hidden:
                return precise, inputs, answer
        kept = kept or (own, inputs, answer)
    assert kept is not None  # there is at least one attempt
    return kept


def _attempts(examination: Examination) -> Iterator[Examination]:
    """The usual call; then other axes; then with a mask that hides nothing, for what cannot do without one."""
    candidate, axes = examination.candidate, [examination]
    if candidate.is_function:
        axes += [replace(examination, has_one_key_head=True)] if examination.axes == 4 else []
        axes += [replace(examination, axes=n) for n in (3, 2) if n < examination.axes]
    elif candidate.arrangement is BATCH_FIRST:
        for arrangement in (TOKENS_LAST, ONE_TEXT) if has_convolutions(candidate.subject) else (ONE_TEXT,):
            sizes = replace(examination.sizes, batch=1) if arrangement.is_single else examination.sizes
            turned = replace(candidate, arrangement=arrangement)
            axes.append(replace(examination, candidate=turned, sizes=sizes))
    yield from axes
    if candidate.signature.second is not None:
        yield replace(examination, candidate=replace(candidate, signature=candidate.signature.with_second()))
    if not candidate.signature.is_mask_required:
        return
    name = candidate.signature.mask or ""
    for attempt in axes[:1]:
        for way in (*of_queries(examination.mask_means, False, attempt.axes), *of_keys(examination.mask_means, name)):
            yield replace(attempt, candidate=replace(attempt.candidate, open_mask=way))


def _all_nan(tensor: Tensor) -> bool:
    return bool(tensor.isnan().all())


def without_answer(examination: Examination, inputs: Inputs, answer: Answer) -> Finding:
    """What to say when no tensor came back."""
    fed = " and ".join(dict.fromkeys(str(list(x.shape)) for x in inputs[: examination.candidate.signature.n_inputs]))
    inside = alone(examination)
    if answer.problem == "raised" and inside:
        sentence = f"It is more than an attention layer, and it does not run on vectors of shape {fed}: {answer.said}"
        return Finding("more-than-attention", sentence, f"check the attention inside: {inside}")
    if answer.problem == "raised":
        sentence = f"It stops with an error on inputs of shape {fed}: {answer.said}"
        return Finding("raises", sentence + _when_it_runs(examination), _how_to_call(examination))
    if answer.problem == "printed":
        return Finding("prints-without-end", answer.said, "remove the print, or check that its loop ends")
    fix = "return out, or return out, weights: tensors of floating-point numbers"
    return Finding("returns-nothing" if answer.problem == "nothing" else "returns-no-tensor", answer.said, fix)


def _how_to_call(examination: Examination) -> str:
    """What to do about an error: often an argument is missing."""
    candidate, otherwise = examination.candidate, "run it on such inputs and read the traceback"
    missing = ", ".join(candidate.signature.missing)
    if not missing:
        unused = ", ".join(candidate.signature.unused[:3])
        return otherwise + (f"; perhaps it needs one of its other arguments ({unused})" if unused else "")
    if not candidate.is_function:
        return f"it asks for {missing} too: check a layer around it whose forward(x) gives it that"
    if not candidate.signature.names:
        return "a function is called as f(q, k, v); one of x alone needs matrices: pass the module that has them"
    return f"it asks for {missing} too: check_attention(lambda q, k, v: f(q, k, v, {missing}=…))"


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
    again, seeding = examination.ask(inputs, seed=1), reseeds(answer)
    if seeding:  # then dropout may be active and two calls agree
        calm = replace(examination, candidate=replace(examination.candidate, is_calm=True))
        without = calm.ask(inputs)
        if without.out is not None and difference(answer.out, without.out):
            return calm, without, Seen((*seeding, _dropout_at_eval(examination, answer, without))), True
    if again.out is not None and difference(answer.out, again.out) == 0:
        return examination, answer, Seen(seeding, checked=("two calls agree",)), True
    calm = replace(examination, candidate=replace(examination.candidate, is_calm=True))
    answers = [calm.ask(inputs, seed=seed) for seed in (0, 1)]
    if all(a.out is not None for a in answers) and difference(answers[0].out, answers[1].out) == 0:  # type: ignore[arg-type]
        return calm, answers[0], Seen((_dropout_at_eval(examination, answer, again),)), True
    sentence = "Two calls with the same input give two different outputs, and dropout is not the cause."
    fix = "look for torch.rand, torch.empty, or something kept from call to call"
    return examination, answer, Seen((Finding("random", sentence, fix, (_apart(answer, again),)),)), False


def _dropout_at_eval(examination: Examination, answer: Answer, other: Answer) -> Finding:
    sentence = (
        "Dropout is active although nobody trains: the same q, k and v give two different outputs."
        if examination.candidate.is_function else
        "Dropout is active in eval mode: the same input gives two different outputs."
    )  # fmt: skip
    if reseeds(answer):
        sentence = "Dropout is active in eval mode too, and repeats: the same weights are dropped at every call."
    fix = "F.dropout(weights, p, training=self.training): its default is training=True; or use nn.Dropout"
    return Finding("dropout-at-eval", sentence, fix, (_apart(answer, other),))


def _apart(answer: Answer, other: Answer) -> Measurement:
    """other: the second call, or the same without dropout."""
    size = float("inf") if answer.out is None or other.out is None else difference(answer.out, other.out)
    return Measurement("largest difference between two calls with the same input", size)
