"""What the neuron view receives: the record's own numbers, bounded, and a reason where there are none."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from attnviz.core.site import Site
from attnviz.trace.mask import Mask
from attnviz.trace.records import AttentionRecord
from attnviz.trace.weight_sources import Kept, Replay
from attnviz.views.heads.vectors import features

SITE = Site("encoder", "self", 5)


@pytest.fixture(scope="module")
def cat(minilm):
    return minilm.trace("The cat sat on the mat because it was tired.")


def test_all_keys_of_a_short_text_come_with_what_is_said_of_their_head(cat) -> None:
    facts, arrays = features(cat, SITE, 11, 8)
    assert facts == {"layer": 5, "head": 11, "first": 0, "keys": list(range(13)), "more": 0, "scale": 32**-0.5,
                     "softcap": None, "sink": None, "key_head": 11, "shares": 1, "adds": False}  # fmt: skip
    texts = [cat.tokens.source.text[key] for key in np.argsort(-arrays["weights"][8])[:2]]
    assert (texts, round(float(arrays["scores"][8].max()), 2)) == (["cat", "mat"], 4.81)  # as the mock-up has them


def test_a_long_text_sends_one_row_its_largest_keys_and_what_is_left(minilm) -> None:
    trace = minilm.trace(" ".join(["river stone grass cloud"] * 40))
    facts, arrays = features(trace, SITE, 3, 70)
    weights = trace["encoder.5.self"].weights(3, slice(70, 71))[0]  # [T_k]
    assert (facts["first"], len(facts["keys"]), facts["more"]) == (70, 64, len(weights) - 64)
    assert sorted(facts["keys"]) == facts["keys"]
    assert torch.equal(torch.from_numpy(arrays["weights"][0]), weights[facts["keys"]])
    assert float(arrays["weights"].sum() + arrays["rest"].sum()) == pytest.approx(1, abs=1e-6)
    assert float(arrays["weights"].min()) >= float(np.delete(weights.numpy(), facts["keys"]).max())
    assert sum(array.nbytes for array in arrays.values()) <= 4 * (128 * 32 + 5 * 64**2)


def test_grouped_heads_use_the_keys_they_share_and_positions_are_a_number_of_their_own(cat) -> None:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(heads, 13, 4, generator=generator) for heads in (4, 2, 2))  # [H | Hkv, T, 4]
    bias = torch.randn(4, 13, 13, generator=generator)  # [H, T, T]
    mask = Mask(13, 13, causal=True, bias=bias)
    source = Replay(q, k, v, 0.5, mask, softcap=2.0, sinks=torch.tensor([0.1, 0.2, 0.3, 0.4]))
    grouped = replace(cat, records={"encoder.5.self": AttentionRecord(SITE, source)})
    facts, arrays = features(grouped, SITE, 3, None)
    assert (facts["key_head"], facts["shares"], facts["softcap"]) == (1, 2, 2.0)
    assert facts["sink"] == pytest.approx(0.4)
    assert torch.equal(torch.from_numpy(arrays["k"]), k[1])
    assert torch.equal(torch.from_numpy(arrays["bias"]), bias[3])


def test_a_score_that_is_no_product_and_a_changed_run_say_why(cat) -> None:
    record = cat["encoder.5.self"]
    kept = replace(record, source=Kept(record.scores(), record.source.v, record.source.mask))
    facts, arrays = features(replace(cat, records={"encoder.5.self": kept}), SITE, 1, 2)
    assert (facts, arrays) == ({"layer": 5, "head": 1, "why": "scores"}, {})
    changed = replace(record, edited={"weights": record.weights()})
    facts, arrays = features(replace(cat, records={"encoder.5.self": changed}), SITE, 1, 2)
    assert (facts["why"], arrays) == ("edited", {})
