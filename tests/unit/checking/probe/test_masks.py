"""Masks of queries, masks of each text's keys, lengths of texts, and two at once: each is read, or its fault named."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attnviz as av
from tests.unit.checking.layers import Right, broken, only, right, taking


def whole(mask: Tensor, tokens: int) -> Tensor:
    return mask


def kept(mask: Tensor, tokens: int) -> Tensor:
    """[B, T_k], True = can attend."""
    return mask[:, None, None, :].bool()


def unpadded(mask: Tensor, tokens: int) -> Tensor:
    """[B, T_k], True = padding."""
    return ~mask[:, None, None, :]


def up_to(lengths: Tensor, tokens: int) -> Tensor:
    return (torch.arange(tokens) < lengths[:, None])[:, None, None, :]


def everything(mask: Tensor, tokens: int) -> Tensor:
    return torch.ones(len(mask), 1, 1, tokens, dtype=torch.bool)


def refusing(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
    assert mask is None or mask.any(-1).all()
    return Right.hide(self, scores, mask)


class Finite(Right):
    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores.masked_fill(~mask, -1e9)


class Adding(Right):
    def hide(self, scores: Tensor, mask: Tensor | None) -> Tensor:
        return scores if mask is None else scores + mask


def number_as_in_bert(number: float) -> Callable[[Tensor, int], Tensor]:
    """[B, T_k], 0 = cannot attend, as a number to be added."""
    return lambda mask, tokens: (1.0 - mask[:, None, None]) * number


BOTH = {"attn_mask": whole, "key_padding_mask": unpadded}  # as in nn.MultiheadAttention


@pytest.mark.parametrize("layer", [taking(**BOTH), nn.MultiheadAttention(24, 3, batch_first=True)])
def test_both_masks_are_checked(layer: nn.Module) -> None:
    report = right(layer)
    assert any(what.startswith("attn_mask (bool") for what in report.checked)
    assert any("key_padding_mask (bool, True = cannot attend, [text, key])" in what for what in report.checked)
    assert "attn_mask and key_padding_mask together" in report.checked
    # A note of torch's own NaN, once, not once a mask.
    assert [note.id for note in report.notes] == ["blocked-row-nan"]


@pytest.mark.parametrize(("name", "read", "format"), [
    ("key_lengths", up_to, "whole numbers, tokens of each text, [text]"),
    ("mask", kept, "bool, True = can attend, [text, key]"),
])  # fmt: skip
def test_lengths_and_masks_of_each_texts_keys_are_tried(name: str, read: Any, format: str) -> None:
    report = right(taking(**{name: read}))
    assert f"{name} ({format})" in report.checked and f"layer(x, {name}=…)" in report.how


@pytest.mark.parametrize(("layer", "id", "words"), [
    (broken(weights=lambda s, m: m.softmax(-1).nan_to_num(0.5)), "blocked-row-differs", "neither zeros nor"),
    (broken(hide=refusing), "blocked-row-raises", "stops with an error when a query can attend to nothing"),
    (taking(mask=lambda m, n: kept(m, n)[:1]), "mask-of-one-text", "The mask of text 0 is used for all texts"),
    (taking(mask=lambda m, n: ~kept(m, n)), "mask-inverted", "read the wrong way round"),
    (taking(mask=everything), "mask-ignored", "The mask is ignored"),
    (taking(**BOTH | {"key_padding_mask": everything}), "mask-ignored", "The mask key_padding_mask is ignored"),
    (taking(lengths=everything), "mask-ignored", "The mask lengths is ignored"),
    (taking(lengths=lambda m, n: ~up_to(m, n)), "mask-inverted", "The mask lengths is read the wrong way round"),
    (taking(lengths=lambda m, n: up_to(m[:1], n)), "mask-of-one-text", "The mask of text 0"),
    (taking(lengths=lambda m, n: up_to(m - 1, n)), "lengths-off-by-one", "one token too few is seen"),
    (taking(key_padding_mask=lambda m, n: up_to((~m).sum(-1), n)), "mask-differs", "no known mistake explains it"),
    (taking(mask=lambda m, n: m.logical_not_().logical_not() if m.ndim < 4 else m), "input-overwritten",
     "the caller's tensor: mask."),
    (broken(hide=lambda s, z, m: Right.hide(s, z, m[:1, None] if m is not None and m.ndim == 3 else m)),
     "mask-of-one-text", "The mask of text 0"),
    *((broken(hide=lambda s, z, m, mix=mix: Right.hide(s, z, mix(m) if m is not None and m.ndim == 4 else m)),
       "mask-per-text-differs", "with a mask for each")
      for mix in (lambda m: m.roll(1, 0), lambda m: m.any(0)[None])),
])  # fmt: skip
def test_what_is_wrong_with_a_mask_is_named(layer: nn.Module, id: str, words: str) -> None:
    only(layer, id, words)


@pytest.mark.parametrize(("layer", "words"), [
    (taking(mask=kept, base=Finite), "attends to all tokens alike"),
    # in float32, where such a sum is the number itself
    (taking(attention_mask=number_as_in_bert(-1e9), base=Adding), "attends to all tokens alike"),
    (taking(attention_mask=number_as_in_bert(-1e6), base=Adding), "attends as if there were no mask"),
])  # fmt: skip
def test_a_row_without_a_key_is_a_note_where_torch_has_no_numbers(layer: nn.Module, words: str) -> None:
    notes = [note for note in right(layer).notes if note.id == "blocked-row-looks-everywhere"]
    assert len(notes) == 1 and words in notes[0].sentence


@pytest.mark.parametrize("future", [-math.inf, -1e9])
@pytest.mark.parametrize("hide", [
    lambda z, kept: z + (~kept) * -1e9, lambda z, kept: z.masked_fill(~kept, -1e9),
], ids=["added", "filled"])  # fmt: skip
@pytest.mark.parametrize("is_last", [True, False])
def test_a_row_without_a_key_beside_a_triangle_is_a_note_too(future: float, hide: Any, is_last: bool) -> None:
    def hidden(self: Right, scores: Tensor, mask: Tensor | None) -> Tensor:
        marked = torch.ones(scores.shape[-2:]).triu(1).bool()
        masked = scores.masked_fill(marked, future)
        if mask is None:
            return masked
        return hide(masked, mask) if is_last else hide(scores, mask).masked_fill(marked, future)

    notes = [note.id for note in right(broken(hide=hidden)).notes]
    assert "blocked-row-looks-everywhere" in notes and ("causal-finite" in notes) == (future > -math.inf)


def test_half_precision_in_the_person_s_own_precision_is_no_strange_row() -> None:
    def mixed(self: Right, x: Tensor, mask: Tensor | None = None) -> Any:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return Right.forward(self, x, mask)

    right(broken(forward=mixed))


def test_weights_returned_with_their_heads_first_are_the_weights_with_a_mask_too() -> None:
    def forward(self: Right, x: Tensor, mask: Tensor | None = None) -> Any:
        out, weights = Right.forward(self, x, mask)
        return out, weights.transpose(0, 1)

    report = right(broken(forward=forward))
    assert "weights" in report.checked and "row without an allowed key" in report.checked


def test_another_tensor_of_the_size_of_the_weights_is_left_alone() -> None:
    def forward(self: Right, x: Tensor) -> Any:
        return Right.forward(self, x)[0], torch.zeros(x.shape[0], x.shape[1], self.n_heads, x.shape[1])

    assert "weights: none are returned" in right(broken(forward=forward)).unchecked


def test_a_mask_waits_for_a_softmax_over_the_keys() -> None:
    """A number in the place of −∞ is the same for each head."""
    over_heads = broken(Finite, weights=lambda s, m: m.softmax(dim=1))
    only(over_heads, "softmax-over-heads")
    assert "until the axes and the softmax are right" in str(av.check_attention(over_heads))


def test_a_mask_of_a_name_that_nobody_knows_is_not_denied() -> None:
    report = right(taking(visible=whole))
    assert "mask: no argument is known as one" in report.unchecked
    assert "arguments left at their defaults: visible" in report.unchecked
    assert "mask: it takes none" in right(lambda q, k, v: av.scaled_dot_product_attention(q, k, v)[0]).unchecked


class Dived(Right):
    """Three inputs, lengths that have to be passed, and every head a text of its own."""

    def repeated(self, valid_lens: Tensor) -> Tensor:
        return valid_lens.repeat_interleave(3)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None) -> Tensor:  # type: ignore[override]
        projected = self.w_q(queries), self.w_k(keys), self.w_v(values)
        q, k, v = (self.split(part).flatten(0, 1) for part in projected)  # [B·H, T, d_head] each
        mask = None if valid_lens is None else up_to(self.repeated(valid_lens), k.shape[1])[:, 0]  # [B·H, 1, T]
        context, _ = self.attend(q, k, v, mask)
        return self.w_o(self.join(context.unflatten(0, (-1, 3))))


def test_attention_as_in_d2l_is_right_but_for_an_empty_text() -> None:
    right(Dived())
    assert [note.id for note in right(broken(Dived, hide=Finite.hide)).notes] == ["blocked-row-looks-everywhere"]
    # .repeat gives the lengths in another order than the heads have
    only(broken(Dived, repeated=lambda self, lens: lens.repeat(3)), "mask-differs")


class Inside(Right):
    """Always causal, beside a mask of each text's keys."""

    def together(self, past: Tensor, kept: Tensor) -> Tensor:
        return past & kept

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Any:
        past = torch.ones(x.shape[1], x.shape[1]).tril().bool()
        mask = past if key_padding_mask is None else self.together(past, unpadded(key_padding_mask, 0))
        return super().forward(x, mask)


