"""The table of steps: what each step of attention reads and writes, and by which rule one cell is made.

A step is data. The stepper, the explanations, the exports and the tests all iterate over this table; adding a step is
adding a row. `code` is the function that runs, so that its line can be read by `inspect` and cannot drift. The steps
around attention (embedding, norm, feed-forward, vocabulary) are in model_steps/table.py, beside their layers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from attnviz.core import ops

Rule = Literal[
    "lookup", "position", "product", "scale", "add", "mask", "softmax row", "norm row", "activation", "split", "concat",
    "cap",
]  # fmt: skip
AxisName = Literal["query", "key", "token", "feature", "vocabulary"]


@dataclass(frozen=True)
class Step:
    """One step: `reads` -> `writes`, cell by cell."""

    name: str  # also the name of what it writes, in records and in `explain`
    reads: tuple[str, ...]
    writes: str
    axes: tuple[AxisName, AxisName]  # row and column of what it writes
    rule: Rule
    formula: str
    code: Callable[..., Any]
    says: str  # message id: one explanation of at most 45 words
    try_this: str  # message id: one thing to try
    line: str = "return "  # what the line of `code` that does it begins with; the last such line counts

    @property
    def code_line(self) -> str:
        """The source line that does it, as it stands in the file."""
        lines = [line.strip() for line in inspect.getsource(self.code).splitlines()]
        found = [line for line in lines if line.startswith(self.line)]
        return found[-1].split("  #")[0]


def row(
    name: str, reads: tuple[str, ...], axes: tuple[AxisName, AxisName], rule: Rule, formula: str, code: Any,
    line: str = "return ", words: str = "",
) -> Step:  # fmt: skip
    """One row of a table of steps; what it writes and its messages (or `words`) are named after it."""
    words = words or name
    return Step(name, reads, name, axes, rule, formula, code, f"step-{words}-says", f"step-{words}-try", line)


PRODUCT = "product = "  # the line of `ops.project`

STEPS: tuple[Step, ...] = (
    row("q", ("x_query", "w_q", "b_q"), ("query", "feature"), "product", "Q = X·W_Q + b_Q", ops.project, PRODUCT),
    row("k", ("x_key", "w_k", "b_k"), ("key", "feature"), "product", "K = X·W_K + b_K", ops.project, PRODUCT),
    row("v", ("x_key", "w_v", "b_v"), ("key", "feature"), "product", "V = X·W_V + b_V", ops.project, PRODUCT),
    row("raw", ("q", "k"), ("query", "key"), "product", "raw = Q·Kᵀ", ops.raw_scores),
    row("scores", ("raw", "scale"), ("query", "key"), "scale", "scores = raw · 1/√Dh", ops.scale_scores),
    row("capped", ("scores", "softcap"), ("query", "key"), "cap", "capped = c·tanh(scores/c)", ops.cap_scores),
    row(
        "masked", ("scores", "mask"), ("query", "key"), "mask", "masked = scores + M", ops.add_mask,
        "return torch.where",
    ),
    row(
        "weights", ("masked",), ("query", "key"), "softmax row", "weights = softmax(masked)", ops.softmax_rows,
        "weights = torch.softmax(masked,",
    ),
    row("context", ("weights", "v"), ("query", "feature"), "product", "context = weights·V", ops.weigh_values),
    row("silenced", ("context",), ("query", "feature"), "scale", "silenced = 0 · context", ops.scale_scores),
    row(
        "head-out", ("context", "w_o"), ("query", "feature"), "product", "out_h = context·W_O[h]", ops.project, PRODUCT
    ),
    row("concat", ("context",), ("query", "feature"), "concat", "concat(context_1 … context_H)", ops.merge_heads),
    row(
        "out", ("concat", "w_o", "b_o"), ("query", "feature"), "product", "out = concat(context)·W_O + b_O",
        ops.project, PRODUCT,
    ),
    row("split", ("q",), ("query", "feature"), "split", "Q_h = Q[:, h·Dh : (h+1)·Dh]", ops.split_heads),
)  # fmt: skip

BY_NAME = {step.name: step for step in STEPS}
