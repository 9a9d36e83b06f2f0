"""Checks that the reference layer has the same weights; otherwise comparing the two is meaningless."""

import math

import torch
from torch import nn

from attnviz.checking.call.refusals import not_runnable
from attnviz.checking.find.search import difference
from attnviz.checking.read.layouts import Projections, layouts_of, parameters_of
from attnviz.checking.report import Measurement, StageResult, checked, fault


def same_weights(subject: object, reference: nn.Module | None) -> StageResult:
    if reference is None or not isinstance(subject, nn.Module):
        return StageResult()
    refused = not_runnable(reference, "reference")
    if refused is not None:
        return StageResult((refused,))
    mine, theirs = _projections(subject), _projections(reference)
    if not mine or not theirs:
        sentence = "No matrices for q, k and v were found in both, so the two cannot be compared."
        return fault("cannot-compare", sentence, "name them q_proj, k_proj, v_proj and out_proj")
    _, size, where = min(_difference(one, other) for one in mine for other in theirs)
    if size == 0:
        return checked("the reference has the same weights")
    sentence = (
        f"The two layers do not hold the same weights, first {where}: comparing their outputs says nothing about the "
        "code. What follows was checked with your layer's own weights."
    )
    fix = "copy them first: mine.w_q.weight.data.copy_(theirs.w_q.weight), and so for k, v, out and the biases"
    return fault("weights-not-copied", sentence, fix, Measurement("largest difference between the weights", size))


def _projections(module: nn.Module) -> list[Projections]:
    parameters = {name: tensor.to("cpu", torch.float64) for name, tensor in parameters_of(module).items()}
    return [layout.build(parameters) for layout in layouts_of(module)[:8]]


def _difference(one: Projections, other: Projections) -> tuple[int, float, str]:
    """How many matrices and biases differ, by how much at most, and the first that does."""
    sizes = {
        f"{kind}_{letter.upper()}": difference(mine[letter], theirs.get(letter)) if letter in mine else math.inf
        for kind, mine, theirs in (("W", one.weight, other.weight), ("b", one.bias, other.bias))
        for letter in "qkvo"
        if letter in mine or letter in theirs
    }
    differing = [name for name, size in sizes.items() if size]
    return len(differing), max(sizes.values()), next(iter(differing), "")
