"""The first calls: does the candidate run, and is it the same twice."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from attnviz.checking.call.candidate import Answer, in_precision, side_effects
from attnviz.checking.call.inputs import BATCH_FIRST, ONE_TEXT, TOKENS_FIRST, key_formats, query_formats
from attnviz.checking.call.interception import DROPOUTS
from attnviz.checking.call.signature import Signature
from attnviz.checking.find.examination import HEAD_WIDTH, Examination, Run
from attnviz.checking.find.search import difference
from attnviz.checking.find.unexplained import attention_inside
from attnviz.checking.report import Measurement, StageResult, checked, fault


def first_run(examination: Examination) -> Run:
    """Call it with what it most likely takes; where that fails, in its own precision, or with other axes."""
    tried: list[Run] = []
    for attempt in _attempts(examination):
        in_own_precision = replace(attempt, candidate=in_precision(attempt.candidate, attempt.candidate.own_dtype))
        for precise in (attempt, in_own_precision):
            inputs = precise.inputs(1)
            tried.append(Run(precise, inputs, precise.call(inputs), precise.readings[0]))
            if _is_usable(tried[-1]):
                return tried[-1]
    return tried[1]  # the usual call, in its own precision


def _is_usable(run: Run) -> bool:
    """False where the mask's format hid everything, or where values wider than keys changed the shape."""
    if run.answer.numbers is None:
        return run.answer.problem != "raised"
    if run.candidate.is_function and tuple(run.theirs.shape) != run.examination.out_shape(run.inputs):
        return False
    return run.candidate.open_mask is None or not bool(run.theirs.isnan().all())


def _attempts(examination: Examination) -> Iterator[Examination]:
    """The usual call; then values as wide as keys, or other axes; then a second text, or a mask that hides nothing."""
    yield examination
    candidate, signature = examination.candidate, examination.candidate.signature
    if candidate.is_function:
        alike = replace(examination, widths=(HEAD_WIDTH,) * 3, out_width=HEAD_WIDTH)
        yield alike
        yield from (replace(one, axes=axes) for axes in (3, 2) for one in (examination, alike))
    elif candidate.axis_order is BATCH_FIRST:
        yield replace(examination, batch=1, candidate=replace(candidate, axis_order=ONE_TEXT))
    if signature.second is not None:
        yield examination.ordered(signature.with_second())
    if signature.mask in signature.required_masks:
        declared, name = examination.mask_means, signature.mask or ""
        for mask_format in (*query_formats(declared, False, examination.axes), *key_formats(declared, False, name)):
            yield replace(examination, candidate=replace(candidate, open_mask=mask_format))


def in_order_of_axes(run: Run) -> Run:
    """The run with tokens first, where the layer attends along the first axis and nobody said which is which.

    Of two axes it mixes one where changing one end of that axis alone changes the output at the other end.
    """
    candidate = run.candidate
    if (
        candidate.is_order_said
        or candidate.axis_order is not BATCH_FIRST
        or not (_mixes(run, 0) and not _mixes(run, 1))
    ):
        return run
    turned = first_run(replace(run.examination, candidate=replace(candidate, axis_order=TOKENS_FIRST)))
    is_as_expected = turned.answer.out is not None and tuple(turned.theirs.shape) == turned.examination.out_shape(
        turned.inputs
    )
    return turned if is_as_expected else run


def _mixes(run: Run, axis: int) -> bool:
    """Whether a change at one end of this axis of the inputs reaches the other end of it in the output."""
    for changed, other in ((0, -1), (-1, 0)):
        query, key, value = (x.clone() for x in run.inputs)  # [B, T, d_model] each
        for x in (query, key, value):
            x.select(axis, changed).mul_(-2.0)
        answer = run.examination.call((query, key, value)).numbers
        if answer is None or answer.shape != run.theirs.shape:
            return False
        if difference(answer.select(axis, other), run.theirs.select(axis, other)) > 1e-6:
            return True
    return False


def without_answer(run: Run) -> StageResult:
    answer, signature = run.answer, run.candidate.signature
    if answer.problem != "raised":
        return fault(
            "returns-no-tensor", answer.message, "return out, or return out, weights: tensors of floating-point numbers"
        )
    fed = " and ".join(dict.fromkeys(str(list(x.shape)) for x in run.inputs[: signature.n_inputs]))
    inside = attention_inside(run.examination)
    if inside:
        sentence = f"It is more than an attention layer and does not run on vectors of shape {fed}: {answer.message}"
        return fault("more-than-attention", sentence, f"check the attention inside: {inside}")
    needed = ", ".join(signature.needed(answer.message))
    if needed:
        sentence = f"It cannot be called: it needs {needed}, and the check does not know what to give. {answer.message}"
        fix = f"check_attention(lambda q, k, v: f(q, k, v, {needed}=…))"
        fix = fix if run.candidate.is_function else "wrap it in a module whose forward(x) gives it that"
        return fault("cannot-call", sentence, fix)
    sentence = f"It stops with an error on inputs of shape {fed}: {answer.message}"
    return fault("raises", sentence, _how_to_call(signature))


def _how_to_call(signature: Signature) -> str:
    """What to do about an error: often an argument is missing."""
    untried = ", ".join(signature.untried[:3])
    if signature.missing:
        return "a function is called as f(q, k, v); one of x alone needs matrices: pass the module that has them"
    perhaps = f"; perhaps it needs one of its other arguments ({untried})" if untried else ""
    return f"run it on such inputs and read the traceback{perhaps}"


def repeated(runs: Sequence[Run]) -> tuple[list[Run], StageResult, bool]:
    """Whether two calls agree; if not, the runs with dropout taken out, and whether these agree."""
    first, result = runs[0], StageResult(side_effects(runs[0].answer))
    is_seeded = any(one.id == "reseeds" for one in result.findings)
    asked = [replace(run.examination, candidate=run.candidate.without(DROPOUTS)) for run in runs]
    calm = [replace(run, examination=examination) for run, examination in zip(runs, asked, strict=True)]
    # With a seed of its own two calls agree also where dropout is active.
    apart = _apart(first.answer, calm[0].call() if is_seeded else first.call(seed=1))
    if apart.value == 0:
        return list(runs), result if result.findings else checked("two calls agree"), True
    answers = [run.call() for run in calm]
    if _apart(answers[0], calm[0].call(seed=1)).value == 0:
        sentence = "Dropout is active in eval mode: the same input gives two different outputs."
        if is_seeded:
            sentence = "Dropout is active in eval mode too, and repeats: the same weights are dropped at every call."
        fix = "F.dropout(weights, p, training=self.training): its default is training=True; or use nn.Dropout"
        result += fault("dropout-at-eval", sentence, fix, apart)
        return [replace(run, answer=answer) for run, answer in zip(calm, answers, strict=True)], result, True
    sentence = "Two calls with the same input give two different outputs, also with torch's dropout taken out."
    fix = "look for torch.rand, torch.empty, or something kept from call to call"
    return list(runs), result + fault("random", sentence, fix, apart), False


def _apart(one: Answer, other: Answer) -> Measurement:
    size = math.inf if one.numbers is None else difference(one.numbers, other.numbers)
    return Measurement("largest difference between two calls with the same input", size)
