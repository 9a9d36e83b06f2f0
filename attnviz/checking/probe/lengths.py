"""What is particular to a mask that is given as the lengths of the texts."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from attnviz.checking.find.search import agrees
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement

_FIX = "torch.arange(T) < lengths[:, None] marks what may be seen: length 3 is tokens 0, 1 and 2"


def off_by_one(masked: Masked, allowed: Tensor, theirs: Tensor, measured: Measurement) -> Finding | None:
    """Whether each text keeps one token too many or too few: allowed [B, Tk]."""
    lengths = allowed.sum(-1, keepdim=True)  # [B, 1]
    for step, words in ((1, "one token too many"), (-1, "one token too few")):
        shifted = torch.arange(allowed.shape[-1]) < lengths + step  # [B, Tk]
        if agrees(masked.values(shifted).out, theirs):
            sentence = f"The lengths ({masked.name}) are off by one: of each text {words} may be looked at."
            return Finding("lengths-off-by-one", sentence, _FIX, (measured,))
    return None


def said_of_lengths(name: str, found: Finding) -> Finding:
    """A finding of a mask in the words of lengths."""
    if found.id == "mask-inverted":
        sentence = f"The lengths ({name}) are read the wrong way round: only what comes after a text's end is seen."
        return replace(found, sentence=sentence, fix=_FIX)
    sentence = found.sentence.replace("The mask is", f"The lengths ({name}) are", 1).replace("with it", "with them")
    return replace(found, sentence=sentence.replace("without it", "without them"))
