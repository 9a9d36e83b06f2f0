"""The untouched run beside a changed one: the same cells of each step's result, where the change reached them."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.explanation.matrices import Chain, Matrix

SAME = 1e-6  # of the largest value: what rounding alone may change


def before(changed: Chain, untouched: Chain) -> dict[str, Tensor]:
    """The untouched run's numbers for every result that changed, by the result's key.

    Args:
        changed: the chain that is shown, perhaps a part of it.
        untouched: the whole chain of the same tab over the untouched run.
    """
    own = {step.key: step for step in untouched.steps}
    order = _order(changed, untouched)
    found = {}
    for step in changed.steps:
        other = own.get(step.key.partition("[")[0])
        if other is None:
            continue
        values = other.result.values
        if step.result.columns.kind == "vocabulary":
            if order is None:
                continue
            values = values[:, order]
        values = _same_cells(values, other.result, step.result)
        if values.shape == step.result.values.shape and _differs(values, step.result):
            found[step.key] = values
    return found


def _order(changed: Chain, untouched: Chain) -> Tensor | None:
    """Maps the changed run's vocabulary columns to the untouched run's; None if any is missing."""
    steps = [step for it in (changed, untouched) for step in it.steps if "ids" in step.extras]
    ids = [step.extras["ids"].values[0].long() for step in steps]  # [words] each
    if len(ids) != 2:
        return None
    place = {number: at for at, number in enumerate(ids[1].tolist())}
    places = [place.get(number) for number in ids[0].tolist()]
    return None if None in places else torch.tensor(places)


def _same_cells(values: Tensor, whole: Matrix, shown: Matrix) -> Tensor:
    rows, columns = shown.rows.start - whole.rows.start, shown.columns.start - whole.columns.start
    if shown.columns.kind == "vocabulary":
        columns = 0  # the order is already that of the columns that are shown
    return values[rows : rows + shown.rows.count, columns : columns + shown.columns.count]


def _differs(values: Tensor, now: Matrix) -> bool:
    """Whether any cell changed; −∞ in both is the same."""
    apart = torch.where(values == now.values, 0.0, (values - now.values).abs())
    return bool((apart > SAME * max(now.largest, 1e-12)).any())
