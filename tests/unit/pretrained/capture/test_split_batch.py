"""Masks that no family of the parity tests makes: of no rule, and additive ones with or without a bias."""

import pytest
import torch

from attnviz.core.site import Site
from attnviz.pretrained.capture.split_batch import Splitter
from attnviz.pretrained.tokens.batch import Extent, Extents

T = 20
LOWEST = torch.finfo(torch.float32).min  # what transformers adds where a query cannot attend
DRAWN = torch.randn(1, 2, T, T, generator=torch.Generator().manual_seed(0))  # [1, H, T, T]
BEHIND = torch.arange(T)[None, :] - torch.arange(T)[:, None]  # [T, T], positive for a later key
SLOPES = torch.tensor([0.5, 0.25])[:, None, None] * BEHIND  # [H, T, T]


@pytest.mark.parametrize(
    ("given", "rows", "is_causal", "nbytes"),
    [
        (DRAWN[:, :1] > 0, torch.where(DRAWN[:, 0] > 0, 0, -torch.inf), False, T * T),  # of no rule: kept itself
        (torch.where(BEHIND <= 0, 0, LOWEST)[None, None], torch.where(BEHIND <= 0, 0, -torch.inf)[None], True, 0),
        (DRAWN, DRAWN[0], False, DRAWN.nbytes),
        # one vector a head and a causal mask
        (torch.where(BEHIND <= 0, SLOPES, LOWEST)[None], torch.where(BEHIND <= 0, SLOPES, -torch.inf), True,
         2 * (2 * T - 1) * 4),
    ],
    ids=["no rule", "the lowest number", "a bias", "a causal bias"],
)  # fmt: skip
def test_a_mask_gives_its_rows_by_the_shortest_description(given, rows, is_causal, nbytes):
    splitter = Splitter(0, Extents((Extent(0, 0, T),)), {})
    mask = splitter.described_mask(given, None, Site("encoder", "self", 0))
    assert torch.equal(mask.rows(0, T), rows) and (mask.causal, mask.nbytes) == (is_causal, nbytes)
