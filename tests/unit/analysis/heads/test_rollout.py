"""Attention rollout on two layers of two tokens, worked out by hand, and what must hold for any text."""

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.analysis.heads.rollout import MOST_TOKENS, cross_rollout, rollout
from attnviz.core.errors import LimitError, StepError
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace
from attnviz.trace.weight_sources import Replay
from tests.unit.weights_as_trace import trace_of

FIRST = torch.tensor([[[0.5, 0.5], [0.0, 1.0]]])
SECOND = torch.tensor([[[0.0, 1.0], [0.5, 0.5]]])
# A̅₁ = [[.75, .25], [0, 1]], A̅₂ = [[.5, .5], [.25, .75]], and R = A̅₂ A̅₁
BY_HAND = torch.tensor([[0.375, 0.625], [0.1875, 0.8125]], dtype=torch.float64)


def replayed(q: torch.Tensor, mask: Mask) -> Trace:
    """An encoder's run in which queries, keys and values are alike: [1, T, d_k]."""
    record = AttentionRecord(Site("encoder", "self", 0), Replay(q, q, q, 1.0, mask))
    card = trace_of({"encoder.0.self": FIRST}).card
    return Trace(card, TokenPair(Tokens.plain(["a"] * mask.n_keys)), {record.site.key: record})


def test_two_layers_of_two_tokens_are_as_worked_out_by_hand() -> None:
    found = rollout(trace_of({"encoder.0.self": FIRST, "encoder.1.self": SECOND}))
    assert_close(found.values, BY_HAND, rtol=0, atol=1e-6)


def test_a_causal_decoder_says_how_much_is_the_masks_own() -> None:
    causal = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])  # even over what each position may see
    found = rollout(trace_of({"decoder.0.self": causal, "decoder.1.self": causal}, causal="decoder"))
    # A̅ = [[1, 0], [.25, .75]] and A̅² = [[1, 0], [.4375, .5625]]
    assert_close(found.values, torch.tensor([[1.0, 0.0], [0.4375, 0.5625]]).double(), rtol=0, atol=1e-6)
    assert_close(found.even, found.values, rtol=0, atol=1e-6)
    assert_close(found.over_even, torch.tensor([[1.0, 0.0], [0.5, 0.5]]).double(), rtol=0, atol=1e-6)


def test_cross_attention_is_between_the_two_rollouts() -> None:
    decoder = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])  # A̅ = [[1, 0], [.5, .5]]
    cross = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    encoder = torch.tensor([[[0.5, 0.5], [0.5, 0.5]]])  # A̅ = [[.75, .25], [.25, .75]]
    sites = {"encoder.0.self": encoder, "decoder.0.self": decoder, "decoder.0.cross": cross}
    expected = torch.tensor([[0.75, 0.25], [0.5, 0.5]]).double()  # [[1, 0], [.5, .5]] · I · [[.75, .25], [.25, .75]]
    assert_close(cross_rollout(trace_of(sites, causal="decoder")).values, expected, rtol=0, atol=1e-6)


def test_rows_sum_to_one_and_causal_ones_look_at_nothing_later() -> None:
    trace = av.load("reverse").trace("a b c d e f g")
    decoder = rollout(trace, "decoder")
    for found in (rollout(trace, "encoder"), decoder, cross_rollout(trace)):
        for matrix in (found.values, found.even, found.over_even):
            assert_close(matrix.sum(-1), torch.ones(len(matrix)).double(), rtol=0, atol=1e-9)
            assert float(matrix.min()) >= 0
    assert float(decoder.values.triu(1).abs().max()) == 0.0


def test_a_position_that_may_look_at_nothing_keeps_what_it_has() -> None:
    allowed = torch.ones(1, 3, 3, dtype=torch.bool)
    allowed[0, 1] = False
    draw = torch.Generator().manual_seed(0)
    found = rollout(replayed(torch.randn(1, 3, 2, generator=draw), Mask(3, 3, allowed=allowed)))
    assert found.values[1].tolist() == [0.0, 1.0, 0.0]
    assert_close(found.values.sum(-1), torch.ones(3).double())


def test_what_cannot_be_rolled_out_is_refused() -> None:
    with pytest.raises(StepError, match="no cross-attention of the decoder"):
        cross_rollout(trace_of({"encoder.0.self": FIRST}))
    with pytest.raises(StepError, match="no self-attention of the decoder"):
        rollout(trace_of({"encoder.0.self": FIRST}), "decoder")
    n = MOST_TOKENS + 1
    with pytest.raises(LimitError, match=r"2,049 tokens.*at most 2,048 tokens"):
        rollout(replayed(torch.zeros(1, n, 1), Mask(n, n)))
