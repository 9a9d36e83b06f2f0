"""The same layer called otherwise: with a second text, by names, with wider values."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from torch import Tensor, nn
from torch.nn import functional as F

from tests.unit.checking.layers import Right, broken, only, replaced, right, unscaled


class Cross(Right):
    """Self-attention, or attention to another text where one is given."""

    def __init__(self, context_width: int = 24) -> None:
        super().__init__()
        self.w_k, self.w_v = nn.Linear(context_width, 24), nn.Linear(context_width, 24)

    def sources(self, x: Tensor, context: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        return x, x if context is None else context, x if context is None else context

    def heads(self, query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.split(self.w_q(query)), self.split(self.w_k(key)), self.split(self.w_v(value))

    def forward(self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None) -> Any:  # type: ignore[override]
        self.is_cross, self.tokens = context is not None, x.shape[1]
        found, weights = self.attend(*self.heads(*self.sources(x, context)), mask)
        return self.w_o(self.join(found)), weights


def test_an_optional_second_text_is_tried() -> None:
    assert "a second text (context)" in right(Cross()).checked
    only(broken(Cross, scores=unscaled), "scale-missing")  # once


class OfTheKeys(nn.MultiheadAttention):
    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Any:  # type: ignore[override]
        return super().forward(query, key, key, average_attn_weights=False)


def reading(sources: Callable[..., Any]) -> nn.Module:
    """`Cross` whose queries, keys and values are made of these."""
    return broken(Cross, sources=sources)


@pytest.mark.parametrize(
    "layer", [Cross(10), reading(lambda s, x, c: (x, c[:], c[:]))], ids=["another width", "needed"]
)
def test_an_optional_second_text_that_cannot_be_left_out_is_given(layer: nn.Module) -> None:
    assert "layer(x, context, mask=…)" in right(layer).how


@pytest.mark.parametrize(("layer", "id", "words"), [
    (reading(lambda s, x, c: (x, x, x)), "texts-mixed-up", "Nothing is made of context"),
    (reading(lambda s, x, c: (x if c is None else c, x, x)), "texts-mixed-up", "the queries are made of context"),
    (broken(Cross, scores=lambda s, q, k: q @ k.mT / (1 if s.is_cross else math.sqrt(8))), "scale-missing",
     "With a second text (context): The scale is missing"),
    (reading(lambda s, x, c: (x, x if c is None else c[..., :-1], x)), "raises",
     "With a second text (context) it stops with an error: RuntimeError"),
    (broken(Cross, hide=lambda s, x, mask: Right.hide(s, x, None if s.is_cross else mask)), "mask-ignored",
     "With a second text (context): The mask is ignored"),
    (OfTheKeys(24, 3, batch_first=True), "texts-mixed-up",
     "the values are made of key, expected of value. Nothing is made of value."),
])  # fmt: skip
def test_a_fault_with_the_second_text_alone_or_the_values_is_found(layer: nn.Module, id: str, words: str) -> None:
    only(layer, id, words)


def test_a_triangle_over_the_second_text_is_noted() -> None:
    class Causal(Cross):
        is_always = True

        def forward(self, x: Tensor, context: Tensor | None = None) -> Any:  # type: ignore[override]
            is_causal = self.is_always or context is None
            q, k, v = self.heads(*self.sources(x, context))
            return self.w_o(self.join(F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)))

    assert [note.id for note in right(Causal()).notes] == ["causal", "causal"]
    report = right(broken(Causal, is_always=False))
    assert [note.id for note in report.notes] == ["causal"]


def test_value_before_key_as_in_keras_is_told_by_the_names() -> None:
    class Keras(Cross):
        def forward(  # type: ignore[override]
            self, query: Tensor, value: Tensor | None = None, key: Tensor | None = None,
            return_attention_scores: bool = False,
        ) -> Any:  # fmt: skip
            value = query if value is None else value
            found, weights = self.attend(*self.heads(query, value if key is None else key, value), None)
            out = self.w_o(self.join(found))
            return (out, weights) if return_attention_scores else out

    report = right(Keras())
    assert "layer(query, value, key)" in report.how
    assert "weights" in report.checked


def test_inputs_that_are_keyword_only_are_given_by_name() -> None:
    layer = broken(forward=lambda self, *, x, mask=None: Right.forward(self, x, mask))
    assert "layer(x, mask=…)" in right(layer).how
    right(lambda *, query, value, key: F.scaled_dot_product_attention(query, key, value))
    right(lambda q, *, k, v: F.scaled_dot_product_attention(q, k, v))


def test_arguments_left_at_their_defaults_are_listed() -> None:
    layer = broken(forward=lambda self, x, mask=None, past=None, use_cache=False: Right.forward(self, x, mask))
    assert "arguments left at their defaults: past, use_cache" in right(layer).unchecked
    assert not any("arguments" in what for what in right(Right()).unchecked)


def refuses(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    if v.shape[-1] != k.shape[-1]:
        raise ValueError("one width, please")
    return F.scaled_dot_product_attention(q, k, v)


def cuts(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)[..., : k.shape[-1]]


@pytest.mark.parametrize("function", [refuses, cuts])
def test_values_of_another_width_that_cannot_be_tried_are_listed(function: Callable[..., Tensor]) -> None:
    assert any("values wider than keys" in reason for reason in right(function).unchecked)


def test_a_layer_that_scales_by_the_width_of_its_values_is_found() -> None:
    wide = replaced(w_v=nn.Linear(24, 30), w_o=nn.Linear(30, 24), scores=lambda q, k: q @ k.mT / math.sqrt(10))
    only(wide, "scale-by-value-width", "√d_v = 3.162")
