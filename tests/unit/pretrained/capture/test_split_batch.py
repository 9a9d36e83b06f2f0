"""Masks that no family of the parity tests makes: of no rule, and additive ones with or without a bias."""

import torch

from attnviz.core.site import Site
from attnviz.pretrained.capture.split_batch import Splitter
from attnviz.pretrained.tokens.batch import Extent, Extents
from attnviz.trace.mask import Mask

T = 20
LOWEST = torch.finfo(torch.float32).min


def described(dense: torch.Tensor) -> Mask:
    return Splitter(0, Extents((Extent(0, 0, T),)), {}).described_mask(dense, None, Site("encoder", "self", 0))


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
