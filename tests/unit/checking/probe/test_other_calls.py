"""The same layer called otherwise: without gradients, with its switches as they are, after another mask, more keys."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, only, right


def test_a_fault_without_gradients_is_found() -> None:
    def scores(self: Right, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / (math.sqrt(q.shape[-1]) if torch.is_grad_enabled() else 1)

    finding = only(broken(scores=scores))
    assert finding.id == "no-grad-differs" and "Under torch.no_grad() the output is wrong" in finding.sentence
    assert "The scale is missing" in finding.sentence
    assert "torch.no_grad()" in right(Right()).checked


class Switched(Right):
    """Returns its weights when it is asked to, and takes torch's function when it is not."""

    def scaled(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v)

    def forward(self, x: Tensor, return_attention: bool = False) -> Any:  # type: ignore[override]
        if return_attention:
            return super().forward(x)
        q, k, v = (self.split(part) for part in self.project(x))
        return self.w_o(self.join(self.scaled(q, k, v)))


def test_the_way_without_weights_is_compared_too() -> None:
    class Unscaled(Switched):
        def scaled(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            return F.scaled_dot_product_attention(q, k, v, scale=1.0)

    assert "return_attention=False" in right(Switched()).checked
    finding = only(Unscaled())
    assert finding.id == "switch-differs" and "With return_attention=False the output is wrong" in finding.sentence
    assert "need_weights=False" in right(nn.MultiheadAttention(24, 3)).checked


def test_a_layer_in_half_precision_is_told_what_it_ran_in() -> None:
    report = right(Right().bfloat16())
    assert "its own precision, bfloat16: it was run in float64 and float32" in report.unchecked
