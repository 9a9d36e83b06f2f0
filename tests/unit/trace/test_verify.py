"""A run's own check passes a record that replays what the kernel did, and no other; what is no number never agrees."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from attnviz.core.recording import largest_difference
from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.verify import verify
from attnviz.trace.weight_sources import Kept, Replay

T, H, HKV, DH = 12, 4, 2, 4
NAN, INF = float("nan"), float("inf")


def record_with(mask: Mask, sinks: torch.Tensor | None = None, seed: int = 0) -> AttentionRecord:
    generator = torch.Generator().manual_seed(seed)
    q = torch.randn(H, T, DH, generator=generator)  # [H, T, d_k]
    k, v = (torch.randn(HKV, T, DH, generator=generator) for _ in range(2))  # [Hkv, T, d_k]
    return AttentionRecord(Site("decoder", "self", seed), Replay(q, k, v, 0.5, mask, sinks=sinks))


OPEN, CAUSAL = Mask(T, T), Mask(T, T, causal=True)
BIAS = torch.arange(H * T * T).reshape(H, T, T).float() / 100
PADDED = replace(OPEN, padding=torch.arange(T) < 9)
MASKS = (OPEN, CAUSAL, PADDED, replace(CAUSAL, window=3), replace(CAUSAL, bias=BIAS))
DRAWN = torch.randn(H, T, T, generator=torch.Generator().manual_seed(10))  # [H, T, T]
SINKS = torch.tensor([0.5, -1.0, 0.0, 2.0])  # [H]
RECORDS = [  # each at a site of its own
    *(record_with(mask, sinks, layer) for layer, (sinks, mask) in enumerate(product((None, SINKS), MASKS))),
    AttentionRecord(Site("decoder", "self", 10), Kept(DRAWN, DRAWN[..., :DH], CAUSAL)),
    replace(record_with(OPEN, seed=11), edited={"weights": torch.rand(H, T, T)}),
]
BY_SITE = {record.site.key: record for record in RECORDS}


def contexts(records: dict[str, AttentionRecord]) -> dict[str, torch.Tensor]:
    """What a kernel without a fault returns: [H, T_q, d_v] by site."""
    return {key: record.context() for key, record in records.items()}


def test_a_run_in_float64_is_held_to_what_a_replay_in_float32_can_give():
    record = record_with(CAUSAL)
    q, k, v = (getattr(record.replay, name).double() for name in "qkv")
    double = replace(record, source=replace(record.replay, q=q, k=k, v=v))
    k, v = k.repeat_interleave(2, 0), v.repeat_interleave(2, 0)  # [H, T, d_k]
    kernel = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.5)  # float64
    assert verify({"decoder.0.self": double}, {"decoder.0.self": kernel}).holds


@pytest.mark.parametrize("broken", list(BY_SITE))
def test_true_records_hold_and_each_site_alone_can_break_the_proof(broken):
    kernel = contexts(BY_SITE)
    verified = verify(BY_SITE, kernel)
    assert verified.holds and verified.rows == 8 * len(BY_SITE) and verified.difference < 1e-6
    kernel[broken][H - 1] += 1e-3  # one head of one site
    assert verify(BY_SITE, kernel).difference == pytest.approx(1e-3 / max(1.0, float(kernel[broken].abs().max())), 0.01)


@pytest.mark.parametrize("number", [NAN, INF])
def test_a_site_without_numbers_is_not_lost_among_others(number):
    kernel = contexts(BY_SITE)
    kernel["decoder.1.self"][1] = number
    assert verify(BY_SITE, kernel).difference == INF


def test_a_site_of_large_values_excuses_no_other():
    large = BY_SITE["decoder.1.self"]
    records = BY_SITE | {"decoder.1.self": replace(large, source=replace(large.replay, v=large.replay.v * 1e4))}
    kernel = contexts(records)
    assert verify(records, kernel).holds
    kernel["decoder.2.self"] += 1e-3
    assert not verify(records, kernel).holds


@pytest.mark.parametrize(("ours", "theirs"), [(NAN, 0.0), (0.0, NAN), (NAN, NAN), (INF, INF), (INF, 0.0)])
def test_a_difference_from_no_number_is_infinite(ours, theirs):
    assert largest_difference(torch.tensor([ours, 1.0]), torch.tensor([theirs, 1.0])) == INF
