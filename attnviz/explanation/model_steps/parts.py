"""What embedding, block and vocabulary are made of: points of the stream, and sums, products and norms as steps."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.site import Stack
from attnviz.explanation.head_view import first_name
from attnviz.explanation.matrices import ONE, Axis, Matrix, Reading, StepMatrix
from attnviz.explanation.model_steps.table import BY_NAME
from attnviz.explanation.recompute import proved
from attnviz.trace.trace import Trace


def tokens_of(trace: Trace, stack: Stack) -> Axis:
    """The tokens that a stack reads, as an axis."""
    tokens = trace.tokens.target if stack == "decoder" and trace.tokens.target is not None else trace.tokens.source
    names = tuple(tokens.name(at) for at in range(len(tokens)))
    return Axis("token", "T", len(tokens), names, "target" if tokens is trace.tokens.target else "source")


def features(n: int, letter: str = "D") -> Axis:
    return Axis("feature", letter, n)


def state(trace: Trace, stack: Stack, point: str, name: str = "X", values: Tensor | None = None) -> Matrix:
    """A point of the residual stream, or numbers made from it: [T, D]."""
    values = trace.stream[point] if values is None else values  # [T, D]
    return Matrix(first_name(point), name, values, tokens_of(trace, stack), features(values.shape[-1]))


def add_step(trace: Trace, name: str, group: str, written: Matrix, parts: Sequence[Matrix]) -> StepMatrix:
    """What parts add up to."""
    return proved(StepMatrix(BY_NAME[name], group, written, tuple(Reading(part) for part in parts)), trace.edits)


def product_step(
    trace: Trace, name: str, group: str, read: Matrix, weight: Tensor, bias: Tensor | None, *, key: str, shown: str,
    columns: Axis, symbol: str,
) -> StepMatrix:  # fmt: skip
    """x · W + b, with the weight as torch stores it, [out, in].

    Args:
        symbol: the weight's own sign, W_1. shown: the name of what is written.
    """
    stored = Matrix(f"{key}.w", f"{symbol}ᵀ", weight, columns, read.columns, turned_name=symbol)  # [out, in]
    own = None if bias is None else Matrix(f"{key}.b", symbol.replace("W", "b"), bias[None], ONE, columns)  # [1, out]
    values = ops.project(read.values, stored.values, None if own is None else own.values[0])  # [T, out]
    written = Matrix(key, shown, values, read.rows, columns)
    return proved(
        StepMatrix(BY_NAME[name], group, written, (Reading(read), Reading(stored, is_turned=True)), own), trace.edits
    )


def norm_step(
    trace: Trace, name: str, read: Matrix, point: str, *, key: str, shown: str = "norm",
    written: Tensor | None = None,
) -> StepMatrix:  # fmt: skip
    """Layer norm with mean, variance and normalised row beside it.

    Args:
        point: where the trace has gain, shift and eps. shown: the name of what is written.
        written: what the run itself has, [T, D]; made with `ops.normalise` if not given.
    """
    own = trace.parameters(point)
    gain, shift, eps = own["gain"].float().cpu(), own["shift"].float().cpu(), float(own["eps"])  # [D], [D]
    x = read.values.double()  # [T, D]
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)  # [T, 1]
    normalised = (x - mean) / torch.sqrt(variance + eps)  # [T, D]
    extras = {
        "mean": Matrix(f"{key}.mean", "mean", mean, read.rows, ONE),
        "variance": Matrix(f"{key}.variance", "variance", variance, read.rows, ONE),
        "normalised": Matrix(f"{key}.normalised", "normalised", normalised, read.rows, read.columns),
        "gain": Matrix(f"{key}.gain", "gain", gain[None], ONE, read.columns),
        "shift": Matrix(f"{key}.shift", "shift", shift[None], ONE, read.columns),
    }
    values = ops.normalise(read.values, gain, shift, eps) if written is None else written  # [T, D]
    result = Matrix(key, shown, values, read.rows, read.columns)
    facts = {"epsilon": eps, "width": float(read.columns.size)}
    return proved(StepMatrix(BY_NAME[name], name, result, (Reading(read),), extras=extras, facts=facts), trace.edits)
