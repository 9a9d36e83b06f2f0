"""The same layer called otherwise: with its switches off, in training mode, in longer texts, with wider values."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, only, right


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
    assert "return_attention=False" in right(Switched()).checked
    other = broken(Switched, scaled=lambda self, q, k, v: F.scaled_dot_product_attention(q, k, v, scale=1.0))
    only(other, "switch-differs", "With return_attention=False the output is wrong")
    assert "need_weights=False" in right(nn.MultiheadAttention(24, 3)).checked


def refuses(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    if v.shape[-1] != k.shape[-1]:
        raise ValueError("one width, please")
    return F.scaled_dot_product_attention(q, k, v)


def cuts(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)[..., : k.shape[-1]]


@pytest.mark.parametrize("function", [refuses, cuts])
def test_values_of_another_width_that_cannot_be_tried_are_listed(function: Callable[..., Tensor]) -> None:
    assert any("values wider than keys" in reason for reason in right(function).unchecked)


def test_a_layer_that_scales_by_the_width_of_its_values_is_found() -> None:
    class Wide(Right):
        def __init__(self) -> None:
            super().__init__()
            self.w_v, self.w_o = nn.Linear(24, 30), nn.Linear(30, 24)

        def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
            q, k, v = (self.split(part) for part in self.project(x))
            return self.w_o(self.join(torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1) @ v))

    only(Wide(), "scale-by-value-width")
