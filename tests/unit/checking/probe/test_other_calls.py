"""The same layer called otherwise: with its switches off, in training mode, in longer texts, with wider values."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, only, replaced, right


class Switched(Right):
    """Returns its weights when it is asked to, and takes torch's function when it is not."""

    def scaled(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        return super().attend(q, k, v, mask) if self.returns_weights else (self.scaled(q, k, v), None)

    def forward(self, x: Tensor, return_attention: bool = False) -> Any:  # type: ignore[override]
        self.returns_weights = return_attention
        return super().forward(x)


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
    wide = replaced(w_v=nn.Linear(24, 30), w_o=nn.Linear(30, 24), scores=lambda q, k: q @ k.mT / math.sqrt(10))
    only(wide, "scale-by-value-width", "√d_v = 3.162")
