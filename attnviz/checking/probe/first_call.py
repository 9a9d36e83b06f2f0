"""The first calls: does the candidate run, and is it the same twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from torch import nn

from attnviz.checking.call.axis_order import BATCH_FIRST, ONE_TEXT, TOKENS_LAST
from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.mask_format import key_formats, query_formats
from attnviz.checking.call.preparation import in_precision
from attnviz.checking.call.side_effects import side_effects
from attnviz.checking.find.examination import Examination
from attnviz.checking.find.search import difference
from attnviz.checking.find.unexplained import attention_inside
from attnviz.checking.read.parameter_roles import is_pointwise
from attnviz.checking.report import Finding, Measurement, StageResult, checked, fault


def first_answer(examination: Examination) -> tuple[Examination, Inputs, Answer]:
    """Call it with what it most likely takes; where that fails, in its own precision, or with other axes."""
    first: tuple[Examination, Inputs, Answer] | None = None
    for attempt in _attempts(examination):
        own = replace(attempt, candidate=in_precision(attempt.candidate, attempt.candidate.own_dtype))
        for precise in (attempt, own):
            inputs = precise.inputs(1)
            answer = precise.call(inputs)
            hides_all = precise.candidate.open_mask is not None and bool(
                answer.out is not None and answer.out.isnan().all()
            )
            if answer.problem != "raised" and not hides_all:
                return precise, inputs, answer
        first = first or (own, inputs, answer)
    assert first is not None  # there is at least one attempt
    return first


def _attempts(examination: Examination) -> Iterator[Examination]:
    """The usual call; then other axes; then with a second text, or a mask that hides nothing."""
    yield examination
    candidate, signature = examination.candidate, examination.candidate.signature
    if candidate.is_function:
        if examination.axes == 4:
            yield replace(examination, has_one_key_head=True)
        yield from (replace(examination, axes=axes) for axes in (3, 2) if axes < examination.axes)
    elif candidate.axis_order is BATCH_FIRST:
        has_convolutions = isinstance(candidate.subject, nn.Module) and any(
            map(is_pointwise, candidate.subject.modules())
        )
        for axis_order in (TOKENS_LAST, ONE_TEXT) if has_convolutions else (ONE_TEXT,):
            sized = examination.resized(batch=1) if axis_order.is_single else examination
            yield replace(sized, candidate=replace(candidate, axis_order=axis_order))
    if signature.second is not None:
        yield replace(examination, candidate=replace(candidate, signature=signature.with_second()))
    if signature.mask in signature.required_masks:
        declared, name = examination.mask_means, signature.mask or ""
        for mask_format in (*query_formats(declared, False, examination.axes), *key_formats(declared, name)):
            yield replace(examination, candidate=replace(candidate, open_mask=mask_format))


def without_answer(examination: Examination, inputs: Inputs, answer: Answer) -> StageResult:
    """What to say when no tensor came back."""
    if answer.problem != "raised":
        id = "returns-nothing" if answer.problem == "nothing" else "returns-no-tensor"
        return fault(id, answer.message, "return out, or return out, weights: tensors of floating-point numbers")
    fed = " and ".join(dict.fromkeys(str(list(x.shape)) for x in inputs[: examination.candidate.signature.n_inputs]))
    inside = attention_inside(examination)
    if inside:
        sentence = (
            f"It is more than an attention layer, and it does not run on vectors of shape {fed}: {answer.message}"
        )
        return fault("more-than-attention", sentence, f"check the attention inside: {inside}")
    sentence = f"It stops with an error on inputs of shape {fed}: {answer.message}"
    return fault("raises", sentence, _how_to_call(examination))


def _how_to_call(examination: Examination) -> str:
    """What to do about an error: often an argument is missing."""
    candidate, signature = examination.candidate, examination.candidate.signature
    missing, unused = ", ".join(signature.missing), ", ".join(signature.unused[:3])
    if missing and not candidate.is_function:
        return f"it asks for {missing} too: check a layer around it whose forward(x) gives it that"
    if missing and not signature.names:
        return "a function is called as f(q, k, v); one of x alone needs matrices: pass the module that has them"
    if missing:
        return f"it asks for {missing} too: check_attention(lambda q, k, v: f(q, k, v, {missing}=…))"
    perhaps = f"; perhaps it needs one of its other arguments ({unused})" if unused else ""
    return f"run it on such inputs and read the traceback{perhaps}"


def repeatable(
    examination: Examination, inputs: Inputs, answer: Answer
) -> tuple[Examination, Answer, StageResult, bool]:  # fmt: skip
    """Whether two calls agree; if not, whether taking out dropout makes them agree."""
    assert answer.numbers is not None  # checked before
    calm = replace(examination, candidate=replace(examination.candidate, has_dropout=False))
    seeding = side_effects(answer, "reseeds")
    result = StageResult(seeding)
    # With a seed of its own two calls agree also where dropout is active.
    other = calm.call(inputs) if seeding else examination.call(inputs, seed=1)
    apart = _apart(answer, other)
    if apart.value == 0:
        return examination, answer, result + (StageResult() if seeding else checked("two calls agree")), True
    without = [calm.call(inputs, seed=seed) for seed in (0, 1)]
    if _apart(*without).value == 0:
        return calm, without[0], result + StageResult((_dropout_at_eval(examination, apart, bool(seeding)),)), True
    sentence = "Two calls with the same input give two different outputs, and dropout is not the cause."
    fix = "look for torch.rand, torch.empty, or something kept from call to call"
    return examination, answer, result + fault("random", sentence, fix, apart), False


def _dropout_at_eval(examination: Examination, apart: Measurement, repeats: bool) -> Finding:
    sentence = "Dropout is active in eval mode: the same input gives two different outputs."
    if examination.candidate.is_function:
        sentence = "Dropout is active although nobody trains: the same q, k and v give two different outputs."
    if repeats:
        sentence = "Dropout is active in eval mode too, and repeats: the same weights are dropped at every call."
    fix = "F.dropout(weights, p, training=self.training): its default is training=True; or use nn.Dropout"
    return Finding("dropout-at-eval", sentence, fix, (apart,))


def _apart(one: Answer, other: Answer) -> Measurement:
    size = float("inf") if one.numbers is None else difference(one.numbers, other.numbers)
    return Measurement("largest difference between two calls with the same input", size)
