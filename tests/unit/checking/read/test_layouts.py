"""Fused matrices, fewer heads of keys and values, and biases of another name: a verdict for each."""

import math

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, ids, right


class Fused(nn.Module):
    """One matrix makes all queries, then the shared keys, then the shared values."""

    def __init__(self, n_heads: int = 6, n_kv_heads: int = 2, *, bias: bool = True) -> None:
        super().__init__()
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.qkv_proj = nn.Linear(48, (n_heads + 2 * n_kv_heads) * (48 // n_heads), bias)
        self.o_proj = nn.Linear(48, 48, bias)

    def parts(self, fused: Tensor) -> tuple[Tensor, ...]:
        """[B, T, rows] -> q [B, T, H, d_k], k and v [B, T, G, d_k]."""
        heads = fused.unflatten(-1, (-1, 48 // self.n_heads))
        return heads.split([self.n_heads, self.n_kv_heads, self.n_kv_heads], dim=2)

    def scale(self, width: int) -> float:
        return math.sqrt(width)

    def shared(self, x: Tensor) -> Tensor:
        return x.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.transpose(1, 2) for part in self.parts(self.qkv_proj(x)))
        weights = (q @ self.shared(k).mT / self.scale(q.shape[-1])).softmax(-1)
        return self.o_proj((weights @ self.shared(v)).transpose(1, 2).flatten(2))


@pytest.mark.parametrize(("n_kv_heads", "bias"), [(1, True), (2, False), (6, True)])
def test_a_fused_matrix_with_shared_heads_is_read(n_kv_heads: int, bias: bool) -> None:
    report = right(Fused(6, n_kv_heads, bias=bias))
    assert "6 heads of width 8, weights of qkv_proj, o_proj" in report.how


def test_mistakes_behind_a_fused_matrix_with_shared_heads_are_found() -> None:
    unscaled = type("Unscaled", (Fused,), {"scale": lambda self, width: 1.0})
    assert ids(unscaled()) == ["scale-missing"]


def test_of_a_fused_matrix_in_another_order_the_orders_that_are_known_are_said() -> None:
    def parts(self: Fused, fused: Tensor) -> tuple[Tensor, ...]:
        """As in Falcon: a group's queries, its keys, its values, then the next group's."""
        heads = fused.unflatten(-1, (self.n_kv_heads, -1, 48 // self.n_heads))
        return heads[..., :-2, :].flatten(2, 3), heads[..., -2, :], heads[..., -1, :]

    (finding,) = av.check_attention(type("GroupByGroup", (Fused,), {"parts": parts})()).findings
    assert finding.id == "differs"
    assert "a fused matrix is read as queries, keys, values, or head after head" in finding.fix


def head_by_head(self: Fused, fused: Tensor) -> tuple[Tensor, ...]:
    """As in BLOOM: each head's query, its key, its value."""
    return fused.unflatten(-1, (self.n_heads, 3, -1)).unbind(3)


def test_a_fused_matrix_that_lies_head_by_head_is_read_and_noted() -> None:
    report = right(type("HeadByHead", (Fused,), {"parts": head_by_head})(6, 6))
    assert [note.id for note in report.notes] == ["parameters-read"]


class QueriesAndKv(nn.Module):
    """Attends to another text: W_Q by itself; W_K and W_V of two shared heads in one matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.heads = 6
        self.to_q, self.to_kv = nn.Linear(48, 48), nn.Linear(48, 32)
        self.to_out = nn.Sequential(nn.Linear(48, 48), nn.Dropout(0.1))

    def forward(self, x: Tensor, context: Tensor) -> Tensor:
        q = self.to_q(x).unflatten(-1, (6, 8)).transpose(1, 2)
        k, v = self.to_kv(context).unflatten(-1, (2, 2, 8)).permute(2, 0, 3, 1, 4).repeat_interleave(3, dim=2)
        return self.to_out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


def test_keys_and_values_in_one_shared_matrix_are_read() -> None:
    right(QueriesAndKv())


class Second(Right):
    """q_bias and v_bias beside those of w_q and w_v."""

    def __init__(self, shape: tuple[int, ...] = (24,), *, bias: bool = True) -> None:
        super().__init__(bias=bias)
        self.q_bias, self.v_bias = nn.Parameter(torch.zeros(shape)), nn.Parameter(torch.zeros(shape))

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        q, k, v = super().project(x)
        return q + self.q_bias.flatten(), k, v + self.v_bias.flatten()


@pytest.mark.parametrize("shape", [(24,), (3, 1, 8)])
def test_a_bias_of_another_name_is_added(shape: tuple[int, ...]) -> None:
    assert "gradients" in right(Second(shape, bias=False)).checked
    assert ids(Second(shape)) == ["cannot-compare"]  # two for one projection


def test_biases_beside_a_fused_matrix_are_added() -> None:
    class Biased(Fused):
        def __init__(self) -> None:
            super().__init__(6, 6, bias=False)
            self.q_bias, self.v_bias = nn.Parameter(torch.zeros(48)), nn.Parameter(torch.zeros(48))

        def parts(self, fused: Tensor) -> tuple[Tensor, ...]:
            q, k, v = super().parts(fused)
            return q + self.q_bias.view(6, 8), k, v + self.v_bias.view(6, 8)

    right(Biased())


def test_a_bias_that_fits_no_projection_leaves_no_verdict() -> None:
    layer = Right()
    layer.q_bias = nn.Parameter(torch.zeros(7))
    assert ids(layer) == ["cannot-compare"]
