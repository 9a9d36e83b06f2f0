"""Masks as rules: their rows equal the dense matrix, and a dense matrix finds its rule again."""

import pytest
import torch

from attnviz.core.errors import MaskError
from attnviz.trace.mask import Mask, Toeplitz

INF = float("inf")


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (Mask(3, 3, causal=True), [[0, -INF, -INF], [0, 0, -INF], [0, 0, 0]]),
        (Mask(3, 3, causal=True, window=2), [[0, -INF, -INF], [0, 0, -INF], [-INF, 0, 0]]),  # it counts the token too
        (Mask(1, 4, causal=True, offset=3), [[0, 0, 0, 0]]),  # the query after a cache
    ],
)
def test_rows_by_hand(mask, expected):
    assert mask.rows(0, mask.n_queries)[0].tolist() == expected
    assert mask.allowed_rows(0, mask.n_queries)[0].tolist() == [[it == 0 for it in row] for row in expected]


def test_any_slice_of_rows_equals_the_same_slice_of_the_whole():
    torch.manual_seed(0)
    mask = Mask(
        9, 9, causal=True, window=5, padding=torch.rand(9) > 0.2, allowed=torch.rand(2, 9, 9) > 0.3,
        bias=torch.randn(2, 9, 9),
    )  # fmt: skip
    for head in (0, 1):
        whole = mask.rows(0, 9, head)
        assert whole.shape == (1, 9, 9)
        for start, stop in ((0, 4), (3, 7), (8, 9)):
            assert torch.equal(mask.rows(start, stop, head), whole[:, start:stop])


@pytest.mark.parametrize(
    ("mask", "rule"),
    [
        (torch.ones(4, 4).bool(), {"causal": False, "padding": None, "allowed": None}),
        (torch.ones(4, 4).tril().bool(), {"causal": True, "padding": None, "allowed": None}),
        (torch.ones(3, 5).tril(2).bool(), {"causal": True, "offset": 2, "allowed": None}),
        (torch.tensor([True, False, True, True]).expand(4, 4), {"causal": False, "allowed": None}),
        (torch.eye(4).bool(), {"causal": False, "padding": None}),
    ],
)
def test_a_dense_mask_is_described_as_shortly_as_it_can_be(mask, rule):
    found = Mask.of(mask, *mask.shape)
    assert all(getattr(found, name) == value for name, value in rule.items())
    assert torch.equal(found.allowed_rows(0, mask.shape[0])[0], mask)


def test_a_bias_along_the_diagonals_is_kept_as_one_vector():
    distances = torch.arange(4)[None, :] - torch.arange(6)[:, None]
    bias = torch.stack([distances * 0.5, -distances.abs().float()])  # [H, T_q, T_k]
    found = Mask.of(bias, 6, 4).bias
    assert isinstance(found, Toeplitz)
    assert found.values.shape == (2, 9)
    assert torch.equal(found.at(torch.arange(1, 5), 4), bias[:, 1:5])


def test_an_additive_mask_with_other_numbers_stays_as_it_is():
    bias = torch.randn(1, 3, 3)
    assert torch.equal(Mask.of(bias, 3, 3).rows(0, 3), bias)


T = 20
LOWEST = torch.finfo(torch.float32).min  # what transformers adds where a query cannot attend
DRAWN = torch.randn(2, T, T, generator=torch.Generator().manual_seed(0))  # [H, T, T]
BEHIND = torch.arange(T)[None, :] - torch.arange(T)[:, None]  # [T, T], positive for a later key
SLOPES = torch.tensor([0.5, 0.25])[:, None, None] * BEHIND  # [H, T, T]


@pytest.mark.parametrize(
    ("given", "rows", "rule", "nbytes"),
    [
        (DRAWN[:1] > 0, torch.where(DRAWN[:1] > 0, 0, -INF), (False, None), T * T),  # of no rule: kept itself
        (torch.where(BEHIND <= 0, 0, LOWEST), torch.where(BEHIND <= 0, 0, -INF)[None], (True, None), 0),
        (DRAWN, DRAWN, (False, None), DRAWN.nbytes),
        # one vector a head and a causal mask
        (torch.where(BEHIND <= 0, SLOPES, LOWEST), torch.where(BEHIND <= 0, SLOPES, -INF), (True, None),
         2 * (2 * T - 1) * 4),
        ((BEHIND <= 0) & (BEHIND > -8), torch.where((BEHIND <= 0) & (BEHIND > -8), 0, -INF)[None], (True, 8), 0),
        (BEHIND.abs() < 8, torch.where(BEHIND.abs() < 8, 0, -INF)[None], (False, 8), 0),
        # softmax makes a row of the lowest number even, so it hides nothing
        (torch.full((T, T), LOWEST), torch.full((1, T, T), LOWEST), (False, None), (2 * T - 1) * 4),
    ],
    ids=["no rule", "the lowest number", "a bias", "a causal bias", "a causal window", "a window", "the lowest alone"],
)  # fmt: skip
def test_a_mask_gives_its_rows_by_the_shortest_description(given, rows, rule, nbytes):
    mask = Mask.of(given, T, T)
    assert torch.equal(mask.rows(0, T), rows) and ((mask.causal, mask.window), mask.nbytes) == (rule, nbytes)


def test_wrong_sizes_are_refused():
    with pytest.raises(MaskError, match=r"Expected \[4\], one bool per key"):
        Mask(3, 4, padding=torch.ones(3).bool())
    with pytest.raises(MaskError, match=r"allowed has shape \[3, 3\]. Expected \[heads or 1, 3, 4\]"):
        Mask(3, 4, allowed=torch.ones(3, 3).bool())
