"""The table of steps: what each step of attention reads and writes, and by which rule one cell is made.

A step is data. The stepper, the explanations, the exports and the tests all iterate over this table; adding a step is
adding a row. `code` is the function that runs, so that its line can be read by `inspect` and cannot drift.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from . import ops

Rule = Literal["product", "scale", "cap", "add", "softmax row"]
Axis = Literal["query", "key", "feature"]


@dataclass(frozen=True)
class Step:
    """One step: `reads` -> `writes`, cell by cell."""

    name: str  # also the name of what it writes, in records and in `explain`
    reads: tuple[str, ...]
    writes: str
    axes: tuple[Axis, Axis]  # row and column of what it writes
    rule: Rule
    formula: str
    code: Callable[..., Any]
    says: str  # message id: one explanation of at most 45 words
    try_this: str  # message id: one thing to try

    @property
    def code_line(self) -> str:
        """The source line that does it, as it stands in the file."""
        lines = [line.strip() for line in inspect.getsource(self.code).splitlines()]
        found = [line for line in lines if line.startswith("return ")]
        return found[-1].split("  #")[0]


def _step(name: str, reads: tuple[str, ...], axes: tuple[Axis, Axis], rule: Rule, formula: str, code: Any) -> Step:
    return Step(name, reads, name, axes, rule, formula, code, f"step-{name}-says", f"step-{name}-try")


STEPS: tuple[Step, ...] = (
    _step("q", ("x_query", "w_q", "b_q"), ("query", "feature"), "product", "Q = X·W_Q + b_Q", ops.project),
    _step("k", ("x_key", "w_k", "b_k"), ("key", "feature"), "product", "K = X·W_K + b_K", ops.project),
    _step("v", ("x_key", "w_v", "b_v"), ("key", "feature"), "product", "V = X·W_V + b_V", ops.project),
    _step("raw", ("q", "k"), ("query", "key"), "product", "raw = Q·Kᵀ", ops.raw_scores),
    _step("scores", ("raw", "scale"), ("query", "key"), "scale", "scores = raw · 1/√Dh", ops.scale_scores),
    _step("capped", ("scores", "softcap"), ("query", "key"), "cap", "scores = c·tanh(scores/c)", ops.cap_scores),
    _step("masked", ("scores", "mask"), ("query", "key"), "add", "masked = scores + M", ops.add_mask),
    _step("weights", ("masked",), ("query", "key"), "softmax row", "weights = softmax(masked)", ops.softmax_rows),
    _step("context", ("weights", "v"), ("query", "feature"), "product", "context = weights·V", ops.weigh_values),
    _step(
        "out",
        ("context", "w_o", "b_o"),
        ("query", "feature"),
        "product",
        "out = concat(context)·W_O + b_O",
        ops.project,
    ),
)

BY_NAME = {step.name: step for step in STEPS}
