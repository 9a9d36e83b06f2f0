"""What chance may not do: start anew at each call, or decide for several weights with one draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

import attnviz as av
from tests.unit.checking.layers import Right, broken, ids, only, right


def _kept(shape: Callable[[Tensor], tuple[int, ...]]) -> Callable[[Right, Tensor], Tensor]:
    """Dropout by hand with one draw for everything along the axes of length 1 in `shape`."""

    def weights(self: Right, masked: Tensor) -> Tensor:
        found = masked.softmax(-1)
        return found * (torch.rand(shape(found)) >= 0.2) / 0.8 if self.training else found

    return weights


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (lambda w: (w.shape[0], 1, *w.shape[2:]), "the same weights are dropped in all heads"),
        (lambda w: (1, *w.shape[1:]), "the same weights are dropped in all texts"),
        (lambda w: (*w.shape[:2], 1, 1), "all weights of a head are dropped at once, or none"),
        (lambda w: (*w.shape[:2], 1, w.shape[3]), "a key is dropped for all queries at once"),
        (lambda w: (*w.shape[:3], 1), "all weights of a query are dropped at once, or none"),
    ],
    ids=["heads", "texts", "a head", "a key", "a query"],
)
def test_one_draw_for_several_weights_is_found(shape: Callable[[Tensor], tuple[int, ...]], words: str) -> None:
    report = av.check_attention(broken(weights=_kept(shape)))
    assert [found.id for found in report.findings] == ["dropout-shared"]
    assert report.findings[0].sentence.startswith(f"In training mode {words}; expected")
    right(broken(weights=_kept(lambda w: tuple(w.shape))))


class TorchsOn(Right):
    """`drop` is a layer of torch, called on ones or on the weights themselves."""

    def __init__(self, drop: nn.Module, on_ones: bool) -> None:
        super().__init__()
        self.drop, self.on_ones = drop, on_ones

    def weights(self, masked: Tensor) -> Tensor:
        found = masked.softmax(-1)
        kept: Tensor = self.drop(torch.ones_like(found[:, :1])) * found if self.on_ones else self.drop(found)
        return kept


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (TorchsOn(nn.Dropout(0.1), on_ones=True), "the same weights are dropped in all heads"),
        (TorchsOn(nn.Dropout2d(0.2), on_ones=False), "all weights of a head are dropped at once, or none"),
    ],
    ids=["ones of one head", "Dropout2d"],
)
def test_torchs_dropout_with_one_draw_for_several_weights_is_found(layer: nn.Module, words: str) -> None:
    report = av.check_attention(layer)
    assert [found.id for found in report.findings] == ["dropout-shared"]
    assert words in report.findings[0].sentence


def test_dropout2d_that_never_stops_is_active_in_eval_mode() -> None:
    report = av.check_attention(broken(weights=lambda self, masked: F.dropout2d(masked.softmax(-1), 0.2)))
    assert report.findings[0].id == "dropout-at-eval"


def _seeding(self: Right, masked: Tensor) -> Tensor:
    torch.manual_seed(0)
    return F.dropout(masked.softmax(-1), 0.1, self.training)


def _seeding_in_training(self: Right, masked: Tensor) -> Tensor:
    return _seeding(self, masked) if self.training else masked.softmax(-1)


def _seeding_and_dropping_always(self: Right, masked: Tensor) -> Tensor:
    torch.manual_seed(0)
    return F.dropout(masked.softmax(-1), 0.3)


@pytest.mark.parametrize(
    ("weights", "ids"),
    [
        (_seeding, ["reseeds"]),
        (_seeding_in_training, ["reseeds"]),
        (_seeding_and_dropping_always, ["reseeds", "dropout-at-eval"]),
    ],
    ids=["always", "in training", "with dropout in eval mode"],
)
def test_a_seed_set_in_forward_is_found(weights: Callable[[Right, Tensor], Tensor], ids: list[str]) -> None:
    layer = broken(weights=weights)
    before = torch.get_rng_state()
    report = av.check_attention(layer)
    assert [found.id for found in report.findings] == ids
    assert "torch.manual_seed" in report.findings[0].sentence
    assert torch.equal(before, torch.get_rng_state())


def test_a_seed_set_in_a_function_is_found() -> None:
    def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        torch.manual_seed(3)
        return F.scaled_dot_product_attention(q, k, v)

    assert ids(f) == ["reseeds"]


def test_a_generator_that_starts_again_at_each_call_is_found() -> None:
    def weights(self: Right, masked: Tensor) -> Tensor:
        again = torch.Generator().manual_seed(0)
        found = masked.softmax(-1)
        return found * (torch.rand(found.shape, generator=again) >= 0.2) / 0.8 if self.training else found

    report = av.check_attention(broken(weights=weights))
    assert report.findings[0].id == "dropout-repeats"
    assert "the same weights are dropped at every call" in report.findings[0].sentence


def test_a_seed_inside_fork_rng_is_found_by_what_it_drops() -> None:
    def weights(self: Right, masked: Tensor) -> Tensor:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return F.dropout(masked.softmax(-1), 0.2, self.training)

    assert ids(broken(weights=weights)) == ["dropout-repeats"]


def test_parameters_that_change_in_training_mode_alone_are_found() -> None:
    class Drifts(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            if self.training:
                with torch.no_grad():
                    self.w_k.weight.lerp_(self.w_q.weight, 0.01)
            return super().forward(x, mask)

    finding = only(Drifts())
    assert finding.id == "parameters-changed"
    assert finding.sentence.startswith("In training mode the call changes the layer's own parameters (w_k.weight)")


def test_a_checkpoint_around_dropout_is_no_fault() -> None:
    class Again(Right):
        def core(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            return F.dropout(self.weights(self.scores(q, k)), 0.1, self.training) @ v

        def forward(self, x: Tensor) -> Any:  # type: ignore[override]
            q, k, v = (self.split(part) for part in self.project(x))
            return self.w_o(self.join(checkpoint(self.core, q, k, v, use_reentrant=False)))

    report = right(Again())
    assert any("torch.utils.checkpoint" in reason for reason in report.unchecked)
