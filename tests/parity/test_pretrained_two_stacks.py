"""Models that read one text and write another: sites, cross-attention, a given target, and one the model writes."""

from copy import deepcopy

import pytest

from attnviz.core.errors import TooLong, UnsupportedModel
from attnviz.pretrained.capture import memory_limit
from tests.parity.tiny_models import TWO_STACKS, eager_model, traceable, traced_model

SITES = ["encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.0.cross", "decoder.1.self", "decoder.1.cross"]
TEXT = "read me"


@pytest.mark.parametrize("model_type", TWO_STACKS)
def test_a_given_target_is_read_behind_the_start_token(model_type):
    model = traced_model(model_type)
    trace = model.trace(TEXT, target="written")

    assert [site.key for site in trace.sites] == SITES
    assert trace.tokens.target.ids[0] == model.writer.start_id and trace.verified.holds
    assert trace.tokens.target.special == (True,) + (False,) * 7
    assert trace.tokens.target.text[1:] == tuple("written") and trace.tokens.target.source == "written"
    assert trace["decoder.0.cross"].weights().shape == (4, 8, 7)


@pytest.mark.parametrize("model_type", TWO_STACKS)
def test_what_the_model_writes_is_the_likeliest_token_each_time(model_type):
    model = traced_model(model_type)
    trace = model.trace(TEXT)
    target, likeliest = trace.tokens.target, trace.prediction.ids[:, 0].tolist()

    assert likeliest[:-1] == list(target.ids[1:])
    assert len(target) == model.writer.limit or likeliest[-1] == model.writer.end_id
    assert trace["decoder.1.cross"].n_queries == len(target)  # a row for every token it wrote, and its start
    assert model.generate(TEXT) == target.source
    assert len(model.writer.written(trace.tokens.source, 3)) == min(1 + 3, len(target))


@pytest.mark.parametrize("read", ["trace", "generate", "write_on"])
def test_nothing_is_written_for_a_text_too_long_to_keep(read, monkeypatch):
    model = traced_model("bloom" if read == "write_on" else "t5")
    whole = model.lm_head.whole if model.writer is None else model.writer.whole
    monkeypatch.setattr(type(whole), "generate", None)  # nobody may begin to write
    monkeypatch.setattr(memory_limit, "LIMIT_BYTES", 2 * 4 * 4 * 20 * 20)
    with pytest.raises(TooLong, match="Trace the first part"):
        getattr(model, read)("x" * 21)


def test_a_target_longer_than_the_decoder_is_refused_with_both_numbers():
    with pytest.raises(TooLong, match="has 14 tokens; the decoder takes at most 13") as error:
        traced_model("bart").trace(TEXT, target="x" * 13)
    assert error.value.id == "target-too-long"


def test_a_checkpoint_without_a_head_reads_targets_and_writes_none():
    model = traceable(deepcopy(eager_model("bart").model), "base")

    assert model.trace(TEXT, target="written").prediction is None
    with pytest.raises(UnsupportedModel, match="this checkpoint has no language-model head") as error:
        model.trace(TEXT)
    assert error.value.id == "no-head-to-write"
