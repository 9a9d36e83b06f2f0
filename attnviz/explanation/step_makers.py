"""Makes steps: sums, products and norms, of matrices and of points of the residual stream.

Nothing is compared with the rules here; `cell_rules.checked` does that once a step is to be shown.
"""

from dataclasses import replace

from torch import Tensor

from attnviz.core import ops
from attnviz.core.site import Site, Stack
from attnviz.explanation.head_view import features, first_name, token_axis
from attnviz.explanation.matrices import ONE, Axis, Matrix, RunStep
from attnviz.explanation.steps import BIASED, PRODUCT, RMS_LINE, RMS_NORM
from attnviz.trace.trace import Trace


def stack_tokens(trace: Trace, stack: Stack) -> Axis:
    return token_axis(trace, trace.query_tokens(Site(stack, "self", 0)))


def state(trace: Trace, stack: Stack, point: str, name: str = "X", values: Tensor | None = None) -> Matrix:
    """A point of the residual stream, or numbers made from it: [T, d_model]."""
    values = trace.stream[point] if values is None else values  # [T, d_model]
    return Matrix(first_name(point), name, values, stack_tokens(trace, stack), features(values.shape[-1]))


def product(key: str, shown: str, read: Matrix, weight: Tensor, bias: Tensor | None, columns: Axis) -> Matrix:
    """x · W + b, which the trace does not hold: [T, out]. The weight is as torch stores it, [out, in]."""
    bias = None if bias is None else bias.detach().float().cpu()  # [out]
    values = ops.project(read.values, weight.detach().float().cpu(), bias)  # [T, out]
    return Matrix(key, shown, values, read.rows, columns)


def product_step(
    name: str, result: Matrix, read: Matrix, weight: Tensor, bias: Tensor | None, symbol: str, head: int | None = None
) -> RunStep:
    """The step that wrote x · W + b; symbol is what the weight is called, such as W_1."""
    key, columns, role = result.key, result.columns, result.role
    # [out, in]
    stored = Matrix(f"{key}.w", f"{symbol}ᵀ", weight, columns, read.columns, role=role, transposed_name=symbol)
    added = None
    if bias is not None:
        added = Matrix(f"{key}.b", symbol.replace("W", "b"), bias[None], ONE, columns, role=role)  # [1, out]
    made = RunStep.of(name, result, read, stored.transposed, bias=added, head=head)
    is_other_line = added is None and made.definition.line == BIASED
    return replace(made, definition=replace(made.definition, line=PRODUCT)) if is_other_line else made


def norm_step(
    trace: Trace, name: str, read: Matrix, point: str, *, key: str, shown: str = "norm", values: Tensor | None = None
) -> RunStep:
    """Layer norm, with the mean and the variance of each row beside it; RMSNorm where the trace has no shift.

    Args:
        point: where the trace has gain, shift and eps. shown: the name of the result.
        values: the result of the run itself, [T, d_model]; computed with `ops.normalise` if not given.
    """
    held = trace.parameters(point)
    if "shift" not in held:
        made = rms_norm_step(name, read, held["gain"], float(held["eps"]), key=key, shown=shown, values=values)
        words = "rms-norm" if made.definition.words == "norm" else made.definition.words
        definition = replace(
            made.definition, rule="rms row", formula=RMS_NORM, code=ops.rms_normalise, line=RMS_LINE, words=words
        )
        return replace(made, definition=definition)
    gain, shift = held["gain"].float().cpu(), held["shift"].float().cpu()  # [d_model] each
    eps = float(held["eps"])
    x = read.values.double()  # [T, d_model]
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)  # [T, 1]
    extras = {
        "mean": (mean, read.rows, ONE),
        "variance": (variance, read.rows, ONE),
        "gain": (gain[None], ONE, read.columns),
        "shift": (shift[None], ONE, read.columns),
    }
    values = ops.normalise(read.values, gain, shift, eps) if values is None else values  # [T, d_model]
    return RunStep.of(
        name,
        Matrix(key, shown, values, read.rows, read.columns),
        read,
        extras={extra: Matrix(f"{key}.{extra}", extra, *parts) for extra, parts in extras.items()},
        facts={"epsilon": eps, "width": float(read.columns.size)},
    )


def rms_norm_step(
    name: str, read: Matrix, gain: Tensor, eps: float, *, key: str, shown: str = "norm", values: Tensor | None = None,
    head: int | None = None,
) -> RunStep:  # fmt: skip
    """RMSNorm, with the mean square of each row beside it; the arguments are those of `norm_step`."""
    gain = gain.float().cpu()  # [width]
    square = read.values.double().square().mean(-1, keepdim=True)  # [T, 1]
    values = ops.rms_normalise(read.values, gain, eps) if values is None else values  # [T, width]
    return RunStep.of(
        name,
        Matrix(key, shown, values, read.rows, read.columns, role=read.role),
        read,
        extras={
            "square": Matrix(f"{key}.square", "square", square, read.rows, ONE),
            "gain": Matrix(f"{key}.gain", "gain", gain[None], ONE, read.columns),
        },
        facts={"epsilon": eps, "width": float(read.columns.size)},
        head=head,
    )
