"""Masks and scores that only some probes betray: each layer here is right until it is asked just so."""

import math

import pytest
import torch
from torch import nn

import attnviz as av
from tests.unit.checking.layers import right


def ids(report) -> list[str]:
    return [found.id for found in report.findings]


def scores_of(q, k):
    return q @ k.mT / math.sqrt(q.shape[-1])


class Attention(nn.Module):
    """A right layer of 4 heads; each test breaks one line of it."""

    def __init__(self, shared: int = 4):
        super().__init__()
        self.shared = shared  # key heads
        self.q_proj, self.out_proj = nn.Linear(24, 24), nn.Linear(24, 24)
        self.k_proj, self.v_proj = nn.Linear(24, 6 * shared), nn.Linear(24, 6 * shared)

    def forward(self, x, mask=None):
        b, t, _ = x.shape
        q = self.q_proj(x).view(b, t, 4, 6).transpose(1, 2)
        k, v = (proj(x).view(b, t, self.shared, 6).transpose(1, 2) for proj in (self.k_proj, self.v_proj))
        k, v = self.spread(k), self.spread(v)
        scores = scores_of(q, k)
        if mask is not None:
            scores = self.hide(scores, mask)
        return self.out_proj((self.softmax(scores) @ v).transpose(1, 2).reshape(b, t, 24))

    def spread(self, k):
        return k

    def hide(self, scores, mask):
        return scores.masked_fill(~mask, -torch.inf)

    def softmax(self, scores):
        return torch.softmax(scores, -1)


class FirstRow(Attention):
    def hide(self, scores, mask):
        return scores.masked_fill(~mask[..., :1, :], -torch.inf)


class Tiled(Attention):
    def __init__(self):
        super().__init__(shared=2)

    def spread(self, k):
        return k.repeat(1, 2, 1, 1)


class TiledNoMaximum(Tiled):
    def softmax(self, scores):
        return scores.exp() / scores.exp().sum(-1, keepdim=True)


class TiledFirstMask(Tiled):
    def hide(self, scores, mask):
        return scores.masked_fill(~(mask[:1] if mask.ndim == 4 else mask), -torch.inf)


def test_a_mask_of_each_query_read_by_its_first_row_is_found():
    assert "mask-differs" in ids(av.check_attention(FirstRow(), n_heads=4))


def test_heads_in_another_order_excuse_nothing():
    right(Tiled(), n_heads=4)
    assert "softmax-overflows" in ids(av.check_attention(TiledNoMaximum(), n_heads=4))
    assert not av.check_attention(TiledFirstMask(), n_heads=4).ok


def test_a_mask_of_keys_read_as_a_length_is_found():
    def attention(q, k, v, key_padding_mask=None):
        scores = scores_of(q, k)
        if key_padding_mask is not None:
            kept = (~key_padding_mask).sum(-1)  # torch's meaning: True is padding
            scores = scores.masked_fill(torch.arange(k.shape[-2]) >= kept[:, None, None, None], -torch.inf)
        return torch.softmax(scores, -1) @ v

    assert not av.check_attention(attention).ok


@pytest.mark.parametrize("low", [-40.0, -100.0])
def test_what_hides_a_token_must_outweigh_any_score(low):
    def attention(q, k, v, mask=None):
        scores = scores_of(q, k)
        if mask is not None:
            weights = torch.softmax(scores.masked_fill(~mask, low), -1)
            return weights.masked_fill(~mask.any(-1, keepdim=True), 0.0) @ v
        return torch.softmax(scores, -1) @ v

    assert "mask-outweighed" in ids(av.check_attention(attention))


def test_the_same_layer_unbroken_has_no_fault():
    report = av.check_attention(Attention(), n_heads=4)
    assert report.ok, report
    assert "mask with large scores" in report.checked
