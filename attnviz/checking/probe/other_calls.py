"""The same layer called otherwise: without gradients, with its switches at their defaults, after another mask."""

from __future__ import annotations

from torch import Tensor

from attnviz.checking.call.candidate import Answer
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.masked import Masked
from attnviz.checking.probe.other_sizes import wrong_where
from attnviz.checking.report import Finding, Measurement


def without_gradients(understood: Understood) -> Seen:
    """Under torch.no_grad(), as in use."""
    answer = understood.examination.ask(understood.inputs, has_gradients=False)
    return _compared(understood, answer, "torch.no_grad()", "under", "no-grad-differs", "right with gradients")


def switches_left(understood: Understood) -> Seen:
    """With the switches that ask for weights as they are by themselves: often another piece of code."""
    switches = understood.examination.candidate.signature.switches
    if not switches:
        return Seen()
    flags = {name: not value for name, value in switches}
    answer = understood.examination.ask(understood.inputs, flags=flags)
    name, value = next(iter(flags.items()))
    return _compared(understood, answer, f"{name}={value}", "with", "switch-differs", f"right with {name}={not value}")


def _compared(understood: Understood, answer: Answer, what: str, how: str, id: str, otherwise: str) -> Seen:
    ours = understood.explanation.values(understood.inputs).out  # [B, T, D]
    if answer.out is None:
        sentence = f"{how.capitalize()} {what} it stops with an error: {answer.said}"
        return Seen((Finding(id, sentence, "run it so and read the traceback"),))
    theirs = answer.out.detach()
    if agrees(ours, theirs):
        return Seen(checked=(what,))
    return Seen((wrong_where(understood, ours, theirs, f"{how} {what}", otherwise, id),))


def mask_after_mask(masked: Masked) -> Seen:
    """After a call with another mask: whether that one is kept, for a call with a mask or for one without."""
    allowed, inputs = masked.some(), masked.understood.inputs
    written = masked.convention.write(allowed, masked.sizes[0])
    earlier = masked.convention.hiding_nothing(inputs)
    answer = masked.understood.examination.ask(
        inputs, written, mask_name=masked.name, before=(inputs,), before_mask=earlier
    )
    right = masked.values(allowed).out  # [B, T, D]
    if answer.out is not None and agrees(right, answer.out.detach()):
        return _without_after_mask(masked, written)
    gap = float("inf") if answer.out is None else difference(right, answer.out.detach())
    sentence = f"It remembers: after a call with another mask, the same {masked.name} gives another output"
    sentence += "." if answer.out is not None else f", or an error: {answer.said}"
    fix = "look for self.mask = … in forward; a mask belongs to its call"
    return Seen((Finding("remembers", sentence, fix, (Measurement("largest difference from the right output", gap),)),))


def _without_after_mask(masked: Masked, written: Tensor) -> Seen:
    """A call without a mask, after one with it."""
    understood, inputs = masked.understood, masked.understood.inputs
    first = understood.examination.ask(inputs)  # what it gives without one, right or not: another stage says that
    answer = understood.examination.ask(inputs, mask_name=masked.name, before=(inputs,), before_mask=written)
    if first.out is None or answer.out is None or agrees(first.out.detach(), answer.out.detach()):
        return Seen()
    sentence = f"It remembers: after a call with {masked.name}, a call without one gives another output."
    fix = "look for self.mask = … in forward; a mask belongs to its call"
    gap = difference(first.out.detach(), answer.out.detach())
    return Seen((Finding("remembers", sentence, fix, (Measurement("largest difference from a first call", gap),)),))
