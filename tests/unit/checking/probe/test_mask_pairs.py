"""Two masks that are right alone are tried together: one must not put the other out."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.unit.checking.layers import Right, only, right


class Both(Right):
    """A mask [query, key] and one of each text's keys; True = can attend, and True = padding."""

    def together(self, mask: Tensor, kept: Tensor) -> Tensor:
        return mask & kept

    def forward(self, x: Tensor, attn_mask: Tensor | None = None, key_padding_mask: Tensor | None = None) -> Any:
        mask = attn_mask
        if key_padding_mask is not None:
            kept = ~key_padding_mask[:, None, None, :]
            mask = kept if mask is None else self.together(mask, kept)
        return super().forward(x, mask)


class Switch(Right):
    """is_causal beside a mask."""

    def forward(self, x: Tensor, mask: Tensor | None = None, is_causal: bool = False) -> Any:
        if is_causal:
            past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
            mask = past if mask is None else self.together(mask, past)
        return super().forward(x, mask)

    def together(self, mask: Tensor, past: Tensor) -> Tensor:
        return mask & past


class Inside(Right):
    """Always causal, beside a mask of each text's keys."""

    def together(self, past: Tensor, kept: Tensor) -> Tensor:
        return past & kept

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Any:
        past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        mask = past if key_padding_mask is None else self.together(past, ~key_padding_mask[:, None, None, :])
        return super().forward(x, mask)


def test_two_masks_that_are_right_together_are_listed() -> None:
    assert "attn_mask and key_padding_mask together" in right(Both()).checked
    assert "attn_mask and key_padding_mask together" in right(nn.MultiheadAttention(24, 3)).checked
    assert "mask and is_causal=True together" in right(Switch()).checked
    assert "key_padding_mask and its own triangle together" in right(Inside()).checked


def first(self: Any, one: Tensor, other: Tensor) -> Tensor:
    return one


def last(self: Any, one: Tensor, other: Tensor) -> Tensor:
    return other


def either(self: Any, one: Tensor, other: Tensor) -> Tensor:
    return one | other


def apart(self: Any, one: Tensor, other: Tensor) -> Tensor:
    return one == other


@pytest.mark.parametrize(
    ("base", "together", "words"),
    [
        (Both, first, "attn_mask and key_padding_mask are right alone; together only attn_mask is obeyed"),
        (Both, either, "together a token is hidden only where both hide it"),
        (Both, apart, "together the output differs from ours and no known mistake explains it"),
        (Switch, last, "mask and is_causal=True are right alone; together only is_causal=True is obeyed"),
        (Inside, last, "key_padding_mask and its own triangle are right alone; together only key_padding_mask is"),
    ],
)
def test_two_masks_that_are_wrong_together_are_found(base: type[Right], together: Any, words: str) -> None:
    layer = type("Broken", (base,), {"together": together})()
    finding = only(layer)
    assert finding.id == "masks-together"
    assert words in finding.sentence
