"""A model whose layers lie in memory and on the disk gives what it gives undivided, bit for bit."""

import importlib.util
from copy import deepcopy

import pytest
import torch

import attnviz as av
from attnviz.core.errors import WrongWeights
from attnviz.pretrained.loading import load as loading
from tests.parity.tiny_models import eager_model, saved

pytestmark = pytest.mark.skipif(importlib.util.find_spec("accelerate") is None, reason="accelerate is not installed")
TEXTS = ("there and back", "short")


@pytest.mark.parametrize(
    ("model_type", "memory"), [("bert", "1GB"), ("llama", "60KB"), ("t5", "60KB"), ("gpt_oss", "60KB")]
)
def test_layers_on_the_disk_change_no_bit_of_what_is_captured(model_type, memory, tmp_path, monkeypatch):
    folder = saved(eager_model(model_type), tmp_path)
    monkeypatch.setattr(loading, "MEMORY", {"cpu": memory})
    spread, whole = av.load(folder, device="spread"), av.load(folder)
    on_disk = [name for name, part in spread.module.named_parameters() if part.is_meta]
    assert bool(on_disk) == (memory == "60KB")
    target = "and back" if whole.writer else None
    pairs = [(spread.trace(TEXTS[0], target), whole.trace(TEXTS[0], target))]
    pairs += [] if whole.writer else list(zip(spread.traces(TEXTS), whole.traces(TEXTS), strict=True))
    for ours, theirs in pairs:
        assert ours.verified.holds
        for key, record in theirs.records.items():
            assert all(torch.equal(it, record.source.tensors[name]) for name, it in ours[key].source.tensors.items())
            assert torch.equal(ours[key].weights(), record.weights())
        assert all(torch.equal(ours.stream[point], value) for point, value in theirs.stream.items())
        if theirs.prediction is not None:
            assert torch.equal(ours.prediction.probabilities, theirs.prediction.probabilities)
    if whole.writer is not None or whole.can_write_on:
        assert spread.generate(TEXTS[0], 4) == whole.generate(TEXTS[0], 4)
    assert len(av.head_metrics(pairs[0][0])) == len(av.head_metrics(pairs[0][1]))


def test_weights_on_the_disk_that_are_no_numbers_are_refused(tmp_path, monkeypatch):
    damaged = deepcopy(eager_model("bert"))
    damaged.base_model.encoder.layer[1].output.dense.weight.data[0, 0] = torch.nan
    monkeypatch.setattr(loading, "MEMORY", {"cpu": "60KB"})
    with pytest.raises(WrongWeights, match="NaN"):
        av.load(saved(damaged, tmp_path), device="spread")
