"""Lengths of texts, as d2l's valid_lens, are a mask of each text's keys."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, only, right


class Lengthy(Right):
    """Takes how long each text is."""

    def kept(self, lengths: Tensor, tokens: int) -> Tensor:
        return torch.arange(tokens) < lengths[:, None]

    def forward(self, x: Tensor, lengths: Tensor | None = None) -> Any:
        return super().forward(x, None if lengths is None else self.kept(lengths, x.shape[1])[:, None, None, :])


def masked_softmax(x: Tensor, valid_lens: Tensor | None, value: float) -> Tensor:
    """As in d2l: one length a text, or one a query."""
    if valid_lens is None:
        return x.softmax(-1)
    shape = x.shape
    lens = torch.repeat_interleave(valid_lens, shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    flat = x.reshape(-1, shape[-1]).clone()
    flat[~(torch.arange(shape[-1])[None, :] < lens[:, None])] = value
    return flat.reshape(shape).softmax(-1)


class Dived(nn.Module):
    """Multi-head attention as in d2l, where valid_lens has to be passed."""

    def __init__(self, value: float = -1e6) -> None:
        super().__init__()
        self.num_heads, self.value = 3, value
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(24, 24, bias=False) for _ in range(4))

    def heads(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], 3, -1).permute(0, 2, 1, 3).reshape(-1, x.shape[1], 8)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None) -> Tensor:
        q, k, v = self.heads(self.W_q(queries)), self.heads(self.W_k(keys)), self.heads(self.W_v(values))
        if valid_lens is not None:
            valid_lens = self.repeated(valid_lens)
        weights = masked_softmax(q @ k.mT / math.sqrt(8), valid_lens, self.value)
        out: Tensor = self.W_o((weights @ v).unflatten(0, (-1, 3)).transpose(1, 2).flatten(2))
        return out

    def repeated(self, valid_lens: Tensor) -> Tensor:
        return torch.repeat_interleave(valid_lens, repeats=3, dim=0)


@pytest.mark.parametrize("name", ["valid_lens", "key_lengths"])
def test_lengths_are_tried_as_a_mask(name: str) -> None:
    report = right(renamed(name, Lengthy))
    assert any(what.startswith(f"{name} (whole numbers, tokens of each text, [text])") for what in report.checked)
    assert f"layer(x, {name}=…)" in report.how


def renamed(name: str, base: type[Lengthy]) -> Any:
    names: dict[str, Any] = {"Base": base}
    exec(
        f"class Named(Base):\n    def forward(self, x, {name}=None):\n        return super().forward(x, {name})\n",
        names,
    )
    return names["Named"]()


def test_attention_as_in_d2l_is_right_but_for_an_empty_text() -> None:
    right(Dived(-math.inf))
    assert only(Dived()).id == "blocked-row-looks-everywhere"


class Deaf(Lengthy):
    def kept(self, lengths: Tensor, tokens: int) -> Tensor:
        return torch.ones(len(lengths), tokens, dtype=torch.bool)


class Inverted(Lengthy):
    def kept(self, lengths: Tensor, tokens: int) -> Tensor:
        return ~super().kept(lengths, tokens)


class OfTheFirst(Lengthy):
    def kept(self, lengths: Tensor, tokens: int) -> Tensor:
        return super().kept(lengths[:1], tokens)


class OfWrongTexts(Dived):
    """.repeat gives the lengths in another order than the heads have."""

    def repeated(self, valid_lens: Tensor) -> Tensor:
        return valid_lens.repeat(3)


@pytest.mark.parametrize(
    ("layer", "id"),
    [
        (Deaf(), "mask-ignored"), (Inverted(), "mask-inverted"),
        (OfTheFirst(), "mask-of-one-text"), (OfWrongTexts(-math.inf), "mask-differs"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, nn.Module) else "",
)  # fmt: skip
def test_lengths_that_are_read_wrongly_are_found(layer: nn.Module, id: str) -> None:
    assert only(layer).id == id


def test_a_mask_of_a_name_that_nobody_knows_is_not_denied() -> None:
    class Strange(Right):
        def forward(self, x: Tensor, visible: Tensor | None = None) -> Any:
            return super().forward(x, visible)

    report = right(Strange())
    assert "mask: no argument is known as one" in report.unchecked
    assert "arguments left at their defaults: visible" in report.unchecked
    assert "mask: it takes none" in right(lambda q, k, v: av.scaled_dot_product_attention(q, k, v)[0]).unchecked
