"""Makes the steps around attention: sums, products and norms, from points of the residual stream."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviz.core import ops
from attnviz.core.site import Site, Stack
from attnviz.explanation.cell_rules import checked
from attnviz.explanation.head_view import features, first_name, token_axis
from attnviz.explanation.matrices import ONE, Axis, Matrix, Operand, RunStep
from attnviz.explanation.steps import BY_NAME
from attnviz.trace.trace import Trace


def stack_tokens(trace: Trace, stack: Stack) -> Axis:
    return token_axis(trace, trace.query_tokens(Site(stack, "self", 0)))


def state(trace: Trace, stack: Stack, point: str, name: str = "X", values: Tensor | None = None) -> Matrix:
    """A point of the residual stream, or numbers made from it: [T, d_model]."""
    values = trace.stream[point] if values is None else values  # [T, d_model]
    return Matrix(first_name(point), name, values, stack_tokens(trace, stack), features(values.shape[-1]))


def add_step(trace: Trace, name: str, result: Matrix, addends: Sequence[Matrix]) -> RunStep:
    step = RunStep(BY_NAME[name], result, tuple(Operand(addend) for addend in addends))
    return checked(step, trace)


def product_step(
    trace: Trace, name: str, read: Matrix, weight: Tensor, bias: Tensor | None, *, key: str, shown: str,
    columns: Axis, symbol: str,
) -> RunStep:  # fmt: skip
    """x · W + b, with the weight as torch stores it, [out, in].

    Args:
        symbol: what the weight is called, W_1. shown: the name of the result.
    """
    stored = Matrix(f"{key}.w", f"{symbol}ᵀ", weight, columns, read.columns, transposed_name=symbol)  # [out, in]
    added = None if bias is None else Matrix(f"{key}.b", symbol.replace("W", "b"), bias[None], ONE, columns)  # [1, out]
    values = ops.project(read.values, stored.values, None if added is None else added.values[0])  # [T, out]
    result = Matrix(key, shown, values, read.rows, columns)
    step = RunStep(BY_NAME[name], result, (Operand(read), stored.transposed), added)
    return checked(step, trace)


def norm_step(
    trace: Trace, name: str, read: Matrix, point: str, *, key: str, shown: str = "norm", values: Tensor | None = None
) -> RunStep:
    """Layer norm, with the mean, the variance and the normalised row beside it.

    Args:
        point: where the trace has gain, shift and eps. shown: the name of the result.
        values: the result of the run itself, [T, d_model]; computed with `ops.normalise` if not given.
    """
    own = trace.parameters(point)
    gain, shift, eps = own["gain"].float().cpu(), own["shift"].float().cpu(), float(own["eps"])  # [d_model], [d_model]
    x = read.values.double()  # [T, d_model]
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)  # [T, 1]
    extras = {
        "mean": (mean, read.rows, ONE),
        "variance": (variance, read.rows, ONE),
        "normalised": ((x - mean) / torch.sqrt(variance + eps), read.rows, read.columns),
        "gain": (gain[None], ONE, read.columns),
        "shift": (shift[None], ONE, read.columns),
    }
    values = ops.normalise(read.values, gain, shift, eps) if values is None else values  # [T, d_model]
    step = RunStep(
        BY_NAME[name],
        Matrix(key, shown, values, read.rows, read.columns),
        (Operand(read),),
        extras={extra: Matrix(f"{key}.{extra}", extra, *parts) for extra, parts in extras.items()},
        facts={"epsilon": eps, "width": float(read.columns.size)},
    )
    return checked(step, trace)
