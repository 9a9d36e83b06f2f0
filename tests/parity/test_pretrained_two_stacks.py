"""Models that read one text and write another: sites, cross-attention, a given target, and one the model writes."""

from copy import deepcopy

import pytest
import torch
from torch.testing import assert_close

from attnviz.core.capture import Edit
from attnviz.core.errors import TooLong, UnsupportedModel
from attnviz.pretrained.capture import memory_limit
from attnviz.pretrained.tokens.batch import batch_of
from attnviz.trace.trace import Trace
from tests.parity.tiny_models import TWO_STACKS, eager_model, eager_sites, traceable, traced_model

SITES = ["encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.0.cross", "decoder.1.self", "decoder.1.cross"]
TEXT = "read me"


def eager_run(model_type: str, trace: Trace) -> dict[str, torch.Tensor]:
    source, target = batch_of([trace.tokens.source], 0), batch_of([trace.tokens.target], 0)
    return {key: weights[0] for key, weights in eager_sites(eager_model(model_type), source, target).items()}


@pytest.mark.parametrize("model_type", TWO_STACKS)
def test_a_given_target_is_read_behind_the_start_token(model_type):
    model = traced_model(model_type)
    trace = model.trace(TEXT, target="written")
    start = model.writer.start_id

    assert [site.key for site in trace.sites] == SITES
    assert trace.tokens.target.ids[0] == start and trace.tokens.target.special == (True,) + (False,) * 7
    assert trace.tokens.target.text[1:] == tuple("written") and trace.tokens.target.source == "written"
    assert trace["decoder.0.cross"].weights().shape == (4, 8, 7)
    for key, weights in eager_run(model_type, trace).items():
        assert_close(trace[key].weights(), weights, rtol=0, atol=1e-5)


@pytest.mark.parametrize("model_type", TWO_STACKS)
def test_what_the_model_writes_is_the_likeliest_token_each_time(model_type):
    model = traced_model(model_type)
    trace = model.trace(TEXT)
    target = trace.tokens.target

    whole, ids = eager_model(model_type), [model.writer.start_id]
    source = torch.tensor([trace.tokens.source.ids])
    for _ in range(len(target) - 1):  # a plain greedy loop, without a cache
        with torch.no_grad():
            logits = whole(input_ids=source, decoder_input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1]
        ids.append(int(logits.argmax()))
    assert target.ids == tuple(ids)
    assert trace.prediction.ids[:-1, 0].tolist() == ids[1:]
    assert trace["decoder.1.cross"].n_queries == len(ids)  # a row for every token it wrote, and its start
    assert model.generate(TEXT) == target.source


def test_writing_stops_where_it_is_told_to():
    model = traced_model("t5")

    assert len(model.writer.written(model.tokenizer.tokens(TEXT), 3)) == 1 + 3


@pytest.mark.parametrize("read", ["trace", "generate", "write_on"])
def test_nothing_is_written_for_a_text_too_long_to_keep(read, monkeypatch):
    model = traced_model("bloom" if read == "write_on" else "t5")
    whole = model.lm_head.whole if model.writer is None else model.writer.whole

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it began to write")

    monkeypatch.setattr(type(whole), "generate", never)
    monkeypatch.setattr(memory_limit, "LIMIT_BYTES", 2 * 4 * 4 * 20 * 20)
    with pytest.raises(TooLong, match="Trace the first part"):
        getattr(model, read)("x" * 21)


@pytest.mark.parametrize("model_type", TWO_STACKS)
def test_a_batch_gives_each_text_what_it_gives_alone(model_type):
    model = traced_model(model_type)
    texts = ["a longer text than the other", "short"]
    for batched, text in zip(model.traces(texts), texts, strict=True):
        single = model.trace(text)
        assert batched.tokens == single.tokens
        for key, record in single.records.items():
            assert_close(batched[key].weights(), record.weights(), rtol=0, atol=1e-5)
        assert_close(batched.prediction.probabilities, single.prediction.probabilities, rtol=0, atol=1e-5)


def test_the_stream_of_both_stacks_is_kept():
    trace = traced_model("bart").trace(TEXT, target="written")

    assert trace.stream["encoder.1.out"].shape == (7, 32) and trace.stream["decoder.1.out"].shape == (8, 32)
    assert trace.stream["decoder.embed"].shape == (8, 32)


def test_cross_attention_can_be_cut_and_the_rest_is_as_it_was():
    model = traced_model("marian")
    plain = model.trace(TEXT, target="written")
    cut = model.trace(
        TEXT, target="written", edits=[Edit("decoder.0.cross.context", lambda name, x: x * 0, "no cross-attention")]
    )

    assert str(*cut.edits) == "no cross-attention" and not cut["decoder.0.cross"].context().any()
    assert_close(cut["encoder.1.self"].weights(), plain["encoder.1.self"].weights(), rtol=0, atol=1e-6)
    assert float((cut["decoder.1.self"].weights() - plain["decoder.1.self"].weights()).abs().max()) > 1e-4


def test_a_trace_of_two_texts_is_read_back_from_its_file(tmp_path):
    trace = traced_model("t5").trace(TEXT, target="written")
    trace.save(tmp_path / "two.safetensors")
    again = Trace.load(tmp_path / "two.safetensors")

    assert again.tokens == trace.tokens
    for key, record in trace.records.items():
        assert_close(again[key].weights(), record.weights(), rtol=0, atol=1e-6)  # the file lays memory out anew
    assert torch.equal(again.prediction.ids, trace.prediction.ids)


def test_a_target_longer_than_the_decoder_is_refused_with_both_numbers():
    with pytest.raises(TooLong, match="has 14 tokens; the decoder takes at most 13") as error:
        traced_model("bart").trace(TEXT, target="x" * 13)
    assert error.value.id == "target-too-long"


def test_a_checkpoint_without_a_head_reads_targets_and_writes_none():
    model = traceable(deepcopy(eager_model("bart").model), "base")

    assert model.trace(TEXT, target="written").prediction is None
    with pytest.raises(UnsupportedModel, match="has no language-model head in this checkpoint") as error:
        model.trace(TEXT)
    assert error.value.id == "no-head-to-write"
