"""The untouched run beside a changed one: the same cells of each step's result, where the change reached them."""

import torch
from torch import Tensor

from attnviz.explanation.matrices import Chain, Matrix

SAME = 1e-6  # of the largest value: what rounding alone may change


def before(changed: Chain, untouched: Chain) -> dict[str, Tensor]:
    """The untouched run's numbers for every result that changed, by its key; `changed` may be part of a chain."""
    by_key = {step.key: step for step in untouched.steps}
    matrices = {}
    for step in changed.steps:
        other = by_key.get(step.key.partition("[")[0])
        if other is None:
            continue
        rows, columns = step.result.rows, step.result.columns
        values = other.result.sliced((rows.start, rows.count), (columns.start, columns.count)).values
        if values.shape == step.result.values.shape and _differs(values, step.result):
            matrices[step.key] = values
    return matrices


def _differs(values: Tensor, now: Matrix) -> bool:
    """Whether any cell changed; −∞ in both is the same."""
    apart = torch.where(values == now.values, 0.0, (values - now.values).abs())
    return bool((apart > SAME * max(now.largest, 1e-12)).any())
