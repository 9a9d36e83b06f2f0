"""The formula of a whole chain, part by part, so that the part that a step computes can be lit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnviz.core.matrices import Chain

Part = dict[str, Any]


def _part(text: str, *of: str) -> Part:
    """Some symbols, and the names of the steps that compute them."""
    return {"text": text, "of": of}


def _attention(names: set[str]) -> list[Part]:
    """softmax(Q·Kᵀ/√Dh + M)·V, with the parts that this chain has. Source: Vaswani et al. 2017, equation 1."""
    product = [_part("Q", "q", "raw"), _part("Kᵀ", "k", "raw")]
    scaled: list[Part] = [{"over": product, "under": [_part("√Dh", "scores")], "of": ()}]
    mask = [_part("+ M", "masked")] if "masked" in names else []
    return [
        _part("softmax", "weights"), _part("(", "weights"), *scaled, *mask, _part(")", "weights"),
        _part("V", "v", "context"),
    ]  # fmt: skip


def whole_formula(chain: Chain) -> list[Part] | None:
    """The formula of the chain, or None where its steps have only their own."""
    names = {step.name for step in chain.steps}
    return _attention(names) if {"raw", "weights", "context"} <= names else None