def test_a_mask_beside_a_triangle_is_checked_with_it() -> None:
    assert "key_padding_mask and its own triangle together" in right(Inside()).checked


@pytest.mark.parametrize(("layer", "words"), [
    (taking(joined=lambda one, _: one, **BOTH), "are right alone; together only attn_mask is obeyed"),
    (taking(joined=torch.logical_or, **BOTH), "together a token is hidden only where both hide it"),
    (taking(joined=torch.eq, **BOTH), "together the output differs from ours and no known mistake explains it"),
    (broken(Inside, together=lambda self, _, other: other),
     "key_padding_mask and its own triangle are right alone; together only key_padding_mask is"),
])  # fmt: skip
def test_two_masks_that_are_wrong_together_are_found(layer: nn.Module, words: str) -> None:
    only(layer, "masks-together", words)


class Rewritten(Right):
    """Torch's layer written anew, with its arguments; in both of its masks True = cannot attend."""

    blocks = True

    def forward(  # type: ignore[override]
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
        need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Any:  # fmt: skip
        given = zip((self.w_q, self.w_k, self.w_v), (query, key, value), strict=True)
        q, k, v = (self.split(matrix(x)) for matrix, x in given)
        masks = [] if attn_mask is None else [~attn_mask if self.blocks else attn_mask]
        masks += [] if key_padding_mask is None else [unpadded(key_padding_mask, 0)]
        mask = masks[0] & masks[-1] if masks else None
        context, weights = self.attend(q, k, v, mask)
        return self.w_o(self.join(context)), weights


def test_a_layer_with_torchs_arguments_may_mean_by_a_mask_what_torch_means() -> None:
    report = right(Rewritten())
    assert "attn_mask (bool, True = cannot attend, [query, key])" in report.checked
    (sentence,) = [note.sentence for note in report.notes if note.id == "mask-as-torchs"]
    assert sentence == "True in attn_mask means cannot attend, as in nn.MultiheadAttention, whose arguments it has."
    right(Rewritten(), mask_means="cannot attend")
    only(Rewritten(), "mask-inverted", mask_means="can attend")


def test_a_layer_with_torchs_arguments_may_mean_by_a_mask_what_others_mean() -> None:
    report = right(broken(Rewritten, blocks=False))
    assert "attn_mask (bool, True = can attend, [query, key])" in report.checked
    assert "mask-as-torchs" not in [note.id for note in report.notes]
    only(broken(Rewritten, blocks=False), "mask-inverted", mask_means="cannot attend")


def test_a_mask_that_blocks_is_read_the_wrong_way_round_where_the_arguments_are_not_torchs() -> None:
    only(taking(**BOTH | {"attn_mask": lambda mask, n: ~mask}), "mask-inverted")
