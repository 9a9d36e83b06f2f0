"""The stage that gives two masks at once: each may be right alone, and one put the other out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import torch
from torch import Tensor

from attnviz.checking.call.inputs import kept_keys, some_mask
from attnviz.checking.find.examination import Seen, Understood
from attnviz.checking.find.search import agrees, difference
from attnviz.checking.probe.masked import Masked
from attnviz.checking.report import Finding, Measurement

TRIANGLE = "its own triangle"
_FIX = (
    "join the two before they are used: allowed = mask & ~key_padding_mask[:, None, None, :], True = may look in both"
)


@dataclass(frozen=True)
class Hiding:
    """One of two masks, as it is given and as ours takes it."""

    name: str
    allowed: Tensor  # [T, T], [B, 1, 1, T] or [B, 1, T]
    given: dict[str, Tensor | bool]  # by the name of the argument; nothing for the triangle


def masks_together(understood: Understood, agreed: tuple[Masked, ...], switch: str | None) -> Seen:
    """Every two masks that are right alone: those that are agreed, a switch for causal attention, its own triangle."""
    seen = Seen()
    has_triangle = understood.explanation.reading.variant.causal == "right"
    past = torch.ones(understood.examination.sizes.tokens, understood.examination.sizes.tokens).tril().bool()  # [T, T]
    for one, other in combinations(agreed, 2):
        seen += _pair(understood, _hiding(one, past), _hiding(other, None))
    for masked in agreed:
        if switch is not None:
            seen += _pair(understood, _hiding(masked, None), Hiding(f"{switch}=True", past, {switch: True}))
        elif has_triangle and masked.convention.names_keys_only:
            seen += _pair(understood, _hiding(masked, None), Hiding(TRIANGLE, past, {}))
    return seen


def with_triangle(masked: Masked, allowed: Tensor, theirs: Tensor, measured: Measurement) -> Finding | None:
    """Whether a layer's own triangle hides only what its mask hides too."""
    tokens = masked.sizes[1]
    past = torch.ones(tokens, tokens).tril().bool()  # [T, T]
    is_causal = masked.understood.explanation.reading.variant.causal == "right"
    if not is_causal or not agrees(_ours(masked.understood, past | masked.ours(allowed)), theirs):
        return None
    sentence = f"It is causal, and with {masked.name} a token is hidden only where both hide it."
    return Finding("masks-together", sentence, _FIX, (measured,))


def _hiding(masked: Masked, allowed: Tensor | None) -> Hiding:
    """A mask beside another: as `allowed` has it, where it is one of queries and keys."""
    batch, tokens = masked.sizes
    if masked.convention.names_keys_only:
        allowed = kept_keys(batch, tokens)  # [B, T]
        if masked.convention.form != "lengths":
            allowed = allowed & (torch.arange(tokens) != 1)  # [B, T], no two such masks are to be the same
    elif allowed is None:
        allowed = some_mask(tokens, 7)  # [T, T]
    return Hiding(masked.name, masked.ours(allowed), {masked.name: masked.convention.write(allowed, batch)})


def _pair(understood: Understood, one: Hiding, other: Hiding) -> Seen:
    what = f"{one.name} and {other.name} together"
    answer = understood.examination.ask(understood.inputs, flags={**one.given, **other.given})
    if answer.out is None:
        return Seen(unchecked=(f"{what}: it stops with an error: {answer.said}",))
    theirs = answer.out.detach()
    right = _ours(understood, one.allowed & other.allowed)  # [B, T, D]
    if agrees(right, theirs):
        return Seen(checked=(what,))
    measured = Measurement("largest difference from ours with both masks", difference(right, theirs))
    sentence = f"{one.name} and {other.name} are right alone; together {_wrong(understood, theirs, one, other)}."
    if other.name == TRIANGLE:
        sentence = f"It is causal, and with {one.name} {_wrong(understood, theirs, one, other)}."
    return Seen((Finding("masks-together", sentence, _FIX, (measured,)),))


def _wrong(understood: Understood, theirs: Tensor, one: Hiding, other: Hiding) -> str:
    """What was done in place of hiding what either of them hides."""
    for allowed, words in (
        (one.allowed, f"only {one.name} is obeyed"),
        (other.allowed, f"only {other.name} is obeyed"),
        (one.allowed | other.allowed, "a token is hidden only where both hide it"),
        (torch.ones_like(one.allowed | other.allowed), "neither is obeyed"),
    ):
        if agrees(_ours(understood, allowed), theirs):
            return words
    return "the output differs from ours and no known mistake explains it"


def _ours(understood: Understood, allowed: Tensor) -> Tensor:
    """Ours under one mask, without the triangle: that is in the mask where it should be."""
    explanation = understood.explanation
    open_too = replace(explanation.reading, variant=replace(explanation.reading.variant, causal="no"))
    return replace(explanation, reading=open_too).values(understood.inputs, allowed).out  # [B, T, D]
