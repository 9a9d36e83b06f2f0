"""A mask of each text's keys, alone or beside one of queries and keys, gets every probe; so do the weights shown."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, only, right


class Padded(Right):
    """A mask [batch, key] beside one of [query, key], as in nn.MultiheadAttention."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None, key_padding_mask: Tensor | None = None) -> Any:
        mask = attn_mask
        if key_padding_mask is not None:
            kept = self.kept(key_padding_mask)
            mask = kept if mask is None else mask & kept
        return super().forward(x, mask)

    def kept(self, key_padding_mask: Tensor) -> Tensor:
        return ~key_padding_mask[:, None, None, :]


def test_both_masks_are_checked() -> None:
    for layer in (Padded(), nn.MultiheadAttention(24, 3, batch_first=True)):
        checked = right(layer).checked
        assert any(what.startswith("attn_mask (bool") for what in checked)
        assert any(what.startswith("key_padding_mask (bool, True = cannot attend, [text, key])") for what in checked)
    report = right(nn.MultiheadAttention(24, 3))
    assert [note.id for note in report.notes] == ["blocked-row-nan"]  # once, not once a mask


def test_a_second_mask_that_is_ignored_is_found_by_its_name() -> None:
    class Deaf(Padded):
        def kept(self, key_padding_mask: Tensor) -> Tensor:
            return torch.ones_like(key_padding_mask)[:, None, None, :]

    finding = only(Deaf())
    assert finding.id == "mask-ignored" and "The mask key_padding_mask is ignored" in finding.sentence


class OfKeys(Right):
    """The only mask is [batch, key]."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
        return super().forward(x, None if mask is None else self.spread(mask))

    def spread(self, mask: Tensor) -> Tensor:
        return mask[:, None, None, :]


class Finite(OfKeys):
    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill(~mask, -1e9)


class OfTheFirst(OfKeys):
    def spread(self, mask: Tensor) -> Tensor:
        return mask[:1, None, None, :]


class Inverted(OfKeys):
    def spread(self, mask: Tensor) -> Tensor:
        return ~mask[:, None, None, :]


@pytest.mark.parametrize(
    ("layer", "id", "words"),
    [
        (Finite(), "blocked-row-looks-everywhere", "attends to all tokens alike"),
        (OfTheFirst(), "mask-of-one-text", "The mask of text 0 is used for all texts"),
        (Inverted(), "mask-inverted", "read the wrong way round"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, nn.Module) else "",
)
def test_a_mask_of_keys_gets_every_probe_that_one_of_queries_gets(layer: nn.Module, id: str, words: str) -> None:
    finding = only(layer)
    assert finding.id == id and words in finding.sentence


@pytest.mark.parametrize(("where", "words"), [("training", "In training mode"), ("long", "With 33 tokens")])
def test_weights_shown_wrongly_in_training_or_in_a_long_text_are_found(where: str, words: str) -> None:
    class Shows(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            out, weights = super().forward(x, mask)
            is_wrong = self.training if where == "training" else x.shape[1] > 16
            return out, weights.flip(-1) if is_wrong else weights

    finding = only(Shows())
    assert finding.id == "weights-differ"
    assert finding.sentence.startswith(f"{words} the output is right and the returned weights are not")


def test_a_mask_that_is_changed_in_place_is_found_though_the_output_is_right() -> None:
    class Writes(Right):
        def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
            return scores if mask is None else scores.masked_fill(mask.logical_not_(), -math.inf)

    finding = only(Writes())
    assert finding.id == "input-overwritten" and finding.sentence.endswith("the caller's tensor: mask.")


def test_half_precision_in_the_person_s_own_precision_is_no_strange_row() -> None:
    class Mixed(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return super().forward(x, mask)

    right(Mixed())


class ZerosAtPadding(Padded):
    """Outputs of padding are zeros, so that sums over a text need no mask."""

    def forward(self, x: Tensor, attn_mask: Tensor | None = None, key_padding_mask: Tensor | None = None) -> Any:
        out, weights = super().forward(x, attn_mask, key_padding_mask)
        return out if key_padding_mask is None else out.masked_fill(key_padding_mask[..., None], 0.0), weights


class NothingAtPadding(Padded):
    """Padding looks at nothing, and gets NaN."""

    def kept(self, key_padding_mask: Tensor) -> Tensor:
        return super().kept(key_padding_mask) & ~key_padding_mask[:, None, :, None]


def test_outputs_of_padding_are_the_layers_own() -> None:
    report = right(ZerosAtPadding())
    assert "own-rows" in [note.id for note in report.notes]
    assert "key_padding_mask further: outputs of hidden tokens are its own" in report.unchecked


def test_nan_at_padding_is_not() -> None:
    assert not av.check_attention(NothingAtPadding()).ok


def test_another_tensor_of_the_size_of_the_weights_is_left_alone() -> None:
    class WithKeys(Right):
        def forward(self, x: Tensor, mask: Tensor | None = None) -> Any:
            return super().forward(x, mask)[0], torch.zeros(x.shape[0], x.shape[1], self.n_heads, x.shape[1])

    assert "weights: none are returned" in right(WithKeys()).unchecked


class OverHeads(Right):
    """The softmax over the heads, and a number in the place of −∞, which is then the same for each of them."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (self.split(part) for part in self.project(x))
        scores = self.scores(q, k)  # [B, H, T, T]
        scores = scores if mask is None else scores.masked_fill(~mask, -1e9)
        return self.w_o(self.join(scores.softmax(dim=1) @ v))


def test_a_mask_waits_for_a_softmax_over_the_keys() -> None:
    report = av.check_attention(OverHeads())
    assert [found.id for found in report.findings] == ["softmax-over-heads"]
    assert "mask: until the softmax runs over the keys" in str(report)
