"""Dropout belongs behind the softmax, is rescaled, and draws for each weight of each call by itself."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, ids, only, right


class Dropping(Right):
    """Causal, with dropout of one of its values by torch's module, by torch's function, or by hand."""

    def __init__(self, where: str, how: str, p: float = 0.3) -> None:
        super().__init__()
        self.where, self.how, self.p_drop = where, how, p
        self.layer = nn.Dropout(p)

    def dropped(self, x: Tensor, where: str) -> Tensor:
        if where != self.where:
            return x
        if self.how == "module":
            return self.layer(x)  # type: ignore[no-any-return]
        if self.how == "function":
            return F.dropout(x, self.p_drop, training=self.training)
        if not self.training:
            return x
        kept = torch.rand_like(x) >= self.p_drop
        share = {"by hand": 1 - self.p_drop, "by p": self.p_drop, "multiplied": 1 / (1 - self.p_drop)}
        return x * kept / share[self.how]

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.dropped(x, "input")
        return self.dropped(self.w_q(x), "queries"), self.w_k(x), self.dropped(self.w_v(x), "values")

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        scores = self.dropped(super().scores(q, k), "scores")
        past = torch.ones(scores.shape[-2:]).tril().bool()
        return scores.masked_fill(~past, -math.inf)

    def weights(self, masked: Tensor) -> Tensor:
        return self.dropped(masked.softmax(-1), "weights")

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        out, weights = super().forward(x, mask)
        return self.dropped(out, "output"), weights


def fused(self: Right, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, None]:
    return F.scaled_dot_product_attention(q, k, v, mask, 0.2 if self.training else 0.0), None


@pytest.mark.parametrize("layer", [
    Dropping("weights", "module", 0.0), Dropping("weights", "function", 0.1), Dropping("weights", "by hand", 0.1),
    Dropping("weights", "by hand", 0.5), broken(attend=fused), *(nn.MultiheadAttention(24, 3, p) for p in (0.0, 0.3)),
])  # fmt: skip
def test_dropout_of_the_weights_is_right(layer: nn.Module) -> None:
    own = getattr(layer, "dropout", None)  # torch's number
    assert "dropout of the weights" in right(layer).checked
    assert getattr(layer, "dropout", None) == own


@pytest.mark.parametrize(
    ("where", "how"), [("output", "module"), ("values", "by hand"), ("queries", "function"), ("input", "module")]
)
def test_dropout_elsewhere_is_no_fault(where: str, how: str) -> None:
    right(Dropping(where, how))


@pytest.mark.parametrize(("where", "how", "p", "id"), [
    ("scores", "function", 0.5, "dropout-before-softmax"),
    ("weights", "multiplied", 0.5, "dropout-not-rescaled"),
    ("weights", "by p", 0.1, "dropout-not-rescaled"),
])  # fmt: skip
def test_what_is_wrong_with_dropout_is_named(where: str, how: str, p: float, id: str) -> None:
    """By a module, and without any rescaling, docs/mistakes.md has it."""
    only(Dropping(where, how, p), id)


def test_minus_1e9_does_not_hide_what_comes_after_it() -> None:
    dropping = broken(
        hide=lambda s, x, mask: x if mask is None else x.masked_fill(~mask, -1e9),
        weights=lambda s, masked: F.dropout(masked, 0.1, s.training).softmax(-1),
    )
    assert ids(dropping) == ["blocked-row-looks-everywhere", "dropout-before-softmax"]


def test_chance_that_is_rare_is_not_taken_for_a_fault_of_training_mode() -> None:
    def drops_paths(self: Right, context: Tensor) -> Tensor:
        kept = (torch.rand(len(context), 1, 1) >= 0.05) / 0.95 if self.training else 1.0
        return Right.join(self, context) * kept

    right(broken(join=drops_paths))


class Bare(Dropping):
    """Attention without matrices, as in d2l."""

    def __init__(self, where: str) -> None:
        super().__init__(where, "module")
        self.w_q = self.w_k = self.w_v = self.w_o = None  # type: ignore[assignment]

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:  # type: ignore[override]
        return self.attend(queries, keys, values, None)[0]


def test_a_layer_without_matrices_is_tried_in_training_mode_too() -> None:
    assert {"dropout of the weights", "training mode"} <= set(right(Bare("weights")).checked)
    only(Bare("scores"), "dropout-before-softmax")


def _kept(shape: Callable[[Tensor], tuple[int, ...]]) -> Callable[[Right, Tensor], Tensor]:
    """Dropout by hand with one draw for everything along the axes of length 1 in `shape`."""

    def weights(self: Right, masked: Tensor) -> Tensor:
        found = masked.softmax(-1)
        return found * (torch.rand(shape(found)) >= 0.2) / 0.8 if self.training else found

    return weights


@pytest.mark.parametrize(("shape", "words"), [
    (lambda w: (1, *w.shape[1:]), "the same weights are dropped in all texts"),
    (lambda w: (*w.shape[:2], 1, 1), "all weights of a head are dropped at once, or none"),
])  # fmt: skip
def test_one_draw_for_several_weights_is_found(shape: Callable[[Tensor], tuple[int, ...]], words: str) -> None:
    only(broken(weights=_kept(shape)), "dropout-shared", f"In training mode {words}; expected")


def test_a_seed_set_in_forward_is_found() -> None:
    """Where it is set in both modes, docs/mistakes.md has it."""

    def weights(self: Right, masked: Tensor) -> Tensor:
        torch.manual_seed(0)
        return F.dropout(masked.softmax(-1), 0.3)

    in_training = broken(weights=lambda s, m: weights(s, m) if s.training else m.softmax(-1))
    only(in_training, "dropout-shared", "the same weights are dropped at every call")
    assert ids(broken(weights=weights)) == ["reseeds", "dropout-at-eval"]
