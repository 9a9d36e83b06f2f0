"""What a language-model head predicts: full-vocabulary shares in row blocks, the same as the whole model's own."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch.testing import assert_close

from attnviz.pretrained import lm_head
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.tokens.batch import batch_of
from tests.conftest import TINY
from tests.parity.tiny_models import eager_model, traced_model

TEXT = "what comes next 貓"


@pytest.mark.parametrize("model_type", TINY)
def test_the_top_20_are_those_of_the_whole_models_logits(model_type, monkeypatch):
    model = traced_model(model_type)
    monkeypatch.setattr(lm_head, "BLOCK_NUMBERS", 5 * 256)  # blocks of five rows
    trace = model.trace(TEXT, target="and after" if model.writer else None)
    source = batch_of([trace.tokens.source], 0)
    target = batch_of([trace.tokens.target], 0) if trace.tokens.target else None
    with torch.no_grad():
        whole = eager_model(model_type)
        shares = torch.softmax(whole(**inputs_of(whole, source, target)).logits[0], -1)  # [T, V]
    top, ids = shares.topk(20)  # [T, 20] each

    assert_close(trace.prediction.probabilities, top, rtol=0, atol=1e-5)
    gaps = (top[:, :-1] - top[:, 1:]) > 1e-5  # where the order is certain
    sure = torch.cat([gaps[:, :1], gaps[:, 1:] & gaps[:, :-1], gaps[:, -1:]], -1)
    assert torch.equal(trace.prediction.ids[sure], ids[sure]) and int(sure.sum()) > 20


def test_predicted_tokens_are_shown_as_a_reader_would_write_them():
    prediction = traced_model("gpt2").trace(TEXT).prediction
    names = {int(i): text for row, texts in zip(prediction.ids, prediction.texts, strict=True)
             for i, text in zip(row, texts, strict=True)}  # fmt: skip

    assert all(len(text) >= 1 for text in names.values())
    assert all("�" not in text for text in names.values())


def test_a_model_without_a_head_says_so(minilm):
    assert minilm.lm_head is None and minilm.trace("no head").prediction is None


@pytest.mark.parametrize("model_type", ["bert", "gpt2", "deberta-v2", "bloom", "t5"])
def test_threads_over_one_model_never_mix(model_type):
    model = traced_model(model_type)
    texts = [f"text number {number} of them" + "!" * number for number in range(6)]
    target = "same" if model.writer else None

    def weights(text: str) -> torch.Tensor:
        trace = model.trace(text, target)
        return torch.cat([trace[site].weights().flatten() for site in trace.sites])

    expected = {text: weights(text) for text in texts}
    with ThreadPoolExecutor(6) as threads:
        for _ in range(3):
            for text, found in zip(texts, threads.map(weights, texts), strict=True):
                assert torch.equal(found, expected[text])
