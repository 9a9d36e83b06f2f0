"""The probe that gives each text a mask of its own, where a mask is [query, key]."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import some_mask
from attnviz.checking.find.examination import Seen
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.masked import Masked
from attnviz.checking.probe.masks import of_one_text
from attnviz.checking.report import Finding, Measurement


def mask_per_text(masked: Masked) -> Seen:
    """Give every text a mask of its own; a mask of each text's keys is one already."""
    understood, convention = masked.understood, masked.convention
    examination = understood.examination
    if examination.axes == 2 or examination.sizes.batch == 1 or convention.names_keys_only:
        return Seen()
    texts = range(examination.sizes.batch)
    allowed = torch.stack([some_mask(examination.sizes.tokens, 7 + text) for text in texts])  # [B, T, T]
    alike = allowed[:, None] if examination.has_heads else allowed  # [B, 1, T, T] or [B, T, T]
    right = understood.explanation.values(understood.inputs, alike).out  # [B, T, D]
    written = convention.numbers(allowed)  # [B, T, T]
    heads = written.repeat_interleave(examination.sizes.n_heads, dim=0)  # [B·H, T, T], as nn.MultiheadAttention's
    shapes = {"text 1 query key": written[:, None], "text query key": written, "text·head query key": heads}
    own = convention.shape if convention.shape in shapes else None
    wrong: list[tuple[str, Tensor]] = []
    is_right = False
    for shape in [own] if own else shapes:
        answer = examination.ask(understood.inputs, shapes[shape], mask_name=masked.name)
        if answer.out is None or answer.out.shape != right.shape:
            continue
        if agrees(right, answer.out.detach()):
            is_right = True
        else:
            wrong.append((shape, answer.out.detach()))
    for shape, theirs in wrong:
        found = of_one_text(masked, allowed, theirs, right) or (
            _differs(shape, theirs, right) if own or is_plain(shape) else None
        )
        if found is not None:
            return Seen((found,))
    if is_right:
        return Seen(checked=("a mask for each text",))
    return Seen(unchecked=("a mask for each text: it takes one for all",))


def is_plain(shape: str) -> bool:
    """Whether a mask of this shape can be read in one way only: it has an axis for everything that scores have."""
    return shape == "text 1 query key"


def _differs(shape: str, theirs: Tensor, right: Tensor) -> Finding:
    sentence = f"With one mask for all texts the output is right, and with a mask for each text ([{shape}]) it is not."
    fix = "keep the mask's first axis: scores.masked_fill(~mask, -inf) with mask [batch, 1, query, key]"
    measured = Measurement("largest difference from ours with a mask for each text", difference(right, theirs))
    return Finding("mask-per-text-differs", sentence, fix, (measured,))
