"""Matrices that are fused, shared or named otherwise, and biases of another name: a verdict for each, or none."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Grouped, Right, broken, only, replaced, right, unscaled


class Fused(Right):
    """One matrix makes all queries, then the shared keys, then the shared values."""

    def __init__(self, n_heads: int = 6, n_kv_heads: int = 2, *, bias: bool = True) -> None:
        nn.Module.__init__(self)
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.qkv_proj = nn.Linear(48, (n_heads + 2 * n_kv_heads) * (48 // n_heads), bias)
        self.w_o = nn.Linear(48, 48, bias)

    def parts(self, fused: Tensor) -> tuple[Tensor, ...]:
        """[B, T, rows] -> q [B, T, H, d_k], k and v [B, T, G, d_k]."""
        heads = fused.unflatten(-1, (-1, 48 // self.n_heads))
        return heads.split([self.n_heads, self.n_kv_heads, self.n_kv_heads], dim=2)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        return self.parts(self.qkv_proj(x))

    def split(self, x: Tensor) -> Tensor:
        return x.repeat_interleave(self.n_heads // x.shape[2], dim=2).transpose(1, 2)


@pytest.mark.parametrize(("n_kv_heads", "bias"), [(1, True), (2, False), (6, True)])
def test_a_fused_matrix_with_shared_heads_is_read(n_kv_heads: int, bias: bool) -> None:
    assert "6 heads of width 8, weights of qkv_proj, w_o" in right(Fused(6, n_kv_heads, bias=bias)).how
    only(broken(Fused, 6, n_kv_heads, scores=unscaled), "scale-missing")


def group_by_group(self: Fused, fused: Tensor) -> tuple[Tensor, ...]:
    """As in Falcon: a group's queries, its keys, its values, then the next group's."""
    heads = fused.unflatten(-1, (self.n_kv_heads, -1, 48 // self.n_heads))
    return heads[..., :-2, :].flatten(2, 3), heads[..., -2, :], heads[..., -1, :]


def head_by_head(self: Fused, fused: Tensor) -> tuple[Tensor, ...]:
    """As in BLOOM: each head's query, its key, its value."""
    return fused.unflatten(-1, (self.n_heads, 3, -1)).unbind(3)


def test_a_fused_matrix_that_lies_head_by_head_or_group_by_group_is_noted() -> None:
    assert "(head, q k v, feature)" in right(broken(Fused, 6, 6, parts=head_by_head)).notes[0].sentence
    assert "group by group" in right(broken(Fused, parts=group_by_group)).notes[0].sentence


class QueriesAndKv(Grouped):
    """Attends to another text: W_Q by itself; W_K and W_V of two shared heads in one matrix."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.heads = 6
        self.to_q, self.to_kv = nn.Linear(48, 48), nn.Linear(48, 32)
        self.to_out = nn.Sequential(nn.Linear(48, 48), nn.Dropout(0.1))

    def forward(self, x: Tensor, context: Tensor) -> Tensor:  # type: ignore[override]
        q, k, v = map(self.split, (self.to_q(x), *self.to_kv(context).chunk(2, -1)))
        return self.to_out(self.join(self.attend(q, k, v, None)[0]))


class Second(Right):
    """q_bias and v_bias in place of those of w_q and w_v."""

    def __init__(self, *shape: int, **sizes: int) -> None:
        super().__init__(bias=False, **sizes)
        self.q_bias, self.v_bias = nn.Parameter(torch.zeros(shape)), nn.Parameter(torch.zeros(shape))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        q, k, v = super().project(x)
        return q + self.q_bias.view(q.shape[2:]), k, v + self.v_bias.view(v.shape[2:])


class SecondFused(Second, Fused):
    """The same beside a fused matrix."""


@pytest.mark.parametrize("layer", [Second(24), Second(3, 1, 8), SecondFused(48, n_kv_heads=6), QueriesAndKv()])
def test_keys_and_values_in_one_shared_matrix_are_read_and_a_bias_of_another_name_is_added(layer: nn.Module) -> None:
    assert "gradients" in right(layer).checked


class Renamed(Right):
    """The matrix of the output has a name that is not known, and stands behind the joined heads or beside them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.last = name
        setattr(self, name, self.w_o)
        del self.w_o

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        context, _ = self.attend(*map(self.split, self.project(x)), mask)
        joined, last = self.join(context), getattr(self, self.last)
        return joined * last(x).sigmoid() if self.last == "gate" else last(joined)


def test_the_one_matrix_that_is_left_is_that_of_the_output_unless_it_is_a_gate() -> None:
    assert "weights of w_q, w_k, w_v, combine_heads" in right(Renamed("combine_heads")).how
    only(Renamed("gate"), "differs", "no part of attention (gate.weight, gate.bias)")


