"""A run's own check finds a record that does not replay what the kernel did, and passes one that does."""

import pytest
import torch

from attnviz.core.masks import Mask
from attnviz.core.records import AttentionRecord, Kept, Replay
from attnviz.core.site import Site
from attnviz.core.verify import at_rows, verify

SITE = Site("decoder", "self", 0)
T, H, DH = 12, 2, 4


def record_with(mask: Mask, sinks: torch.Tensor | None = None) -> AttentionRecord:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(H, T, DH, generator=generator) for _ in range(3))  # [H, T, Dh]
    return AttentionRecord(SITE, Replay(q, k, v, 0.5, mask, sinks=sinks))


MASKS = {
    "open": Mask(T, T),
    "causal": Mask(T, T, causal=True),
    "window": Mask(T, T, causal=True, window=3),
    "padding": Mask(T, T, padding=torch.arange(T) < 9),
    "bias": Mask(T, T, causal=True, bias=torch.arange(H * T * T).reshape(H, T, T).float() / 100),
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("sinks", [None, torch.tensor([0.5, -1.0])])
def test_rows_taken_out_are_the_rows_of_the_whole(mask, sinks):
    record = record_with(mask, sinks)
    rows = torch.tensor([7, 0, 11, 3])

    torch.testing.assert_close(at_rows(record, rows).weights(), record.weights()[:, rows], rtol=0, atol=1e-6)


def test_rows_of_kept_scores_are_the_rows_of_the_whole():
    scores = torch.randn(H, T, T, generator=torch.Generator().manual_seed(1))  # [H, Tq, Tk]
    record = AttentionRecord(SITE, Kept(scores, torch.ones(H, T, DH), Mask(T, T, causal=True)))
    rows = torch.tensor([5, 2])

    torch.testing.assert_close(at_rows(record, rows).weights(), record.weights()[:, rows], rtol=0, atol=1e-6)


def test_a_true_record_holds():
    record = record_with(MASKS["causal"])
    verified = verify({SITE.key: record}, {SITE.key: record.context()})

    assert verified.holds and verified.rows == 8 and verified.difference < 1e-6


def test_a_record_that_lost_its_mask_does_not_hold():
    kernel = record_with(MASKS["causal"]).context()  # [H, T, Dh]
    verified = verify({SITE.key: record_with(MASKS["open"])}, {SITE.key: kernel})

    assert not verified.holds and verified.difference > 0.1
