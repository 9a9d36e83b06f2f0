"""`check_attention`: runs a user's attention beside ours, from "does it run" to the last probe."""

from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from attnviz.checking.call.candidate import Candidate, candidate_of
from attnviz.checking.call.inputs import BATCH_FIRST, MaskMeans
from attnviz.checking.call.refusals import NOT_COPIED, not_runnable, refuse, refuse_heads
from attnviz.checking.find.examination import Examination, Run, examinations
from attnviz.checking.find.explanation import explain_output
from attnviz.checking.find.unexplained import wrong_shape
from attnviz.checking.probe.first_call import first_run, in_order_of_axes, repeated, without_answer
from attnviz.checking.probe.gradients import gradients
from attnviz.checking.probe.large_scores import large_scores
from attnviz.checking.probe.masks import mask_of_each_text, masks_obeyed, masks_together
from attnviz.checking.probe.reference import same_weights
from attnviz.checking.probe.returned_weights import weights_returned, weights_with_mask
from attnviz.checking.read.parameter_roles import attentions_in, python_path
from attnviz.checking.report import Finding, Report, StageResult, fault, unchecked
from attnviz.core.one_thread import one_thread


def check_attention(
    candidate: Callable[..., Any],
    *,
    n_heads: int | None = None,
    mask_means: MaskMeans | None = None,
    is_causal: bool | None = None,
    batch_first: bool | None = None,
    reference: nn.Module | None = None,
) -> Report:
    """Run your attention against ours with the same weights and say what is wrong, first fault first.

    >>> import torch, attnviz as av
    >>> report = av.check_attention(torch.nn.MultiheadAttention(16, 4, batch_first=True))
    >>> report.ok  # print(report) says what is wrong, measured, and how to mend it
    True

    A layer is copied and never touched, and one from torch.compile is checked as it was before. The copy gets newly
    drawn numbers in its matrices, ours gets the same ones, both get the same inputs. Where the outputs differ, each
    known mistake is made in ours, alone and in pairs: what gives your output to within 1e-5 is what is wrong. What was
    not tried is listed last. It cannot stop code that never ends.

    Args:
        candidate: a torch module called as layer(x), layer(x, memory) or layer(query, key, value) with [B, T, d_model],
            whose matrices are found by their names (q_proj, Wq, to_q, c_attn, …); or a function f(q, k, v, mask=None)
            of [B, H, T, d_k]. It returns out, or out and weights [B, H, T_q, T_k].
        n_heads: H, where the layer does not say (as n_heads, num_heads, …).
        mask_means: what True in your mask means, "can attend" (as here and in F.scaled_dot_product_attention) or
            "cannot attend" (as in nn.MultiheadAttention); or "added" for a float mask that is added to the scores. When
            left out, "can attend" is expected of all but nn.MultiheadAttention and what has its arguments, "added" is
            accepted, and either way is accepted of a key_padding_mask.
        is_causal: whether no token sees what comes after it, without a mask being passed. Either is accepted when left
            out, and noted.
        batch_first: False for a layer that takes [T, B, d_model]; when left out, what layer.batch_first says. Where the
            layer has none, either is accepted and [T, B, d_model] is noted.
        reference: a layer that yours is compared with elsewhere; whether both hold the same weights is said first.
    Returns:
        a Report: `report.ok`, `report.findings` with measured numbers and a fix each, `print(report)`.
    Raises:
        InputError: candidate is no module or function (or a class: pass an instance), reference is no module, n_heads
            is not positive or does not divide the width of the queries, or mask_means is none of the three.
    Source: "Attention Is All You Need" (2017), section 3.2, for what is right.
    """
    candidate = getattr(candidate, "_orig_mod", candidate)  # inside torch.compile: its signature and names tell more
    reference = getattr(reference, "_orig_mod", reference)
    refuse(candidate, n_heads, mask_means, reference)
    refused = not_runnable(candidate)
    # In a context of its own, so that a recording around it gets nothing of what runs here and edits nothing of it.
    return Context().run(_report, candidate, refused, n_heads, mask_means, is_causal, batch_first, reference)


def _report(
    subject: Callable[..., Any], refused: Finding | None, n_heads: int | None, mask_means: MaskMeans | None,
    is_causal: bool | None, batch_first: bool | None, reference: nn.Module | None,
) -> Report:  # fmt: skip
    # Gradients are compared wherever this is called.
    with torch.inference_mode(False), torch.enable_grad(), one_thread():
        candidate = None if refused else candidate_of(subject, batch_first)
        if candidate is None:
            return Report(type(subject).__name__, "Not called.", (refused or NOT_COPIED,))
        if n_heads is not None and isinstance(candidate.subject, nn.Module):
            refuse_heads(candidate.subject, n_heads)
        result = same_weights(subject, reference)
        has_several = isinstance(candidate.subject, nn.Module) and len(attentions_in(candidate.subject)) > 1
        asked = [] if has_several else examinations(candidate, n_heads, mask_means, is_causal)
        if not asked:
            result += StageResult((_no_matrices(candidate),))
            return Report(candidate.name, _how(candidate, None), result.findings, result.notes, (), result.unchecked)
        run, is_explained, outcome = _examined(asked)
    result += outcome
    how = _how(run.candidate, run if is_explained else None)
    return Report(candidate.name, how, result.findings, result.notes, result.checked, result.unchecked)