class OneForAll(Right):
    """As in a much-copied tutorial: small matrices that all heads share, values first, a mask that must be passed."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.heads, self.head_dim = 4, 6
        self.values, self.keys, self.queries = (nn.Linear(6, 6, bias=False) for _ in range(3))
        self.fc_out = nn.Linear(24, 24)

    def forward(self, values: Tensor, keys: Tensor, query: Tensor, mask: Tensor | None) -> Tensor:  # type: ignore[override]
        named = ((self.queries, query), (self.keys, keys), (self.values, values))
        q, k, v = (layer(x.unflatten(-1, (4, 6))).transpose(1, 2) for layer, x in named)
        context, _ = self.attend(q, k, v, mask)
        return self.fc_out(self.join(context))


def test_small_matrices_that_all_heads_share_are_read_and_noted() -> None:
    report = right(OneForAll())
    (note,) = [note for note in report.notes if note.id == "parameters-read"]
    assert "layer(values, keys, query, mask=…)" in report.how
    assert "All 4 heads use the same matrices of [6, 6]" in note.sentence
    assert "gradients" in report.checked
    only(broken(OneForAll, scores=lambda s, q, k: q @ k.mT / math.sqrt(24)), "scale-by-model-width")


@pytest.mark.parametrize("parts", [
    {"w_o": nn.Linear(20, 24)},
    {"q_bias": nn.Parameter(torch.zeros(7))},
    {"in_proj_bias": nn.Parameter(torch.zeros(72))},
    {f"w_{letter}": nn.Conv1d(24, 24, 1) for letter in "qkvo"},
    {"n_heads": 1, "w_q": nn.Linear(24, 8), "w_k": nn.Linear(24, 8), "w_v": nn.Linear(8, 1), "w_o": None},
], ids=["W_O does not fit", "a bias fits nothing", "two biases", "convolutions", "additive attention"])  # fmt: skip
def test_what_is_no_attention_of_four_matrices_gets_no_verdict(parts: dict[str, nn.Module]) -> None:
    only(replaced(**parts), "cannot-compare")
    assert str(av.check_attention(replaced(**parts))).startswith("Right: no verdict.\n")


class OneMatrix(Right):
    """One matrix makes several of queries, keys and values, as the queries and keys of the Reformer."""

    def __init__(self, name: str, letters: str, n_kv_heads: int = 3) -> None:
        nn.Module.__init__(self)
        self.n_heads, self.name, self.letters, self.to_out = 3, name, letters, nn.Linear(24, 24)
        self.add_module(name, nn.Linear(24, 24 if "q" in letters else 8 * n_kv_heads))
        for letter in set("qkv") - set(letters):
            self.add_module(f"to_{letter}", nn.Linear(24, 24))

    def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
        named = (self.get_submodule(self.name if one in self.letters else f"to_{one}") for one in "qkv")
        q, k, v = (heads.repeat_interleave(3 // heads.shape[1], 1) for heads in (self.cut(w(x)) for w in named))
        return self.to_out(self.join(self.attend(q, k, v, None)[0]))

    def cut(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (-1, 8)).transpose(1, 2)


ONE_MATRIX = [("to_qk", "qk"), ("shared_qk", "qk"), ("to_kv", "kv"), ("to_qkv", "qkv"), ("w_qv", "qv")]


@pytest.mark.parametrize(("name", "letters"), ONE_MATRIX)
def test_one_matrix_may_make_several_of_queries_keys_and_values(name: str, letters: str) -> None:
    report = right(OneMatrix(name, letters))
    (note,) = [note for note in report.notes if note.id == "parameters-read"]
    assert note.sentence.startswith(f"{name}.weight makes the {'queries' if 'q' in letters else 'keys'} and the ")
    assert "gradients" in report.checked and "3 heads of width 8" in report.how
    assert "3 heads of width 8" in right(OneMatrix("to_kv", "kv", 1)).how


@pytest.mark.parametrize(("name", "letters"), ONE_MATRIX)
def test_a_mistake_beside_one_matrix_for_several_is_named(name: str, letters: str) -> None:
    only(broken(OneMatrix, name, letters, scores=unscaled), "scale-missing", "for heads of width 8")


@pytest.mark.parametrize("missing", ["w_q", "w_k", "w_v"])
def test_a_layer_without_one_of_the_matrices_gets_no_verdict(missing: str) -> None:
    def project(self: Right, x: Tensor) -> tuple[Tensor, ...]:
        return tuple(x if name == missing else getattr(self, name)(x) for name in ("w_q", "w_k", "w_v"))

    layer = broken(project=project)
    delattr(layer, missing)
    only(layer, "cannot-compare")


@pytest.mark.parametrize("bias", [True, False])
def test_a_fused_bias_beside_three_matrices_is_no_fused_matrix(bias: bool) -> None:
    report = right(nn.MultiheadAttention(24, 3, bias=bias, kdim=10, vdim=14, batch_first=True))
    assert not any(note.id == "parameters-read" for note in report.notes)
