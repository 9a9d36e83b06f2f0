"""Faults that show only under a mask, in training mode, in a longer text or with large scores are found too."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnviz as av
from tests.unit.checking.layers import Right, broken, only, right


class ShowsTheUnmasked(Right):
    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        return super().forward(x, mask)[0], super().forward(x)[1]


def test_weights_that_ignore_the_mask_are_found_though_the_output_is_right() -> None:
    finding = only(ShowsTheUnmasked())
    assert finding.id == "weights-without-mask"
    assert "the returned weights are those without it" in finding.sentence


def test_one_text_s_mask_for_all_texts_is_found() -> None:
    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        if mask is None:
            return scores
        return scores.masked_fill(~(mask if mask.ndim == 2 else mask[:1]), -math.inf)

    finding = only(broken(hide=hide))
    assert finding.id == "mask-of-one-text"
    assert "The mask of text 0 is used for all texts" in finding.sentence


def test_one_text_s_mask_for_all_in_one_of_two_shapes_is_found() -> None:
    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        return Right.hide(self, scores, mask[:1, None] if mask is not None and mask.ndim == 3 else mask)

    assert only(broken(hide=hide)).id == "mask-of-one-text"


@pytest.mark.parametrize("mix", [lambda m: m.roll(1, 0), lambda m: m.all(0, keepdim=True), lambda m: m.any(0)[None]])
def test_masks_of_several_texts_that_are_mixed_are_found(mix: Any) -> None:
    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        return Right.hide(self, scores, mix(mask) if mask is not None and mask.ndim == 4 else mask)

    assert only(broken(hide=hide)).id == "mask-per-text-differs"


def test_a_mistake_that_values_of_another_width_cannot_have_ends_in_a_report() -> None:
    def asks_values(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        keys = v if v.shape[-1] == q.shape[-1] else k
        return (q @ keys.mT / q.shape[-1] ** 0.5).softmax(-1) @ v

    report = av.check_attention(asks_values)
    assert len(report.findings) == 1 and "values wider than keys" in str(report)


def test_a_wrong_scale_or_an_ignored_mask_while_training_is_found() -> None:
    def scores(self: Right, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / (1 if self.training else math.sqrt(q.shape[-1]))

    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None or self.training else scores.masked_fill(~mask, -math.inf)

    finding = only(broken(scores=scores))
    assert finding.id == "training-differs" and "The scale is missing" in finding.sentence
    finding = only(broken(hide=hide))
    assert finding.id == "mask-in-training" and "the mask is ignored" in finding.sentence


def test_dropout_of_every_kind_is_no_fault_of_training_mode() -> None:
    class Dropping(Right):
        def __init__(self, kind: str) -> None:
            super().__init__()
            self.kind, self.dropout_p, self.layer = kind, 0.3, nn.Dropout(0.3)

        def weights(self, masked: Tensor) -> Tensor:
            weights = masked.softmax(-1)
            if self.kind == "module":
                return self.layer(weights)
            if self.kind == "function":
                return F.dropout(weights, 0.3, training=self.training)
            return weights * (torch.rand_like(weights) > 0.3) / 0.7 if self.training else weights

    for kind in ("module", "function", "by hand"):
        right(Dropping(kind))
    right(nn.MultiheadAttention(24, 3, dropout=0.3))


def test_a_fault_of_longer_texts_alone_is_found() -> None:
    def scores(self: Right, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.mT / (1 if k.shape[-2] > 16 else math.sqrt(q.shape[-1]))

    class Doubles(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            out, weights = super().forward(x, mask)
            return out * (2 if x.shape[1] >= 8 else 1), weights

    finding = only(broken(scores=scores))
    assert finding.id == "longer-text-differs"
    assert "With a text of 33 tokens the output is wrong" in finding.sentence
    assert "The scale is missing" in finding.sentence
    assert only(Doubles()).id == "longer-text-differs"


def test_a_layer_that_refuses_longer_texts_is_right() -> None:
    class Short(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            if x.shape[1] > 16:
                raise ValueError("at most 16 tokens")
            return super().forward(x, mask)

    report = av.check_attention(Short())
    assert report.ok and any("at most 16 tokens" in what for what in report.unchecked)


@pytest.mark.parametrize("name", ["mask", "attention_mask", "key_padding_mask"])
def test_a_mask_of_each_text_s_keys_is_right(name: str) -> None:
    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill(~mask[:, None, None, :].bool(), -math.inf)

    layer = padded(name, hide)
    report = right(layer)
    assert any("[text, key]" in what for what in report.checked)


def test_a_padding_mask_that_is_ignored_is_found() -> None:
    def hide(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        if mask is not None:
            scores.masked_fill(~mask[:, None, None, :].bool(), -math.inf)
        return scores

    assert only(padded("mask", hide)).id == "mask-ignored"


def padded(name: str, hide: Any) -> nn.Module:
    """A layer whose mask has this name."""
    names: dict[str, Any] = {"Right": Right, "hide": hide}
    code = f"class Padded(Right):\n    def forward(self, x, {name}=None):\n        return super().forward(x, {name})\n"
    exec(code, names)
    names["Padded"].hide = hide
    layer: nn.Module = names["Padded"]()
    return layer


def test_torchs_key_padding_mask_is_right() -> None:
    class Around(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention = nn.MultiheadAttention(24, 3, batch_first=True)

        def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Tensor:
            out: Tensor = self.attention(x, x, x, key_padding_mask=key_padding_mask, need_weights=False)[0]
            return out

    report = av.check_attention(Around())
    assert report.ok and any("cannot attend, [text, key]" in what for what in report.checked), str(report)


def test_a_compiled_layer_is_checked_as_it_was_before() -> None:
    compiled = torch.compile(nn.MultiheadAttention(24, 3), backend="eager")
    right(compiled)
