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


class GroupByGroup(Fused):
    """As in Falcon: a group's queries, its keys, its values, then the next group's."""

    def parts(self, fused: Tensor) -> tuple[Tensor, ...]:
        heads = fused.unflatten(-1, (self.n_kv_heads, -1, 48 // self.n_heads))
        return heads[..., :-2, :].flatten(2, 3), heads[..., -2, :], heads[..., -1, :]


@pytest.mark.parametrize(("n_kv_heads", "bias"), [(1, True), (2, False), (6, True)])
@pytest.mark.parametrize("kind", [Fused, GroupByGroup])
def test_a_fused_matrix_with_shared_heads_is_read(kind: type[Fused], n_kv_heads: int, bias: bool) -> None:
    report = right(kind(6, n_kv_heads, bias=bias))
    assert "6 heads of width 8, weights of qkv_proj, o_proj" in report.how


@pytest.mark.parametrize("kind", [Fused, GroupByGroup])
def test_mistakes_behind_a_fused_matrix_with_shared_heads_are_found(kind: type[Fused]) -> None:
    unscaled = type("Unscaled", (kind,), {"scale": lambda self, width: 1.0})
    assert ids(unscaled()) == ["scale-missing"]


def test_values_before_keys_in_a_shared_matrix_are_noted() -> None:
    def parts(self: Fused, fused: Tensor) -> tuple[Tensor, ...]:
        q, v, k = Fused.parts(self, fused)
        return q, k, v

    report = av.check_attention(type("Turned", (Fused,), {"parts": parts})())
    assert report.ok
    assert report.notes[0].sentence == "The fused matrix holds its parts in the order q, v, k."


class QueriesAndKv(nn.Module):
    """W_Q by itself; W_K and W_V of two shared heads in one matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.n_heads = 6
        self.to_q, self.to_kv, self.to_out = nn.Linear(48, 48), nn.Linear(48, 32), nn.Linear(48, 48)

    def forward(self, x: Tensor) -> Tensor:
        q = self.to_q(x).unflatten(-1, (6, 8)).transpose(1, 2)
        k, v = self.to_kv(x).unflatten(-1, (2, 2, 8)).permute(2, 0, 3, 1, 4).repeat_interleave(3, dim=2)
        return self.to_out(((q @ k.mT / math.sqrt(8)).softmax(-1) @ v).transpose(1, 2).flatten(2))


def test_keys_and_values_in_one_shared_matrix_are_read() -> None:
    right(QueriesAndKv())


class Apart(Fused):
    """Rotary, causal, and its keys and its values repeated each in their own way."""

    is_rotary = True

    def turned(self, x: Tensor) -> Tensor:
        half = x.shape[-1] // 2
        angles = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(half) / half)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)

    def tiled(self, x: Tensor) -> Tensor:
        return x.repeat(1, self.n_heads // self.n_kv_heads, 1, 1)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (part.transpose(1, 2) for part in self.parts(self.qkv_proj(x)))
        q, k = (self.turned(part) if self.is_rotary else part for part in (q, k))
        k, v = (self.tiled(k), self.shared(v)) if self.are_keys_tiled else (self.shared(k), self.tiled(v))
        future = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        scores = (q @ k.mT / self.scale(q.shape[-1])).masked_fill(future, -math.inf)
        scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
        return self.o_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


@pytest.mark.parametrize(
    ("are_keys_tiled", "tiled", "neighbours", "is_rotary"),
    [(True, "keys", "values", True), (False, "values", "keys", False)],
)
def test_keys_and_values_that_do_not_belong_together_are_named(
    are_keys_tiled: bool, tiled: str, neighbours: str, is_rotary: bool
) -> None:
    kind = type("OneEach", (Apart,), {"are_keys_tiled": are_keys_tiled, "is_rotary": is_rotary})
    finding = av.check_attention(kind()).findings[0]
    assert finding.id == f"shared-{tiled}-tiled"
    assert f"the {tiled} are repeated with .repeat and the {neighbours} with .repeat_interleave" in finding.sentence
    if not is_rotary:
        unscaled = type("Unscaled", (kind,), {"scale": lambda self, width: 1.0})
        found = av.check_attention(unscaled()).findings
        assert [one.id for one in found] == ["scale-missing", f"shared-{tiled}-tiled"]


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
    class Fused(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.num_heads = 3
            self.qkv, self.proj = nn.Linear(24, 72, bias=False), nn.Linear(24, 24)
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
