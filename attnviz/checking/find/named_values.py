"""Which value of ours a tensor holds, by its numbers: what a person's dropout or norm was applied to."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.checking.find.examination import Explained
from attnviz.checking.find.mistaken import heads_of
from attnviz.checking.find.search import agrees

_HUGE = 1e3  # a score as far from 0 is a hidden one


def values_by_name(explained: Explained) -> dict[str, Tensor]:
    """Every value of ours that may be dropped from or normalised, by its name."""
    ours, inputs = explained.ours(), explained.inputs
    q, k, v = heads_of(inputs, explained.projections, explained.explanation.variant)  # [B, H, T, Dh] each
    context, out = explained.ours(out="missing").out, explained.ours(out="right").out
    return {
        "weights": ours.weights, "scores": ours.scores, "raw scores": ours.raw, "masked scores": ours.masked,
        "queries": q, "keys": k, "values": v, "context": context, "output": out, "input": inputs[0],
        "memory": inputs[1], "output with the input added": out + inputs[0] if out.shape == inputs[0].shape else out,
    }  # fmt: skip


def name_of(tensor: Tensor | None, values: dict[str, Tensor]) -> str:
    """Which value holds these numbers, empty where none does; None stands for the weights, inside torch's function."""
    if tensor is None:
        return "weights"
    return next((name for name, value in values.items() if _has_same_numbers(tensor, value)), "")


def _has_same_numbers(tensor: Tensor, value: Tensor) -> bool:
    """Whether both hold the same numbers, in whatever order of axes; or those of one head."""
    heads = [value[:, head] for head in range(value.shape[1])] if value.ndim == 4 else []
    theirs = _sorted(tensor)
    return any(agrees(ours, theirs) for ours in map(_sorted, [value, *heads]) if ours.shape == theirs.shape)


def _sorted(tensor: Tensor) -> Tensor:
    flat = tensor.detach().to("cpu", torch.float64).flatten()
    return flat[flat.abs() < _HUGE].sort().values
