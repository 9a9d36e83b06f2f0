"""Compares the gradients of the inputs, and of every parameter that was read, with ours."""

from collections.abc import Mapping

import torch
from torch import Tensor

from attnviz.checking.call.candidate import Answer, first_line
from attnviz.checking.call.inputs import draw
from attnviz.checking.find.examination import Run
from attnviz.checking.find.faults import DETACHED, Fault
from attnviz.checking.find.mistaken_attention import attention
from attnviz.checking.find.search import agrees, gap
from attnviz.checking.report import Measurement, StageResult, checked, fault, unchecked

Gradients = dict[str, Tensor]


def gradients(run: Run) -> StageResult:
    """Compare every gradient of one weighted sum of the output."""
    if bool(run.theirs.isnan().any()):
        return unchecked("gradients: the output has NaN")
    if any(name.startswith("parameter ") for name in run.answer.changed):
        return unchecked("gradients: until the call leaves its parameters alone")
    answer = run.call(grad=True)
    if answer.out is None:
        sentence = f"It runs without gradients and stops with an error with them: {answer.message}"
        return fault("raises-with-gradients", sentence, "look for an operation that writes into its input, or .numpy()")
    ours = _ours(run)
    if not answer.out.requires_grad:
        sentence = "The output carries no gradient at all: nothing in this layer can learn."
        fix = "look for torch.no_grad(), .detach(), .data or torch.tensor(…) around the whole of it"
        largest = max(float(grad.abs().max()) for grad in ours.values())
        return fault("gradient-dead", sentence, fix, Measurement("largest gradient expected", largest))
    try:
        theirs = _theirs(run, answer)
    except RuntimeError as error:
        sentence = f"The backward pass stops with an error: {first_line(error)}"
        fix = "an operation in place (+=, .mul_(), out=…) overwrote what the gradient needs: use the one without _"
        return fault("gradient-raises", sentence, fix)
    if _same(ours, theirs):
        return checked("gradients")
    cut = next((one for one in DETACHED if _same(_ours(run, one), theirs)), None)
    if cut is not None:
        dead = [name for name in ours if not bool(theirs[name].any()) and bool(ours[name].any())][:4]
        labels = [f"largest gradient of {name}, expected {ours[name].abs().max():.3g}" for name in dead]
        measured = [Measurement(label, 0.0) for label in labels]
        return checked("gradients") + fault(cut.id, cut.sentence, cut.fix, *measured)
    name = next(name for name in ours if not agrees(ours[name], theirs[name]))
    what = "is zero" if not bool(theirs[name].any()) else "is wrong"
    sentence = f"The gradient of {name} {what}, unlike the output, and no known cut explains it."
    differs = gap(f"largest difference of the gradient of {name}", ours[name], theirs[name])
    return fault("gradient-differs", sentence, "look for .detach(), .data, or a custom backward", differs)


def _ours(run: Run, cut: Fault | None = None) -> Gradients:
    """The gradients of ours with the faults that are known, and with one cut."""
    layout, count = run.reading.layout, run.candidate.signature.n_inputs
    fed = [x.clone().requires_grad_() for x in run.inputs[:count]]
    query, key, value = (fed[min(place, count - 1)] for place in range(3))  # x alone is all three
    leaves = run.candidate.parameters()
    projections = layout.build(leaves) if layout else None
    reading = run.reading.having(cut) if cut else run.reading
    out = attention((query, key, value), projections, reading.variant).out  # [B, T, d_model]
    return _gradients(out, fed, {name: leaves[name] for name in (layout.names if layout else ())})


def _theirs(run: Run, answer: Answer) -> Gradients:
    assert answer.out is not None  # checked before
    layout, axis_order = run.reading.layout, run.candidate.axis_order
    leaves = {name: answer.leaves[name] for name in layout.names} if layout else {}
    gradients = _gradients(answer.out, list(answer.inputs), leaves)
    for i, x in enumerate(run.inputs[: len(answer.inputs)], 1):
        gradients[f"input {i}"] = axis_order.restored(gradients[f"input {i}"], tuple(x.shape))
    return gradients


def _gradients(out: Tensor, inputs: list[Tensor], leaves: Mapping[str, Tensor]) -> Gradients:
    named = {f"input {i}": x for i, x in enumerate(inputs, 1)} | dict(leaves)
    if not out.requires_grad:
        return {name: torch.zeros(x.shape, dtype=torch.float64) for name, x in named.items()}
    weighted = (out * draw(tuple(out.shape), 99).to(out)).sum()
    grads = torch.autograd.grad(weighted, list(named.values()), allow_unused=True)
    return {
        name: (torch.zeros_like(x) if grad is None else grad).detach().double()
        for (name, x), grad in zip(named.items(), grads, strict=True)
    }


def _same(ours: Gradients, theirs: Gradients) -> bool:
    return all(agrees(ours[name], theirs[name]) for name in ours)
