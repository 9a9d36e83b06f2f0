"""A layer that normalises inside is a variant: what is left without its norms is compared, and that is said."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, deaf, only, right, unscaled


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


class AddAndNorm(Right):
    """A residual connection and a norm behind it, inside, as in attention-is-all-you-need-pytorch."""

    def __init__(self) -> None:
        super().__init__()
        self.layer_norm, self.dropout = nn.LayerNorm(24), nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        out, weights = super().forward(x, mask)
        return self.layer_norm(self.dropout(out) + x), weights


def cosine(self: Right, q: Tensor, k: Tensor) -> Tensor:
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT * 10


@pytest.mark.parametrize(("layer", "words"), [
    (Normed(nn.LayerNorm), ()),
    (Normed(nn.RMSNorm), ()),
    (Normed(RMSNorm), ()),
    (broken(scores=cosine), ("scale of its own",)),
    (broken(project=lambda self, x: Right.project(self, F.layer_norm(x, (24,)))), ()),
    (AddAndNorm(), ("adds its input",)),
], ids=["LayerNorm", "RMSNorm", "by hand", "cosine", "before", "with a residual"])  # fmt: skip
def test_norms_are_noted(layer: nn.Module, words: tuple[str, ...]) -> None:
    report = right(layer)
    assert any(what.startswith("its norms") for what in report.unchecked), str(report)
    (note,) = [note for note in report.notes if note.id == "norms"]
    assert all(word in note.sentence for word in words)


@pytest.mark.parametrize(("layer", "id"), [
    (broken(Normed, project=lambda s, x: (s.w_q(x), s.w_v(x), s.w_k(x))), "k-and-v-swapped"),
    (broken(AddAndNorm, hide=deaf), "mask-ignored"),
    (broken(AddAndNorm, scores=unscaled), "scale-missing"),
    (broken(weights=lambda s, m: F.layer_norm(m, m.shape[-1:]).softmax(-1)), "differs"),  # where no norm belongs
])  # fmt: skip
def test_mistakes_beside_norms_are_found(layer: nn.Module, id: str) -> None:
    only(layer, id)
