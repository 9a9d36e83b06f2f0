"""A layer that normalises inside is a variant: what is left without its norms is compared, and that is said."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, ids, only, right


def noted(subject: object) -> Any:
    """The report of a layer without fault, and its note about norms."""
    report = right(subject)
    assert any(what.startswith("its norms") for what in report.unchecked), str(report)
    (note,) = [note for note in report.notes if note.id == "norms"]
    return note


class RMSNorm(nn.Module):
    """As in Llama, by hand."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Normed(Right):
    """Normalises q and k of each head."""

    def __init__(self, kind: Any = nn.LayerNorm) -> None:
        super().__init__()
        self.q_norm, self.k_norm = kind(8), kind(8)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return super().scores(self.q_norm(q), self.k_norm(k))


@pytest.mark.parametrize("kind", [nn.LayerNorm, nn.RMSNorm, RMSNorm])
def test_norms_of_q_and_k_are_noted(kind: Any) -> None:
    note = noted(Normed(kind))
    assert "the queries and the keys" in note.sentence


def test_a_norm_of_q_and_k_without_parameters_is_noted_and_so_is_its_scale() -> None:
    def cosine(s: Right, q: Tensor, k: Tensor) -> Tensor:
        return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT * 10

    note = noted(broken(scores=cosine))
    assert "the queries and the keys" in note.sentence
    assert "scale of its own" in note.sentence


def test_a_norm_of_the_input_is_noted() -> None:
    class Before(Right):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.LayerNorm(24)

        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            return super().forward(self.norm(x), mask)

    assert "the input" in noted(Before()).sentence


class AddAndNorm(Right):
    """A residual connection and a norm behind it, inside, as in attention-is-all-you-need-pytorch."""

    def __init__(self) -> None:
        super().__init__()
        self.layer_norm, self.dropout = nn.LayerNorm(24), nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        out, weights = super().forward(x, mask)
        return self.layer_norm(self.dropout(out) + x), weights


def test_a_residual_connection_beside_a_norm_is_noted() -> None:
    note = noted(AddAndNorm())
    assert "the output" in note.sentence and "adds its input" in note.sentence


def test_mistakes_beside_norms_are_found() -> None:
    class Swapped(Normed):
        def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            return self.w_q(x), self.w_v(x), self.w_k(x)

    class Deaf(AddAndNorm):
        def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
            return scores

    class Unscaled(AddAndNorm):
        def scores(self, q: Tensor, k: Tensor) -> Tensor:
            return q @ k.mT

    class DropsScores(AddAndNorm):
        def weights(self, masked: Tensor) -> Tensor:
            return F.dropout(masked, 0.1, self.training).softmax(-1)

    assert only(Swapped()).id == "k-and-v-swapped"
    assert only(Deaf()).id == "mask-ignored"
    assert only(Unscaled()).id == "scale-missing"
    assert only(DropsScores()).id == "dropout-before-softmax"


def test_a_norm_of_the_scores_is_no_variant_that_is_known() -> None:
    assert "differs" in ids(broken(weights=lambda s, m: F.layer_norm(m, m.shape[-1:]).softmax(-1)))
