"""A run's own check finds a record that does not replay what the kernel did, and passes one that does."""

from dataclasses import replace

import pytest
import torch

from attnviz.core.masks import Mask
from attnviz.core.site import Site
from attnviz.trace import verify as verifying
from attnviz.trace.records import AttentionRecord, Kept, Replay
from attnviz.trace.verify import at_rows, verify

SITE = Site("decoder", "self", 0)
T, H, HKV, DH = 12, 4, 2, 4


def record_with(mask: Mask, sinks: torch.Tensor | None = None, seed: int = 0) -> AttentionRecord:
    generator = torch.Generator().manual_seed(seed)
    q = torch.randn(H, T, DH, generator=generator)  # [H, T, Dh]
    k, v = (torch.randn(HKV, T, DH, generator=generator) for _ in range(2))  # [Hkv, T, Dh]
    return AttentionRecord(Site("decoder", "self", seed), Replay(q, k, v, 0.5, mask, sinks=sinks))


def kept_record(seed: int) -> AttentionRecord:
    scores = torch.randn(H, T, T, generator=torch.Generator().manual_seed(seed))  # [H, Tq, Tk]
    v = torch.randn(H, T, DH, generator=torch.Generator().manual_seed(seed + 100))  # [H, Tk, Dv]
    return AttentionRecord(Site("decoder", "self", seed), Kept(scores, v, Mask(T, T, causal=True)))


MASKS = {
    "open": Mask(T, T),
    "causal": Mask(T, T, causal=True),
    "window": Mask(T, T, causal=True, window=3),
    "padding": Mask(T, T, padding=torch.arange(T) < 9),
    "bias": Mask(T, T, causal=True, bias=torch.arange(H * T * T).reshape(H, T, T).float() / 100),
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("sinks", [None, torch.tensor([0.5, -1.0, 0.0, 2.0])])
def test_rows_taken_out_are_the_rows_of_the_whole(mask, sinks):
    record = record_with(mask, sinks)
    rows = torch.tensor([7, 0, 11, 3])

    torch.testing.assert_close(at_rows(record, rows).weights(), record.weights()[:, rows], rtol=0, atol=1e-6)


def test_rows_of_kept_scores_are_the_rows_of_the_whole():
    record = kept_record(1)
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


def several() -> dict[str, AttentionRecord]:
    """Sites that are replayed together, some of them alike and some not."""
    sinks = torch.tensor([0.5, -1.0, 0.0, 2.0])
    bias = torch.randn(H, T, T, generator=torch.Generator().manual_seed(9))  # [H, Tq, Tk]
    kinds = [Mask(T, T, causal=True), Mask(T, T), Mask(T, T, causal=True, window=3), Mask(T, T, causal=True, bias=bias)]
    found = [record_with(kinds[number % 4], sinks if number >= 8 else None, number) for number in range(12)]
    edited = replace(found[-1], edited={"weights": torch.rand(H, T, T)})
    return {record.site.key: record for record in (*found[:-1], edited, kept_record(12), kept_record(13))}


@pytest.mark.parametrize("n_bytes", [0, 2 * H * T * (2 * DH + 8) * 4, 1 << 20])  # each alone, two together, all
def test_sites_replayed_together_are_replayed_as_each_alone(monkeypatch, n_bytes):
    monkeypatch.setattr(verifying, "TOGETHER_BYTES", n_bytes)
    records = several()
    kernel = {key: record.context() for key, record in records.items()}  # [H, Tq, Dv] each

    verified = verify(records, kernel)

    assert verified.holds and verified.rows == 8 * len(records) and verified.difference < 1e-6


@pytest.mark.parametrize("broken", list(several()))
def test_each_site_alone_can_break_the_proof(broken):
    records = several()
    kernel = {key: record.context() for key, record in records.items()}  # [H, Tq, Dv] each
    kernel[broken][H - 1] += 1e-3  # one head of one site

    assert verify(records, kernel).difference == pytest.approx(1e-3 / max(1.0, float(kernel[broken].abs().max())), 0.01)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_site_without_numbers_is_not_lost_among_others(number):
    records = several()
    kernel = {key: record.context() for key, record in records.items()}  # [H, Tq, Dv] each
    kernel["decoder.4.self"][1] = number

    assert verify(records, kernel).difference == float("inf")


def test_a_site_of_large_values_excuses_no_other():
    records = {f"decoder.{seed}.self": record_with(MASKS["causal"], seed=seed) for seed in range(3)}
    large = records["decoder.1.self"]
    records["decoder.1.self"] = replace(large, source=replace(large.replay, v=large.replay.v * 1e4))
    kernel = {key: record.context() for key, record in records.items()}  # [H, Tq, Dv] each
    assert verify(records, kernel).holds

    kernel["decoder.2.self"] += 1e-3
    assert not verify(records, kernel).holds
