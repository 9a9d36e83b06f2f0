"""What attention costs at n tokens, step by step, beside a recurrent network over the same tokens.

Counted, not measured: one multiply-add is one product with its sum, bytes are float32. A test holds the counts against
torch's own counter of floating-point operations, which counts two for a multiply-add.
"""

import math
from dataclasses import dataclass

LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
FLOAT = 4  # bytes


@dataclass(frozen=True)
class StepCost:
    """One step over all tokens."""

    multiply_adds: int
    n_bytes: int  # of what it writes


@dataclass(frozen=True)
class Cost:
    """One layer over n tokens."""

    n: int
    steps: dict[str, StepCost]  # by the step's name, all heads together
    rows_in_turn: int  # how many products must wait for one another: 1, since all rows can be made at once
    farthest: int  # how many steps lie between the first and the last token

    @property
    def multiply_adds(self) -> int:
        return sum(step.multiply_adds for step in self.steps.values())

    @property
    def n_bytes(self) -> int:
        return sum(step.n_bytes for step in self.steps.values())


def attention_cost(
    n: int, d_model: int, n_heads: int, n_kv_heads: int | None = None, window: int | None = None
) -> Cost:
    """Multi-head self-attention over n tokens; d_model is a multiple of n_heads.

    Args:
        n_kv_heads: heads of keys and values, where they are fewer.
        window: how many keys a query has scores with; None = all. Then so many layers lie between far tokens.

    Source: Vaswani et al. 2017, table 1.
    """
    seen = n if window is None else min(n, window)  # keys of a query
    square, rows = n_heads * n * seen, n * d_model
    kept = rows * (n_kv_heads or n_heads) // n_heads  # numbers of all keys
    shared = StepCost(kept * d_model, kept * FLOAT)
    projection, product = StepCost(rows * d_model, rows * FLOAT), n * seen * d_model
    flat = {name: StepCost(0, square * FLOAT) for name in ("scores", "masked", "weights")}  # no products but the scale
    steps = {
        "q": projection,
        "k": shared,
        "v": shared,
        "raw": StepCost(product, square * FLOAT),
        **flat,
        "context": StepCost(product, rows * FLOAT),
        "out": projection,
    }
    return Cost(n, steps, 1, max(1, math.ceil((n - 1) / max(1, seen - 1))))


def recurrent_cost(n: int, d_model: int) -> Cost:
    """A plain recurrent layer: h_t = tanh(x_t W_x + h_{t−1} W_h), one token after another.

    Source: Vaswani et al. 2017, table 1; Elman 1990.
    """
    product = StepCost(n * d_model * d_model, n * d_model * FLOAT)
    return Cost(n, {"input": product, "state": product}, n, max(1, n - 1))
