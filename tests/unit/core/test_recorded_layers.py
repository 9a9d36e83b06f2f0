"""What recordings of layers become as traces: runs with dropout, one source for several texts, keys of another text."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

import attnviz as av
from attnviz.core.capture import active_recorder
from attnviz.core.errors import CaptureError, InputError, StepError, TraceShapeError
from attnviz.explanation.closer_looks.gradients import cell_gradient
from attnviz.explanation.closer_looks.torch_layer import against_torch
from attnviz.models import EncoderDecoder, MultiHeadAttention, TransformerConfig

X = torch.randn(2, 6, 12, generator=torch.Generator().manual_seed(0))  # [B, T, D]
TINY = TransformerConfig(vocab_size=9, d_model=12, n_heads=3, n_layers=1, d_ff=8, max_tokens=8, dropout=0.0)


@pytest.mark.parametrize("kernel", ["explicit", "fused"])
def test_a_run_with_dropout_keeps_the_context_it_had_and_says_so(kernel):
    torch.manual_seed(0)
    layer = MultiHeadAttention(12, 3, dropout=0.5).train()
    with av.record() as run:
        layer(X, kernel=kernel)
    trace = run.trace(1, parameters={"encoder.0.self": {"w_o": layer.w_o.weight, "b_o": layer.w_o.bias}})
    record = trace["encoder.0.self"]
    assert [(str(edit), edit.kind, edit.value) for edit in trace.edits] == [("dropout 0.5", "dropout", 0.5)]
    assert_close(record.context(), run["context"][1], rtol=0, atol=0)  # [H, T_q, d_v]
    assert_close(record.out(), run["out"][1].detach(), rtol=0, atol=1e-6)  # [T_q, D]
    with torch.no_grad(), av.record() as clean:
        layer.eval()(X)
    assert_close(record.weights(), clean["weights"][1], rtol=0, atol=1e-6)  # before dropout
    assert not torch.allclose(record.context(), clean["context"][1], atol=1e-2)


def test_what_dropout_changed_is_not_written_out_not_compared_with_torch_and_has_no_gradient():
    layer = MultiHeadAttention(12, 3, dropout=0.5).train()
    with av.record() as run:
        layer(X)
    trace = run.trace(0)
    with pytest.raises(StepError, match="was replaced by an edit"):
        av.explain(trace, "encoder.0.self", "context", head=0, query=0, feature=0)
    with pytest.raises(StepError, match="a run without changes"):
        against_torch(trace, "encoder.0.self")
    with pytest.raises(StepError, match="by dropout in training mode or by an edit"):
        cell_gradient(trace, "encoder.0.self", query=0, feature=0, head=0)


def test_one_source_for_several_texts_belongs_to_each_of_them():
    torch.manual_seed(0)
    model = EncoderDecoder(TINY).eval()
    source, target = torch.randint(9, (1, 5)), torch.randint(9, (2, 4))  # [1, Ts], [2, T]
    with torch.no_grad(), av.record() as run:
        model.decoder(target, model.encoder(source))
    with torch.no_grad(), av.record() as alone:
        model.decoder(target[1:], model.encoder(source))
    trace, expected = run.trace(1), alone.trace(0)
    assert list(trace.records) == list(expected.records)
    for key in trace.records:
        assert_close(trace[key].weights(), expected[key].weights(), rtol=0, atol=1e-6)
    assert_close(trace.stream["encoder.out"], expected.stream["encoder.out"], rtol=0, atol=0)


def test_a_mask_of_each_text_stays_with_its_text_where_the_source_is_one():
    layer = MultiHeadAttention(12, 3)
    mask = torch.ones(2, 1, 6, 5, dtype=torch.bool)  # [B, 1, T_q, T_k]
    mask[1, :, :, 2] = False
    with av.record() as run, av.at("decoder.0.cross"):
        layer(X, torch.randn(1, 5, 12), mask=mask)
    assert run.trace(0)["decoder.0.cross"].weights()[..., 2].all()
    assert not run.trace(1)["decoder.0.cross"].weights()[..., 2].any()


def test_a_text_leaves_its_batch_without_padding_and_causal_attention_without_a_name_is_a_decoders():
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(12, 3, batch_first=True), 2).eval()
    with torch.no_grad(), av.record() as run:
        encoder(X, src_key_padding_mask=torch.arange(6) >= torch.tensor([[4], [6]]))
    with torch.no_grad(), av.record() as alone:
        encoder(X[:1, :4])
    words = ("[CLS]", "the", "cat", "[SEP]")
    for tokens in (words, (*words, "[PAD]", "[PAD]")):
        trace = run.trace(0, tokens=tokens)
        assert (trace.tokens.source.text, trace.tokens.source.special) == (words, (True, False, False, True))
        assert_close(trace["encoder.1.self"].weights(), alone.trace()["encoder.1.self"].weights(), rtol=0, atol=1e-6)
    assert len(run.trace(1).tokens.source) == 6
    with av.record() as causal:
        MultiHeadAttention(12, 3)(X[:1], is_causal=True, is_token=torch.arange(6)[None] > 1)
    assert causal.trace(0)["decoder.0.self"].weights().shape == (3, 6, 6)  # alone, with its padding
    assert av.Trace.from_arrays(trace["encoder.1.self"].weights()[None], trace.tokens.source).tokens == trace.tokens


@pytest.mark.parametrize(
    ("tokens", "refusal", "sentence"),
    [
        (["a", "b"], TraceShapeError, r"6 x 6 tokens and the text has 2 x 2\. Give one token for each"),
        (5, InputError, "tokens is int; expected Tokens, or their texts in a list"),
        ("the cat", InputError, "tokens is str; expected Tokens"),
    ],
)
def test_tokens_that_are_not_those_of_the_run_are_told_what_to_give(tokens, refusal, sentence):
    with av.record() as run:
        MultiHeadAttention(12, 3)(X)
    with pytest.raises(refusal, match=sentence):
        run.trace(0, tokens=tokens)


def test_a_recorder_cannot_be_entered_while_it_records():
    recorder = av.record()
    with pytest.raises(CaptureError, match="already recording"), recorder, recorder:
        pass
    assert active_recorder() is None
    with recorder as run:  # it is free again
        MultiHeadAttention(12, 3)(X)
    assert run.complete and active_recorder() is None


def test_a_place_entered_twice_is_left_twice():
    place = av.at("encoder.0.self")
    with av.record() as run:
        with place, place:
            pass
        av.attend(X, X, X)
    assert run.places == ("encoder.0.self",)
