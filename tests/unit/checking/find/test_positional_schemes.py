"""Layers that add positions by themselves are compared with ours that does too, or told so."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.unit.checking.layers import Right, broken, deaf, only, right


def rotated(x: Tensor, angles: Tensor, how: str) -> Tensor:
    """[B, H, T, n] with angles [T, n / 2], by complex numbers: another way than the one that is tested."""
    pairs = x.unflatten(-1, (-1, 2)) if how == "pairs" else x.unflatten(-1, (2, -1)).mT
    turned = torch.view_as_complex(pairs.contiguous()) * torch.polar(torch.ones_like(angles), angles)
    real = torch.view_as_real(turned)
    return real.flatten(-2) if how == "pairs" else real.mT.flatten(-2)


class Rotary(Right):
    """Positions by rotation, of a share of each head."""

    def __init__(self, how: str, *, share: float = 1, base: float = 10000.0, width: int = 24) -> None:
        super().__init__(width, 3)
        self.how, self.share, self.rope_theta = how, share, base

    def turned(self, x: Tensor) -> Tensor:
        n = int(x.shape[-1] * self.share)
        frequencies = self.rope_theta ** (-torch.arange(0, n, 2).to(x) / n)
        angles = torch.arange(x.shape[-2]).to(x)[:, None] * frequencies
        return torch.cat([rotated(x[..., :n], angles, self.how), x[..., n:]], -1)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return super().scores(self.turned(q), self.turned(k))


@pytest.mark.parametrize(
    ("how", "share", "base"), [("halves", 1, 10000.0), ("pairs", 0.5, 10000.0), ("halves", 1, 500000.0)]
)
def test_rotary_positions_are_known_and_noted(how: str, share: float, base: float) -> None:
    report = right(Rotary(how, share=share, base=base, width=48))
    assert report.notes[0].id == "positions"
    words = "in neighbouring pairs" if how == "pairs" else "first with second half"
    assert words in report.notes[0].sentence and f"base {base:g}" in report.notes[0].sentence
    assert {"gradients", "weights", "a mask for each text"} <= set(report.checked)


@pytest.mark.parametrize(("how", "methods", "id", "words"), [
    ("halves", {"scores": lambda s, q, k: s.turned(q) @ s.turned(k).mT}, "scale-missing", "The scale is missing"),
    ("pairs", {"hide": deaf}, "mask-ignored", "The mask is ignored"),
    ("halves", {"scores": lambda s, q, k: Right.scores(s, s.turned(q), k)}, "rotary-on-one",
     "The rotary positions turn the queries and not the keys:"),
    ("pairs", {"scores": lambda s, q, k: Right.scores(s, q, s.turned(k))}, "rotary-on-one",
     "The rotary positions turn the keys and not the queries:"),
], ids=["unscaled", "deaf", "queries", "keys"])  # fmt: skip
def test_a_mistake_beside_rotary_positions_is_found(how: str, methods: dict[str, Any], id: str, words: str) -> None:
    only(broken(Rotary, how, **methods), id, words)


def test_a_table_of_angles_in_float32_is_near_enough() -> None:
    def turned(self: Any, x: Tensor) -> Tensor:
        pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
        return torch.view_as_real(pairs * self.table[: x.shape[-2]]).flatten(-2).to(x)

    angles = torch.outer(torch.arange(64).float(), 10000 ** (-torch.arange(0, 8, 2).float() / 8))
    layer = broken(Rotary, "pairs", turned=turned)
    layer.register_buffer("table", torch.polar(torch.ones_like(angles), angles))
    right(layer)


def biased(added: Callable[[int, int], Tensor]) -> nn.Module:
    def scores(self: Right, q: Tensor, k: Tensor) -> Tensor:
        return Right.scores(self, q, k) + added(q.shape[1], q.shape[2]).to(q)

    return broken(scores=scores)


def distances(tokens: int) -> Tensor:
    return torch.arange(tokens)[None, :] - torch.arange(tokens)[:, None]  # key minus query


@pytest.mark.parametrize("sign", ["distance", "offset"])
def test_alibi_is_known_and_noted(sign: str) -> None:
    def added(n_heads: int, tokens: int) -> Tensor:
        apart = distances(tokens)
        return torch.tensor([2**-4, 2**-8, 2**-2])[:, None, None] * (apart if sign == "offset" else -apart.abs())

    assert right(biased(added)).notes[0].sentence.startswith("It adds ALiBi")


def test_a_bias_of_positions_that_nobody_knows_is_called_so() -> None:
    layer = biased(lambda heads, tokens: torch.sin(distances(tokens).float()))
    words = "Where it looks depends on the places of the tokens", "Either it adds positions"
    only(layer, "adds-positions", *words, "rotary of the usual kinds and ALiBi")
