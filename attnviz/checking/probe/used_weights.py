"""Works out which weights made an output, where heads are wide enough for that.

An output is a sum over heads and keys: each weight times what that key's value gives behind W_O. With fewer keys than
features in a head these are linearly independent, and the weights follow from the output.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.find.examination import Understood
from attnviz.checking.find.heads import heads_of, merged_heads
from attnviz.checking.find.search import agrees


def with_few_tokens(understood: Understood) -> Understood:
    """The same with fewer keys than features in a head of values, where that is possible."""
    examination, numbers = understood.examination, understood.explanation.reading.numbers
    shared = 1 if numbers is None else numbers.weight["q"].shape[0] // numbers.weight["k"].shape[0]
    rows = examination.head_width if numbers is None else numbers.weight["v"].shape[0] * max(1, shared)
    width = rows if numbers is None else rows // numbers.n_heads
    tokens = max(2, min(examination.sizes.tokens, width - 1))
    few = replace(examination, sizes=replace(examination.sizes, tokens=tokens))
    return replace(understood, examination=few, inputs=few.inputs(71))


def used_weights(understood: Understood, out: Tensor) -> Tensor | None:
    """The weights [B, H, Tq, Tk] that gave this output [B, Tq, D]; None where it does not tell."""
    reading, variant = understood.explanation.reading, understood.explanation.variant
    if reading.numbers is None or not bool(torch.isfinite(out).all()):
        return None  # a layer without matrices may be fed other axes
    _, _, v = heads_of(understood.inputs, reading.numbers, variant)  # [B, H, Tk, Dv]
    batch, heads, keys, width = v.shape
    each = torch.zeros(batch, heads, heads, keys, width, dtype=v.dtype)  # [B, H, H, Tk, Dv]: one head's value alone
    for head in range(heads):
        each[:, head, head] = v[:, head]
    nothing = merged_heads(torch.zeros_like(v[:, :, :1]), reading.numbers, variant)  # [B, 1, D], the bias
    parts = merged_heads(each.flatten(2, 3), reading.numbers, variant) - nothing  # [B, H·Tk, D]
    if parts.shape[1] >= parts.shape[2] or int(torch.linalg.matrix_rank(parts).min()) < parts.shape[1]:
        return None
    found = torch.linalg.lstsq(parts.mT, (out - nothing).mT).solution  # [B, H·Tk, Tq]
    if not agrees(out - nothing, found.mT @ parts):
        return None
    return found.unflatten(1, (heads, keys)).transpose(2, 3)  # [B, H, Tq, Tk]