def _examined(asked: Sequence[Examination]) -> tuple[Run, bool, StageResult]:
    """The run that was checked, whether its output is explained, and everything that was found."""
    runs = [first_run(one) for one in asked]
    running = [run for run in runs if not run.answer.problem]
    if runs[0].answer.problem == "type" or not running:
        return runs[0], False, without_answer(runs[0])
    shaped = [run for run in running if tuple(run.theirs.shape) == run.examination.out_shape(run.inputs)]
    if not shaped:
        return running[0], False, StageResult((wrong_shape(running[0]),))
    runs, result, is_steady = repeated([in_order_of_axes(run) for run in shaped])
    if not is_steady:
        return runs[0], False, result
    run, outcome = explain_output(runs)
    if run is None and result.findings:
        outcome = StageResult()  # what it changes or drops is reason enough
    # Dropout is told after the faults of the arithmetic: it hides them, and does not cause them.
    result = outcome + result
    if run is None:
        return runs[0], False, result
    result += _probed(run, result)
    signature = run.candidate.signature
    if signature.untried:
        result += unchecked(f"arguments left at their defaults: {', '.join(signature.untried)}")
    if signature.second is not None:
        result += _with_second_text(run, result)
    return run, True, result


def _probed(run: Run, before: StageResult) -> StageResult:
    """Masks, weights, gradients and large scores; what waits for something else to be mended is listed."""
    how, later = run.reading.variant, "weights with a mask, a mask for each text, masks together, large scores"
    if how.sequence != "token" or how.split != "right" or how.softmax in ("query", "head", "batch", "none"):
        return unchecked(f"mask, weights, gradients, {later}: until the axes and the softmax are right")
    masks, result = masks_obeyed(run)
    result += weights_returned(run) + gradients(run)
    if before.findings or result.findings:  # a fault would recur in what follows
        return result + unchecked(f"{later}: until what was found above is mended")
    result += masks_together(run, masks) + weights_with_mask(masks) + mask_of_each_text(masks)
    return result if result.findings else result + large_scores(run, masks)


def _with_second_text(run: Run, result: StageResult) -> StageResult:
    """Check the layer again, given a second text that it can do without; what is said already is not said twice."""
    signature = run.candidate.signature
    what = f"a second text ({signature.second})"
    if getattr(run.candidate.subject, "is_cross_attention", None) is False:  # transformers' name for it
        return unchecked(f"{what}: the layer says that it reads none (is_cross_attention is False)")
    if result.findings:
        return unchecked(f"{what}: until what was found above is mended")
    readings = (run.reading.changed(causal="no"), run.reading)
    there = replace(run.examination.ordered(signature.with_second()), readings=readings)
    inputs = there.inputs(61)
    answer = there.call(inputs)
    if answer.out is None and answer.message.startswith(("RuntimeError", "IndexError")):
        sentence = f"With {what} it stops with an error: {answer.message}"
        return fault("raises", sentence, "run it so and read the traceback")
    if answer.out is None:  # any other error is a refusal
        return unchecked(f"{what}: it stops with an error: {answer.message}")
    again, outcome = explain_output([Run(there, inputs, answer, readings[0])])
    outcome += StageResult() if again is None else _probed(again, outcome)
    findings = tuple(replace(one, sentence=f"With {what}: {one.sentence}") for one in outcome.findings)
    said = {one.id for one in result.notes} - {"causal"}
    notes = tuple(replace(one, sentence=f"With {what}: {one.sentence}") for one in outcome.notes if one.id not in said)
    why = tuple(f"{one}, with {what}" for one in outcome.unchecked if one not in result.unchecked)
    return StageResult(findings, notes, (what, *outcome.checked), why)


def _no_matrices(candidate: Candidate) -> Finding:
    assert isinstance(candidate.subject, nn.Module)  # a function needs no matrices
    inside, names = attentions_in(candidate.subject), list(candidate.parameters())
    if inside and inside[0]:
        listed = ", ".join(inside[:4]) + (f" and {len(inside) - 4} more" if len(inside) > 4 else "")
        layers = "an attention layer" if len(inside) == 1 else f"{len(inside)} attention layers"
        sentence = f"It holds {layers} ({listed}), and one is checked at a time."
        return Finding("several-attentions", sentence, f"check_attention({python_path(inside[0])})")
    listed = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
    sentence = (
        f"No matrices for q, k, v and out that fit each other were found among its {len(names)} parameters ({listed}). "
        "Without the same weights in both, comparing says nothing, so there is no verdict."
    )
    fix = "name them q_proj, k_proj, v_proj and out_proj, or check the function inside: check_attention(f)"
    return Finding("cannot-compare", sentence, fix)


def _how(candidate: Candidate, run: Run | None) -> str:
    how = f"Called as {candidate.signature.call(candidate.is_function)}"
    how += f" in {str(candidate.dtype).removeprefix('torch.')}"
    how += "" if candidate.axis_order is BATCH_FIRST else f" with {candidate.axis_order.name}"
    if run is not None and run.reading.projections is not None and run.reading.layout is not None:
        projections = run.reading.projections
        how += f", {projections.n_heads} head{'s' if projections.n_heads > 1 else ''} of width {projections.head_width}"
        names = dict.fromkeys(name.rpartition(".")[0] or name for name in run.reading.layout.names)
        how += f", weights of {', '.join(names)}" if names else ""
    return how + "."
