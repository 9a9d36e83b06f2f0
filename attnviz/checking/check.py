"""`check_attention`: runs a user's attention beside ours, from "does it run" to the last probe."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from attnviz.checking.call.candidate import Candidate, candidate_of
from attnviz.checking.call.inputs import BATCH_FIRST, MaskMeans
from attnviz.checking.call.refusals import NOT_COPIED, not_runnable, refuse, refuse_heads
from attnviz.checking.find.examination import Examination, Explained, examinations
from attnviz.checking.find.explanation import explain_output, explain_without_norms
from attnviz.checking.probe.first_call import first_answer, repeatable, without_answer
from attnviz.checking.probe.probe_table import run_probes
from attnviz.checking.probe.reference import same_weights
from attnviz.checking.read.parameter_roles import attentions_in, python_path
from attnviz.checking.report import Finding, Report, StageResult, unchecked
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
    known mistake is made in ours, alone and up to three together: what gives your output to within 1e-5 is what is
    wrong. What was not tried is listed last. It cannot stop code that never ends.

    Args:
        candidate: a torch module called as layer(x), layer(x, memory) or layer(query, key, value) with [B, T, d_model],
            whose matrices are found by their names (q_proj, Wq, to_q, c_attn, …); or a function f(q, k, v, mask=None)
            of [B, H, T, d_k]. It returns out, or out and weights [B, H, T_q, T_k].
        n_heads: H, where the layer does not say (as n_heads, num_heads, …).
        mask_means: what True in your mask means, "can attend" (as here and in F.scaled_dot_product_attention) or
            "cannot attend" (as in nn.MultiheadAttention); or "added" for a float mask that is added to the scores. When
            left out, "can attend" is expected of all but nn.MultiheadAttention, "added" is accepted, and either way is
            accepted of a key_padding_mask.
        is_causal: whether no token sees what comes after it, without a mask being passed. Either is accepted when left
            out, and noted.
        batch_first: False for a layer that takes [T, B, d_model]; when left out, what layer.batch_first says, or True.
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
    # Gradients are compared wherever this is called.
    with torch.inference_mode(False), torch.enable_grad(), one_thread():
        copied = None if refused else candidate_of(candidate, batch_first)
        if copied is None:
            return Report(type(candidate).__name__, "Not called.", (refused or NOT_COPIED,))
        if n_heads is not None and isinstance(copied.subject, nn.Module):
            refuse_heads(copied.subject, n_heads)
        before = same_weights(candidate, reference)
        has_several = isinstance(copied.subject, nn.Module) and len(attentions_in(copied.subject)) > 1
        ways = [] if has_several else examinations(copied, n_heads, mask_means, is_causal)
        if not ways:
            return _report(copied, None, None, before + StageResult((_no_matrices(copied),)))
        examination, explained, result = _examined(ways)
    return _report(copied, examination, explained, before + result)


def _examined(ways: list[Examination]) -> tuple[Examination, Explained | None, StageResult]:
    """The first way in which the candidate runs, what explains its output, and everything that was found."""
    answers = (first_answer(way) for way in ways)
    first = next(answers)
    running = (found for found in answers if not found[2].problem)
    examination, inputs, answer = next(running, first) if first[2].problem == "raised" else first
    if answer.problem:
        return examination, None, without_answer(examination, inputs, answer)
    examination, answer, result, is_steady = repeatable(examination, inputs, answer)
    if not is_steady:
        return examination, None, result
    explained, found = explain_output(examination, inputs, answer)
    if explained is None and not any(name.startswith("parameter ") for name in answer.changed):
        explained, found = explain_without_norms(examination, inputs) or (explained, found)
    # Dropout is told after the faults of the arithmetic: it hides them, and does not cause them.
    result = found + result
    if explained is None:
        return examination, None, result
    result += run_probes(explained)
    candidate = explained.candidate
    if candidate.signature.untried:
        result += unchecked(f"arguments left at their defaults: {', '.join(candidate.signature.untried)}")
    if candidate.signature.second is not None:
        result += _with_second_text(explained, result)
    return explained.examination, explained, result


def _with_second_text(explained: Explained, result: StageResult) -> StageResult:
    """Check the layer again, given a second text that it can do without; what is said already is not said twice."""
    signature = explained.candidate.signature
    what = f"a second text ({signature.second})"
    if getattr(explained.candidate.subject, "is_cross_attention", None) is False:  # transformers' name for it
        return unchecked(f"{what}: the layer says that it reads none (is_cross_attention is False)")
    if result.findings:
        return unchecked(f"{what}: until what was found above is mended")
    reading = explained.reading
    open_too = reading.changed(causal="no")
    candidate = replace(explained.candidate, signature=signature.with_second())
    there = replace(explained.examination, candidate=candidate, readings=(open_too, reading))
    inputs = there.inputs(61)
    answer = there.call(inputs)
    if answer.out is None and answer.message.startswith(("RuntimeError", "IndexError")):
        sentence = f"With {what} it stops with an error: {answer.message}"
        return StageResult((Finding("raises", sentence, "run it so and read the traceback"),))
    if answer.out is None:  # any other error is a refusal
        return unchecked(f"{what}: it stops with an error: {answer.message}")
    again, found = explain_output(there, inputs, answer)
    found += StageResult() if again is None else run_probes(again)
    findings = tuple(replace(one, sentence=f"With {what}: {one.sentence}") for one in found.findings)
    said = {one.id for one in result.notes} - {"causal"}
    notes = tuple(replace(one, sentence=f"With {what}: {one.sentence}") for one in found.notes if one.id not in said)
    why = tuple(f"{one}, with {what}" for one in found.unchecked if one not in result.unchecked)
    return StageResult(findings, notes, (what, *found.checked), why)


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


def _report(
    candidate: Candidate, examination: Examination | None, explained: Explained | None, result: StageResult
) -> Report:
    candidate = candidate if examination is None else examination.candidate
    how = f"Called as {candidate.signature.call(candidate.is_function)}"
    if examination is not None:
        how += f" in {str(candidate.dtype).removeprefix('torch.')}"
        how += "" if candidate.axis_order is BATCH_FIRST else f" with {candidate.axis_order.name}"
    if explained is not None and explained.projections is not None:
        layout, projections = explained.reading.layout, explained.projections
        how += f", {projections.n_heads} head{'s' if projections.n_heads > 1 else ''} of width {projections.head_width}"
        names = dict.fromkeys(name.rpartition(".")[0] or name for name in layout.names) if layout else ()
        how += f", weights of {', '.join(names)}" if names else ""
    return Report(candidate.name, how + ".", result.findings, result.notes, result.checked, result.unchecked)
