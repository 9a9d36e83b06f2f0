"""The untouched run beside a changed one: the same cells of each step's result, where the change reached them."""

import torch
from torch import Tensor

from attnviz.explanation.matrices import Chain, Matrix

SAME = 1e-6  # of the largest value: what rounding alone may change


def before(changed: Chain, untouched: Chain) -> dict[str, Tensor]:
    """The untouched run's numbers for every result that changed, by the result's key.

    Args:
        changed: the chain that is shown, perhaps a part of it.
        untouched: the whole chain of the same tab over the untouched run, made beside the changed one.
    """
    own = {step.key: step for step in untouched.steps}
    found = {}
    for step in changed.steps:
        other = own.get(step.key.partition("[")[0])
        if other is None:
            continue
        values = _same_cells(other.result, step.result)
        if values.shape == step.result.values.shape and _differs(values, step.result):
            found[step.key] = values
    return found


def _same_cells(whole: Matrix, shown: Matrix) -> Tensor:
    rows, columns = shown.rows.start - whole.rows.start, shown.columns.start - whole.columns.start
    return whole.values[rows : rows + shown.rows.count, columns : columns + shown.columns.count]


def _differs(values: Tensor, now: Matrix) -> bool:
    """Whether any cell changed; −∞ in both is the same."""
    apart = torch.where(values == now.values, 0.0, (values - now.values).abs())
    return bool((apart > SAME * max(now.largest, 1e-12)).any())
