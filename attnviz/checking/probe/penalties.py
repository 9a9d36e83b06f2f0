"""The finding on a mask that is taken off the scores as a number, and a number too small to hide."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.checking.find.faults_of_masks import MASK
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement

ADDED = next(fault for fault in MASK if fault.id == "mask-added-as-number")
SMALL = (2, 3, 5, 10, 15)  # from 20 on it hides, and large scores show how little


def small_penalty(masked: Masked, allowed: Tensor, theirs: Tensor) -> Finding | None:
    """Whether hidden tokens only lose such a number: allowed [T, T] or [B, T], theirs the output [B, T, D]."""
    explanation, inputs = masked.understood.explanation, masked.understood.inputs
    seen = masked.ours(allowed)  # broadcasts to [B, H, Tq, Tk]
    right = masked.values(allowed).out
    for number in SMALL:
        taken = torch.zeros(seen.shape, dtype=theirs.dtype).masked_fill(~seen, -float(number))
        if agrees(explanation.values(inputs, taken, ADDED).out, theirs):
            return Finding(
                "mask-penalty-small",
                f"A bool {masked.name} takes {number} off the scores of hidden tokens, and no more: they keep "
                f"e^−{number} of what they would have.",
                "scores.masked_fill(~mask, float('-inf')); in (1 - mask) * -1e9 count the zeros",
                (Measurement("largest difference from ours with the mask", difference(right, theirs)),),
            )
    return None
