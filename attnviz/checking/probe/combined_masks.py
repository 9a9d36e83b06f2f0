"""Passes two masks at once: each may be applied correctly alone, and one override the other."""

from dataclasses import dataclass, replace
from itertools import combinations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import keys_by_length, some_mask
from attnviz.checking.find.examination import Explained, gap
from attnviz.checking.find.search import agrees
from attnviz.checking.probe.probe_state import MaskedCall, Progress
from attnviz.checking.report import StageResult, checked, fault, unchecked


@dataclass(frozen=True)
class OneMask:
    """One of two masks, as it is given and as ours takes it."""

    name: str
    allowed: Tensor  # [T, T], [B, 1, 1, T] or [B, 1, T]
    given: dict[str, Tensor]  # by the name of the argument; nothing for the layer's own triangle


def masks_together(progress: Progress) -> StageResult:
    """Every two masks that are right alone: those in `progress`, and its own triangle."""
    explained, result = progress.explained, StageResult()
    tokens = explained.examination.sizes.tokens
    past = torch.ones(tokens, tokens, dtype=torch.bool).tril()  # [T, T], the causal mask
    pairs = [(_one_mask(one, past), _one_mask(other)) for one, other in combinations(progress.masks, 2)]
    for masked in progress.masks:
        if explained.reading.variant.causal == "right" and masked.format.is_of_keys:
            pairs.append((_one_mask(masked), OneMask("its own triangle", past, {})))
    for one, other in pairs:
        result += _together(explained, one, other)
    return result


def _one_mask(masked: MaskedCall, past: Tensor | None = None) -> OneMask:
    """A mask to stand beside another: `past` where it is one of queries and keys."""
    batch, tokens = masked.batch_and_tokens
    allowed = some_mask(tokens, 7) if past is None else past  # [T, T]
    if masked.format.is_of_keys:
        allowed = keys_by_length(batch, tokens)  # [B, T]
        if masked.format.form != "lengths":
            allowed = allowed & (torch.arange(tokens) != 1)  # [B, T], unlike any other mask
    return OneMask(masked.name, masked.broadcast(allowed), {masked.name: masked.written(allowed)})


def _together(explained: Explained, one: OneMask, other: OneMask) -> StageResult:
    what = f"{one.name} and {other.name} together"
    answer = explained.call(flags={**one.given, **other.given})
    theirs = answer.numbers
    as_masked = replace(explained, reading=explained.reading.changed(causal="no"))  # the triangle is one of the masks
    if theirs is None:
        return unchecked(f"{what}: it stops with an error: {answer.message}")
    right = as_masked.ours(one.allowed & other.allowed).out  # [B, T, d_model]
    if agrees(right, theirs):
        return checked(what)
    either = one.allowed | other.allowed
    known = {
        f"only {one.name} is obeyed": one.allowed, f"only {other.name} is obeyed": other.allowed,
        "a token is hidden only where both hide it": either, "neither is obeyed": torch.ones_like(either),
    }  # fmt: skip
    wrong = (words for words, allowed in known.items() if agrees(as_masked.ours(allowed).out, theirs))
    words = next(wrong, "the output differs from ours and no known mistake explains it")
    sentence = f"{one.name} and {other.name} are right alone; together {words}."
    fix = "join the two first: allowed = mask & ~key_padding_mask[:, None, None, :], True = can attend in both"
    return fault("masks-together", sentence, fix, gap("largest difference from ours with both", right, theirs))
