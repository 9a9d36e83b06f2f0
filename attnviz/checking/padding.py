"""The stage for masks that name the keys of each text, [batch, key]; tried where [query, key] stops with an error."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from attnviz.checking.examination import MaskMeans, Seen, Understood
from attnviz.checking.faults import MASK
from attnviz.checking.masking import Convention, inverted_words, readings_of
from attnviz.checking.report import Measurement
from attnviz.checking.search import difference, explain, finding


def padding_obeyed(understood: Understood) -> Seen | None:
    """Hide the last keys of each text, another number in each; None when it does not run or nothing explains it."""
    examination = understood.examination
    if examination.axes == 2:
        return None  # one text at a time
    kept = _kept(examination.sizes.batch, examination.sizes.tokens)  # [B, Tk]
    is_split = examination.axes == 4 or not examination.candidate.is_function
    allowed = kept[:, None, None] if is_split else kept[:, None]  # [B, 1, 1, Tk], or [B, 1, Tk] without heads
    wanted, faults = examination.wants(understood.inputs), understood.explanation.faults
    right = understood.explanation.values(understood.inputs, allowed).out  # [B, T, D]
    suspect: Seen | None = None
    for convention in _conventions(understood):
        answer = examination.ask(understood.inputs, convention.numbers(kept))
        if answer.out is None or tuple(answer.out.shape) != wanted:
            continue
        theirs = answer.out.detach()
        explanation = explain(
            theirs, understood.inputs, readings_of(understood), allowed, known=MASK, pairs=False, already=faults
        )
        if explanation is None:
            continue
        checked = (f"mask ({convention})",)
        fault = next((f for f in explanation.faults if f in MASK), None)
        if fault is None:
            return Seen(checked=checked)
        measured = Measurement("largest difference from ours with the mask", difference(right, theirs))
        suspect = suspect or Seen((finding(fault, measured, **inverted_words(convention)),), checked=checked)
    return suspect


def _kept(batch: int, tokens: int) -> Tensor:
    """bool [B, Tk], True = may look: text 0 loses its last token, text 1 its last two, …; the first always stays."""
    lengths = (tokens - 1 - torch.arange(batch)).clamp(min=1)  # [B]
    return torch.arange(tokens) < lengths[:, None]  # [B, Tk]


def _conventions(understood: Understood) -> Iterator[Convention]:
    declared, name = understood.examination.mask_means, understood.examination.candidate.signature.mask or ""
    means: tuple[MaskMeans, ...] = ("may look",)
    if declared is not None:
        means = (declared,)
    elif "pad" in name.lower():
        means = ("may not look", "may look")  # torch's key_padding_mask, and everybody else's
    for meaning in means:
        for form in ("added",) if meaning == "added" else ("bool", "0/1"):
            yield Convention(meaning, form, "text key")
