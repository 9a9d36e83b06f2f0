"""A projection may have a second bias of another name, which is added, or kept for something else."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, ids, right


class Second(Right):
    """q_bias and v_bias beside those of w_q and w_v."""

    def __init__(self, shape: tuple[int, ...] = (24,), *, bias: bool = True) -> None:
        super().__init__(bias=bias)
        self.q_bias, self.v_bias = nn.Parameter(torch.zeros(shape)), nn.Parameter(torch.zeros(shape))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        q, k, v = super().project(x)
        return q + self.q_bias.flatten(), k, v + self.v_bias.flatten()


@pytest.mark.parametrize("shape", [(24,), (1, 1, 24), (3, 8), (3, 1, 8)])
@pytest.mark.parametrize("bias", [True, False])
def test_a_second_bias_of_another_name_is_added(shape: tuple[int, ...], bias: bool) -> None:
    assert "gradients" in right(Second(shape, bias=bias)).checked


def test_a_second_bias_does_not_hide_a_missing_scale() -> None:
    class Unscaled(Second):
        def scores(self, q: Tensor, k: Tensor) -> Tensor:
            return q @ k.mT

    assert ids(Unscaled()) == ["scale-missing"]


@pytest.mark.parametrize("bias", [True, False])
def test_biases_beside_a_fused_matrix_are_added(bias: bool) -> None:
    class Fused(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.num_heads = 3
            self.qkv, self.proj = nn.Linear(24, 72, bias=bias), nn.Linear(24, 24)
            self.q_bias, self.v_bias = nn.Parameter(torch.zeros(24)), nn.Parameter(torch.zeros(24))

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = self.qkv(x).chunk(3, -1)
            q, k, v = (p.unflatten(-1, (3, 8)).transpose(1, 2) for p in (q + self.q_bias, k, v + self.v_bias))
            out: Tensor = self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            return out

    right(Fused())


def test_a_bias_that_fits_no_projection_leaves_no_verdict() -> None:
    layer = Right()
    layer.q_bias = nn.Parameter(torch.zeros(7))
    assert ids(layer) == ["cannot-compare"]
