"""A projection may have a second bias of another name, which is added, or kept for something else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, one_thread


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    with one_thread():
        yield


def right(subject: object) -> Any:
    report = av.check_attention(subject)  # type: ignore[arg-type]
    assert report.ok, str(report)
    return report


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


def test_a_second_bias_that_is_not_added_is_noted() -> None:
    class Unused(Second):
        def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            return Right.project(self, x)

    (note,) = [note for note in right(Unused()).notes if note.id == "parameters-read"]
    assert note.sentence == "q_bias, v_bias: added to no projection."


def test_a_second_bias_does_not_hide_a_missing_scale() -> None:
    class Unscaled(Second):
        def scores(self, q: Tensor, k: Tensor) -> Tensor:
            return q @ k.mT

    assert [finding.id for finding in av.check_attention(Unscaled()).findings] == ["scale-missing"]


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


def test_a_bias_that_fits_no_projection_is_noted_or_leaves_no_verdict() -> None:
    beside, alone = Right(), Right(bias=False)
    beside.q_bias, alone.q_bias = nn.Parameter(torch.zeros(7)), nn.Parameter(torch.zeros(7))
    assert "q_bias: added to no projection." in [note.sentence for note in right(beside).notes]
    (finding,) = av.check_attention(alone).findings
    assert finding.id == "cannot-compare"
