"""The stages about behaviour: other lengths, the output's precision, what a call leaves, a reference's weights."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import nn

from attnviz.checking.call.candidate import Answer
from attnviz.checking.call.inputs import Inputs
from attnviz.checking.call.isolation import twin, without_parametrizations
from attnviz.checking.find.examination import Examination, Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.find.unexplained import overwritten
from attnviz.checking.read.layouts import layouts_of
from attnviz.checking.read.projections import Numbers
from attnviz.checking.report import Finding, Measurement


def other_lengths(understood: Understood) -> Seen:
    """Cross-attention: more keys than queries."""
    examination = understood.examination
    if examination.candidate.signature.n_inputs == 1 or understood.explanation.variant.causal != "no":
        return Seen()
    inputs = examination.inputs(11, n_keys=examination.sizes.tokens + 4)
    try:
        ours = understood.explanation.values(inputs).out  # [B, Tq, D]
    except RuntimeError:
        return Seen()  # a fault already named has no meaning here
    answer = examination.ask(inputs)
    if answer.out is None:
        sentence = f"It runs only when queries and keys are equally many; with 4 keys more it stops: {answer.said}"
        fix = "take the number of keys from k, not from q: k.view(B, k.shape[1], H, d_head)"
        return Seen((Finding("needs-equal-lengths", sentence, fix),))
    if agrees(ours, answer.out.detach()):
        return Seen(checked=("more keys than queries",))
    measured = Measurement("largest difference", difference(ours, answer.out.detach()))
    sentence = "The output is right when queries and keys are equally many, and wrong when there are more keys."
    return Seen((Finding("cross-differs", sentence, "look for a length that was taken from q and belongs to k",
                         (measured,)),), checked=("more keys than queries",))  # fmt: skip


def left_behind(understood: Understood) -> Seen:
    """What a call changes: its inputs, its parameters, and the answer to the next call."""
    examination, inputs = understood.examination, understood.inputs
    plain = examination.ask(inputs)
    found: list[Finding] = []
    written = [name for name in plain.changed if name.startswith("input")]
    if written:
        found.append(overwritten(written))
    switched = [name for name in plain.changed if name.startswith("training")]
    if switched:
        found.append(Finding("state-changed", f"The call changes the layer itself: {', '.join(switched[:3])}.",
                             "forward should compute, not assign"))  # fmt: skip
    later = examination.ask(inputs, before=(examination.inputs(21),))
    if later.out is not None and plain.out is not None and agrees(plain.out.detach(), later.out.detach()):
        later = _after_another_length(examination, inputs) or later
    if later.out is None or plain.out is None or not agrees(plain.out.detach(), later.out.detach()):
        size = float("inf") if later.out is None or plain.out is None else difference(plain.out, later.out)
        sentence = "It remembers: after a call with another text, the same input gives another output"
        sentence += "." if later.out is not None else f", or an error: {later.said}"
        buffers = [name for name in plain.changed if name.startswith("buffer")]
        fix = f"look at {', '.join(buffers)}" if buffers else "look for self.something = … in forward"
        found.append(Finding("remembers", sentence, fix + "; reset it at the start of each call",
                             (Measurement("largest difference between the two outputs", size),)))  # fmt: skip
    return Seen(tuple(found), checked=("nothing stays behind",))


def _after_another_length(examination: Examination, inputs: Inputs) -> Answer | None:
    """The answer after a call with a shorter text, where there was one; something may be kept that has its length."""
    short = replace(examination, sizes=replace(examination.sizes, tokens=examination.sizes.tokens - 2)).inputs(22)
    return None if examination.ask(short).out is None else examination.ask(inputs, before=(short,))


def output_precision(understood: Understood) -> Seen:
    """Whether the output is as precise as the input, as the next layer expects."""
    came, expected = understood.answer.dtype, understood.examination.candidate.dtype
    if came == expected:
        return Seen()
    came_as, fed = (str(dtype).removeprefix("torch.") for dtype in (came, expected))
    sentence = (
        f"The output comes in {came_as} for an input in {fed}: a next layer that is not in {came_as} stops with an "
        "error."
    )
    return Seen(notes=(Finding("output-precision", sentence, "return out.to(x.dtype)"),))


def same_weights(subject: nn.Module, reference: nn.Module) -> Seen:
    """Whether the layer a person compares with holds the same numbers: else comparing the two says nothing."""
    mine, theirs = _numbers(subject), _numbers(reference)
    if not mine or not theirs:
        lacking = type(subject if not mine else reference).__name__
        sentence = f"No matrices for q, k and v were found in {lacking}, so the two cannot be compared."
        return Seen((Finding("cannot-compare", sentence, "name them q_proj, k_proj, v_proj and out_proj"),))
    gaps = [_gap(one, other) for one in mine for other in theirs]
    size, where = min(gaps)
    if size == 0:
        return Seen(checked=("the reference has the same weights",))
    sentence = (
        f"The two layers do not hold the same weights, first {where}: comparing their outputs says nothing about the "
        "code. What follows was checked with your layer's own weights."
    )
    fix = "copy them first: mine.w_q.weight.data.copy_(theirs.w_q.weight), and so for k, v, out and the biases"
    return Seen((Finding("weights-not-copied", sentence, fix,
                         (Measurement("largest difference between the weights", size),)),))  # fmt: skip


def _numbers(module: nn.Module) -> list[Numbers]:
    copied = twin(module)
    module = module if copied is None else without_parametrizations(copied)
    parameters = {n: p.detach().to("cpu", torch.float64) for n, p in module.named_parameters(remove_duplicate=False)}
    return [layout.build(parameters) for layout in layouts_of(module)[:8]]


def _gap(one: Numbers, other: Numbers) -> tuple[float, str]:
    """The largest difference, and the first place where there is one."""
    worst, first = 0.0, ""
    for kind, mine, theirs in (("W", one.weight, other.weight), ("b", one.bias, other.bias)):
        for letter in "qkvo":
            if letter not in mine and letter not in theirs:
                continue
            a, b = mine.get(letter), theirs.get(letter)
            size = float("inf") if a is None or b is None else difference(a, b)
            first = first or (f"{kind}_{letter.upper()}" if size else "")
            worst = max(worst, size)
    return worst, first
