"""The stage that compares gradients, of the inputs and of every parameter that was read, with ours."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.utils.checkpoint import CheckpointError

from attnviz.checking.call.candidate import Answer, first_line
from attnviz.checking.call.inputs import draw
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.fault import Fault
from attnviz.checking.find.faults import DETACHED
from attnviz.checking.find.mistaken import attention
from attnviz.checking.find.search import agrees, changed, difference
from attnviz.checking.report import Finding, Measurement

Gradients = dict[str, Tensor]


def gradients_flow(understood: Understood, training: bool = False) -> Seen:
    """Compare every gradient of one weighted sum of the output; in training mode where that is asked for."""
    if understood.answer.out is not None and bool(understood.answer.out.isnan().any()):
        return Seen(unchecked=("gradients: the output has NaN",))
    answer = understood.examination.ask(understood.inputs, grad=True, training=training)
    if answer.out is None:
        return Seen((Finding("raises-with-gradients",
                             f"It runs without gradients and stops with an error with them: {answer.said}",
                             "look for an operation that writes into its input, or .numpy()"),))  # fmt: skip
    ours = _ours(understood, None)
    if not answer.out.requires_grad:
        return Seen((Finding("gradient-dead", "The output carries no gradient at all: nothing in this layer can learn.",
                             "look for torch.no_grad(), .detach(), .data or torch.tensor(…) around the whole of it",
                             (Measurement("largest gradient expected", _largest(ours)),)),))  # fmt: skip
    try:
        theirs = _theirs(understood, answer)
    except RuntimeError as error:
        if understood.examination.candidate.is_calm and isinstance(error, CheckpointError):
            why = "torch.utils.checkpoint computes parts again in the backward pass, where dropout is back"
            return Seen(unchecked=(f"gradients, with dropout taken out: {why}",))
        return Seen((Finding("gradient-raises", f"The backward pass stops with an error: {first_line(error)}",
                             "an operation in place (+=, .mul_(), out=…) overwrote what the gradient needs: "
                             "use the one that makes a new tensor"),))  # fmt: skip
    if _same(ours, theirs):
        return Seen(checked=("gradients",))
    for fault in DETACHED:
        if _same(_ours(understood, fault), theirs):
            return Seen((_cut(fault, ours, theirs),), checked=("gradients",))
    return Seen((_wrong(ours, theirs),), checked=("gradients",))


def _ours(understood: Understood, fault: Fault | None) -> Gradients:
    """The gradients of ours, with the faults that are known, and one more."""
    explanation, candidate = understood.explanation, understood.examination.candidate
    count = candidate.signature.n_inputs
    fed = [x.clone().requires_grad_() for x in understood.inputs[:count]]
    query, key, value = (fed[min(place, count - 1)] for place in range(3))  # x alone is all three
    leaves = candidate.parameters()
    layout = explanation.reading.layout
    numbers = layout.build(leaves) if layout else explanation.reading.numbers
    variant = changed(explanation.variant, (fault,) if fault else ())
    out = attention((query, key, value), numbers, variant).out  # [B, T, D]
    names = layout.names if layout else ()
    return _gradients(out, fed, {name: leaves[name] for name in names})


def _theirs(understood: Understood, answer: Answer) -> Gradients:
    assert answer.out is not None  # checked before
    layout = understood.explanation.reading.layout
    leaves = {name: answer.leaves[name] for name in layout.names} if layout else {}
    found = _gradients(answer.out, list(answer.inputs), leaves)
    arrangement, fed = understood.examination.candidate.arrangement, understood.inputs
    for name, grad in found.items():
        if name.startswith("input "):
            found[name] = arrangement.back(grad, tuple(fed[int(name.split()[1]) - 1].shape))
    return found


def _gradients(out: Tensor, inputs: list[Tensor], leaves: Mapping[str, Tensor]) -> Gradients:
    named = {f"input {i}": x for i, x in enumerate(inputs, 1)} | dict(leaves)
    weighted = (out * draw(tuple(out.shape), 99).to(out)).sum()
    if not out.requires_grad:
        return {name: torch.zeros(x.shape, dtype=torch.float64) for name, x in named.items()}
    grads = torch.autograd.grad(weighted, list(named.values()), allow_unused=True)
    return {
        name: (torch.zeros_like(x) if grad is None else grad).detach().to("cpu", torch.float64)
        for (name, x), grad in zip(named.items(), grads, strict=True)
    }


def _same(ours: Gradients, theirs: Gradients) -> bool:
    return all(agrees(ours[name], theirs[name]) for name in ours)


def _largest(gradients: Gradients) -> float:
    return max(float(grad.abs().max()) for grad in gradients.values())


def _cut(fault: Fault, ours: Gradients, theirs: Gradients) -> Finding:
    dead = [name for name in ours if not bool(theirs[name].any()) and bool(ours[name].any())]
    evidence = tuple(
        Measurement(f"largest gradient of {n}, expected {float(ours[n].abs().max()):.3g}", 0.0) for n in dead[:4]
    )
    return Finding(fault.id, fault.sentence, fault.fix, evidence)


def _wrong(ours: Gradients, theirs: Gradients) -> Finding:
    name = next(name for name in ours if not agrees(ours[name], theirs[name]))
    what = "is NaN" if bool(theirs[name].isnan().any()) else "is zero" if not bool(theirs[name].any()) else "is wrong"
    return Finding(
        "gradient-differs",
        f"The gradient of {name} {what}, unlike the output, and no known cut explains it.",
        "look for .detach(), .data, a custom backward, or values copied out of the graph",
        (Measurement(f"largest difference of the gradient of {name}", difference(ours[name], theirs[name])),),
    )
