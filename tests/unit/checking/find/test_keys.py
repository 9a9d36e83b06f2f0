"""Keys that are lost, shifted or added, weights that have no effect, and matrices whose axes come in another order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, broken, right


def _mixes(mix: Callable[[Tensor, Tensor, Tensor], Tensor]) -> nn.Module:
    """`Right` whose context is `mix(scores, weights, v)`."""

    def forward(self: Right, x: Tensor) -> Any:
        q, k, v = (self.split(part) for part in self.project(x))
        scores = self.scores(q, k)
        return self.w_o(self.join(mix(scores, self.weights(scores), v)))

    return broken(forward=forward)


def _with_zeros(scores: Tensor, weights: Tensor, v: Tensor) -> Tensor:
    return scores.exp() / (1 + scores.exp().sum(-1, keepdim=True)) @ v


def _without_itself(scores: Tensor, weights: Tensor, v: Tensor) -> Tensor:
    return scores.masked_fill(torch.eye(scores.shape[-1]).bool(), -math.inf).softmax(-1) @ v


@pytest.mark.parametrize(
    ("mix", "sentence"),
    [
        (lambda s, w, v: s[..., 1:].softmax(-1) @ v[:, :, 1:], "No query attends to the first token"),
        (lambda s, w, v: s[..., :-1].softmax(-1) @ v[:, :, :-1], "No query attends to the last token"),
        (_without_itself, "No token attends to itself"),
        (_with_zeros, "Each row shares its 1 with a key of zeros"),
        (lambda s, w, v: w @ v.roll(1, 2), "the weight of a token goes to the value of the one before it"),
        (lambda s, w, v: w @ v.roll(-1, 2), "the weight of a token goes to the value of the one after it"),
        (
            lambda s, w, v: torch.einsum("bhij,bhmd->bhid", w, v),
            "The weights have no effect: each query gets the sum of all values.",
        ),
        (
            lambda s, w, v: v.mean(2, keepdim=True).expand_as(v),
            "The weights have no effect: each query gets the mean of all values.",
        ),
    ],
    ids=["first", "last", "itself", "zeros", "before", "after", "sum", "mean"],
)
def test_what_is_wrong_with_the_keys_is_named(mix: Callable[[Tensor, Tensor, Tensor], Tensor], sentence: str) -> None:
    right(_mixes(lambda s, w, v: w @ v))
    report = av.check_attention(_mixes(mix))
    assert len(report.findings) == 1
    assert sentence in report.findings[0].sentence
    assert report.findings[0].evidence[1].value < 1e-9


class WithAxes(nn.Module):
    """Bare matrices with their axes in any order, written as einsum has them."""

    def __init__(self, q: str, o: str) -> None:
        super().__init__()
        sizes = {"d": 24, "h": 3, "k": 8}
        self.q_axes, self.o_axes = q, o
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(*(sizes[letter] for letter in q))) for _ in range(3))
        self.wo = nn.Parameter(torch.randn(*(sizes[letter] for letter in o)))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (torch.einsum(f"btd,{self.q_axes}->bhtk", x, w) for w in (self.wq, self.wk, self.wv))
        context = (q @ k.mT / math.sqrt(8)).softmax(-1) @ v
        return torch.einsum(f"bhtk,{self.o_axes}->btd", context, self.wo)


@pytest.mark.parametrize("q", ["hdk", "dhk", "hkd"])
@pytest.mark.parametrize("o", ["hkd", "hdk", "dhk"])
def test_bare_matrices_are_read_in_any_order_of_their_axes(q: str, o: str) -> None:
    report = right(WithAxes(q, o))
    assert "3 heads of width 8" in report.how


class ByTorchsFunction(nn.Module):
    """Calls the function behind nn.MultiheadAttention, whose masks mean the opposite."""

    def __init__(self, training: bool | None = None, p: float = 0.2) -> None:
        super().__init__()
        self.n_heads, self.p, self.always = 3, p, training
        self.in_proj_weight, self.in_proj_bias = nn.Parameter(torch.randn(72, 24)), nn.Parameter(torch.randn(72))
        self.out_proj = nn.Linear(24, 24)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        x = x.transpose(0, 1)
        out, weights = F.multi_head_attention_forward(
            x, x, x, 24, self.n_heads, self.in_proj_weight, self.in_proj_bias, None, None, False, self.p,
            self.out_proj.weight, self.out_proj.bias, training=self.training if self.always is None else self.always,
            attn_mask=attn_mask, average_attn_weights=False,
        )  # fmt: skip
        assert weights is not None
        return out.transpose(0, 1), weights


def test_torchs_function_is_read_with_torchs_masks() -> None:
    right(ByTorchsFunction())


def test_dropout_in_torchs_function_that_never_stops_is_dropout() -> None:
    assert av.check_attention(ByTorchsFunction(training=True)).findings[0].id == "dropout-at-eval"
