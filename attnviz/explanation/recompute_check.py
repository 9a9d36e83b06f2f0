"""Recomputes every number of a step in float64 from what the step reads, and says how far the run's own numbers are."""

import math
from dataclasses import replace

import torch
from torch import Tensor

from attnviz.explanation.cell_rules import RULES
from attnviz.explanation.matrices import Matrix, RunStep
from attnviz.trace.trace import Trace

CELL_TOLERANCE = 1e-5  # of the matrix's largest value: what float32 rounding explains
COARSEST = 4e-2  # what the rounding of a run in bfloat16 explains


def checked(step: RunStep, trace: Trace) -> RunStep:
    """The step with its difference from its own rule.

    Where the rule gives another matrix, the step loses its operands and gets a note: an edit of the run replaced the
    matrix, or the trace was given other ids or parameters than the model read.
    """
    difference = relative_difference(step.result, RULES[step.rule].matrix(step))
    if difference > (CELL_TOLERANCE if trace.edits else COARSEST):
        note = "step-note-edited" if trace.edits else "step-note-not-so"
        return replace(step, operands=(), bias=None, extras={}, difference=difference, note=note)
    return replace(step, difference=difference)


def relative_difference(result: Matrix, recomputed: Tensor) -> float:
    """The largest difference, as a share of the largest value (or absolute where that is below 1e-6); ∞ where one
    holds −∞ or NaN and the other does not.
    """
    ours = result.values.double()  # [rows, columns]
    finite = torch.isfinite(ours)  # [rows, columns]
    if not torch.equal(finite, torch.isfinite(recomputed)) or not torch.equal(ours[~finite], recomputed[~finite]):
        return math.inf
    if not bool(finite.any()):
        return 0.0
    largest = result.largest if result.largest > 1e-6 else 1.0
    return float((ours - recomputed)[finite].abs().max()) / largest
