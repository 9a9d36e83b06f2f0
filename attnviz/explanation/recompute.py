"""Every number of a step made again at once, in float64, from what the step reads: a step's own proof."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.explanation.matrices import Matrix, StepMatrix

CELL_TOLERANCE = 1e-5  # of the matrix's largest value: what float32 rounding explains
COARSEST = 4e-2  # what the rounding of a run in bfloat16 explains


def remade(step: StepMatrix) -> Tensor:
    """The written matrix as the rule makes it of the operands: float64 [rows, columns]."""
    return _WHOLE[step.rule](step)


def proved(step: StepMatrix, edits: tuple[str, ...]) -> StepMatrix:
    """The step with its difference from its own rule. A matrix that its rule does not make loses its operands and gets
    the sentence that says so: an edit replaced it, or what was handed to the trace is not what the model read.
    """
    difference = off_by(step.written, remade(step))
    if difference > (CELL_TOLERANCE if edits else COARSEST):
        note = "step-note-edited" if edits else "step-note-not-so"
        return replace(step, operands=(), bias=None, extras={}, difference=difference, note=note)
    return replace(step, difference=difference)


def off_by(written: Matrix, again: Tensor) -> float:
    """The largest difference, in largest values of the matrix (or 1 where that is smaller than 1e-6); ∞ where one
    holds −∞ or NaN and the other does not.
    """
    ours = written.values.double()  # [rows, columns]
    finite = torch.isfinite(ours)  # [rows, columns]
    if not torch.equal(finite, torch.isfinite(again)) or not torch.equal(ours[~finite], again[~finite]):
        return math.inf
    if not bool(finite.any()):
        return 0.0
    largest = written.largest if written.largest > 1e-6 else 1.0
    return float((ours - again)[finite].abs().max()) / largest


def _o(step: StepMatrix, at: int = 0) -> Tensor:
    return step.operands[at].values.double()  # [rows, columns]


def _lookup(step: StepMatrix) -> Tensor:
    places = torch.tensor([step.ids.index(int(number)) for number in step.operands[0].values[:, 0]])  # [rows]
    return _o(step, 1)[places]  # [rows, columns]


def _position(step: StepMatrix) -> Tensor:
    rows, columns = step.written.rows, step.written.columns
    place = torch.arange(rows.start, rows.stop, dtype=torch.float64)[:, None] + float(step.facts.get("offset", 0))
    column = torch.arange(columns.start, columns.stop)  # [columns]
    base, width = float(step.facts["base"]), float(step.facts["width"])
    angle = place * torch.exp(-math.log(base) * (column - column % 2).double() / width)  # [rows, columns]
    return torch.where(column % 2 == 1, angle.cos(), angle.sin())  # [rows, columns]


def _product(step: StepMatrix) -> Tensor:
    again = _o(step) @ _o(step, 1)  # [rows, inner] @ [inner, columns]
    for part in (step.bias, step.rest):
        if part is not None:
            again = again + part.values.double()  # [rows, columns]
    return again


def _sum(step: StepMatrix) -> Tensor:
    again = _o(step)  # [rows, columns]
    for at in range(1, len(step.operands)):
        again = again + _o(step, at)
    return again


def _scale(step: StepMatrix) -> Tensor:
    return _o(step) * math.prod(step.factors.values())  # [rows, columns]


def _cap(step: StepMatrix) -> Tensor:
    c = float(step.facts["cap"])
    return c * torch.tanh(_o(step) / c)  # [rows, columns]


def _activation(step: StepMatrix) -> Tensor:
    x = _o(step)  # [rows, columns]
    curves: dict[str, Callable[[Tensor], Tensor]] = {
        "relu": torch.relu,
        "gelu": torch.nn.functional.gelu,
        "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    }
    return curves[str(step.facts["curve"])](x)  # [rows, columns]


def _softmax(step: StepMatrix) -> Tensor:
    highest = step.extras["highest"].values.double()  # [rows, 1]
    raised = torch.where(highest == -math.inf, 0.0, highest)  # [rows, 1]
    exp = torch.exp(_o(step) - raised)  # [rows, columns]; exp(−∞) = 0
    total = exp.sum(-1, keepdim=True)  # [rows, 1]
    if "sink" in step.facts:
        total = total + torch.exp(float(step.facts["sink"]) - raised)
    if step.rest is not None:
        total = total + step.rest.values.double()
    return torch.where(total > 0, exp / total, 0.0)  # [rows, columns]


def _norm(step: StepMatrix) -> Tensor:
    mean, variance = (step.extras[name].values.double() for name in ("mean", "variance"))  # [rows, 1]
    gain, shift = (step.extras[name].values.double() for name in ("gain", "shift"))  # [1, columns]
    return (_o(step) - mean) / torch.sqrt(variance + float(step.facts["epsilon"])) * gain + shift  # [rows, columns]


def _split(step: StepMatrix) -> Tensor:
    whole, columns = step.operands[0], step.written.columns
    first = int(step.facts["first"]) + columns.start - whole.columns.start
    return _o(step)[:, first : first + columns.count]  # [rows, columns]


def _concat(step: StepMatrix) -> Tensor:
    whole = torch.cat([reading.values.double() for reading in step.operands], dim=-1)  # [rows, H·Dv]
    return whole[:, step.written.columns.start : step.written.columns.stop]  # [rows, columns]


_WHOLE: dict[str, Callable[[StepMatrix], Tensor]] = {
    "lookup": _lookup, "position": _position, "product": _product, "add": _sum, "mask": _sum, "scale": _scale,
    "cap": _cap, "activation": _activation, "softmax row": _softmax, "norm row": _norm, "split": _split,
    "concat": _concat,
}  # fmt: skip
