"""Masks of a batch become short descriptions again, one text at a time, and give the very same rows."""

import pytest
import torch
from transformers.masking_utils import (
    and_masks,
    causal_mask_function,
    padding_mask_function,
    sliding_window_bidirectional_mask_function,
    sliding_window_causal_mask_function,
)

from attnviz.core.site import Site
from attnviz.pretrained.capture.split_batch import Splitter
from attnviz.pretrained.tokens.batch import Extent
from attnviz.trace.mask import Mask

T = 20
SITE = Site("encoder", "self", 0)
LOWEST = torch.finfo(torch.float32).min


def dense_of(rule, padding: torch.Tensor) -> torch.Tensor:
    whole = and_masks(rule, padding_mask_function(padding.bool()))
    texts, places = torch.arange(len(padding))[:, None, None, None], torch.arange(T)
    dense = whole(texts, torch.tensor(0), places[:, None], places[None, :])  # [B, 1, T, T]
    return dense.expand(len(padding), 1, T, T)


def left_padded() -> torch.Tensor:
    padding = torch.ones(2, T)  # [B, T]
    padding[1, :6] = 0
    return padding


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(
    ("rule", "window", "is_causal", "kept_window"),
    [(causal_mask_function, None, True, None), (causal_mask_function, 64, True, None),
     (sliding_window_causal_mask_function(5), 5, True, 5),
     (sliding_window_bidirectional_mask_function(4), 4, False, 5)],
)  # fmt: skip
def test_a_known_rule_becomes_its_name_and_gives_the_same_rows(index, rule, window, is_causal, kept_window):
    dense = dense_of(rule, left_padded())
    start = 6 * index
    mask = Splitter(Extent(index, start, T), True, {}).described_mask(dense, window, SITE)

    assert (mask.causal, mask.window, mask.nbytes) == (is_causal, kept_window, 0)
    assert torch.equal(mask.allowed_rows(0, T - start), dense[index][:, start:, start:])


def described(dense: torch.Tensor) -> Mask:
    return Splitter(Extent(0, 0, T), False, {}).described_mask(dense, None, SITE)


def test_a_mask_of_no_rule_is_kept_itself():
    dense = torch.rand(1, 1, T, T, generator=torch.Generator().manual_seed(0)) > 0.5  # [1, 1, T, T]
    mask = described(dense)
    assert torch.equal(mask.allowed_rows(0, T), dense[0]) and mask.nbytes == T * T


def test_an_additive_mask_of_the_lowest_number_is_read_as_cannot_attend():
    causal = torch.ones(1, 1, T, T, dtype=torch.bool).tril()  # [1, 1, T, T]
    mask = described(torch.where(causal, 0.0, LOWEST))
    assert mask.causal and mask.bias is None


def test_an_additive_bias_is_added():
    bias = torch.randn(1, 2, T, T, generator=torch.Generator().manual_seed(0))  # [1, H, T, T]
    assert torch.equal(described(bias).rows(0, T), bias[0])


def test_a_causal_bias_is_one_vector_a_head_and_a_causal_mask():
    distances = torch.arange(T)[None, :] - torch.arange(T)[:, None]  # [T, T]
    slopes = torch.tensor([0.5, 0.25])[:, None, None] * distances  # [H, T, T]
    given = torch.where(distances <= 0, slopes, LOWEST)[None]  # [1, H, T, T]
    mask = described(given)
    assert mask.causal and mask.nbytes == 2 * (2 * T - 1) * 4
    assert torch.equal(mask.rows(0, T), torch.where(distances <= 0, slopes, -torch.inf))
