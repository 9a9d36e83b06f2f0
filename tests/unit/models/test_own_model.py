"""One's own network at the door of every other model, with a tokenizer or with ids alone."""

import pytest
import torch

import attnviz as av
from attnviz.models import Decoder, Encoder, EncoderDecoder, TransformerConfig, Vocabulary

CONFIG = TransformerConfig(vocab_size=12, d_model=16, n_heads=2, n_layers=2, d_ff=32, max_tokens=16, norm="pre")
IDS, OTHER = [4, 5, 6, 4, 5], [4, 5, 7, 4, 5]


def decoder() -> Decoder:
    torch.manual_seed(0)
    return Decoder(CONFIG)


def test_a_decoder_is_taken_by_everything_that_takes_a_model() -> None:
    network = decoder()
    model = av.load(network)
    trace = model.trace(IDS)
    with torch.no_grad():
        expected = network.eval()(torch.tensor([IDS]))[0]  # [T, V]
    torch.testing.assert_close(trace.logits(), expected, rtol=0, atol=1e-6)
    assert av.wrote(trace, -1, 5).logit == pytest.approx(float(expected[-1, 5]), abs=1e-5)
    score = trace["decoder.1.self"].scores(1)[4, 2]
    assert av.why(trace, "decoder.1.self", 1, 4, 2).score == pytest.approx(float(score), abs=1e-5)
    lens = av.logit_lens(trace, token=7)
    shares = expected.softmax(-1)[:, 7]
    last = lens[lens["point"] == lens["point"].iloc[-1]]
    assert last["probability"].tolist() == pytest.approx(shares.tolist(), abs=1e-5)
    assert last["rank"].tolist() == (1 + (expected > expected[:, 7:8]).sum(-1)).tolist()
    assert len(av.patch(model, IDS, OTHER).frame()) == len(av.circuits(model, IDS).frame()) == 4
    surveyed = av.survey(model, [IDS, OTHER]).frame()
    assert surveyed["entropy"].iloc[0] == pytest.approx(
        sum(av.head_metrics(model.trace(ids))["entropy"].iloc[0] for ids in (IDS, OTHER)) / 2, abs=1e-5
    )
    assert trace.probability(7) == pytest.approx(float(shares[-1]), abs=1e-6)
    assert trace.top(-1, k=2)["token"].tolist() == expected[-1].topk(2).indices.tolist()


def test_it_is_copied_as_it_was_and_reads_texts_by_what_splits_them() -> None:
    network, words = decoder(), Vocabulary.build(["a b c d e f g h"])
    model = av.load(network, words)
    before = model.trace("a b c a b").logits()
    with torch.no_grad():
        network.embed.tokens.weight.add_(1.0)
    assert torch.equal(model.trace("a b c a b").logits(), before)
    assert model.trace("a b c").tokens.source.text == ("a", "b", "c")

    class Letters:
        def encode(self, text: str) -> list[int]:
            return [ord(letter) - ord("a") for letter in text]

        def decode(self, ids: list[int]) -> str:
            return "".join(chr(ord("a") + it) for it in ids)

    trace = av.load(network, Letters()).trace("cab")
    assert (trace.tokens.source.ids, trace.tokens.source.text) == ((2, 0, 1), ("c", "a", "b"))


def test_a_network_of_two_texts_reads_both_and_an_encoder_says_that_it_has_no_vocabulary() -> None:
    torch.manual_seed(0)
    both = av.load(EncoderDecoder(CONFIG))
    assert av.wrote(both.trace([4, 5, 6], [2, 7, 8]), -1, 3).parts.numel() > 0
    trace = av.load(Encoder(CONFIG)).trace(IDS)
    refused = {
        "Give it: target": lambda: both.trace([4, 5, 6]),
        "has no language-model head": lambda: av.logit_lens(trace),
        "predicts no tokens: it": lambda: trace.top(),
        "was loaded without a tokenizer, so it reads token ids": lambda: both.trace("a", "b"),
        "12 is no token id of your EncoderDecoder": lambda: both.trace([12], [2]),
        "int was given as the tokenizer": lambda: av.load(decoder(), 3),
        "with av.record": lambda: av.load(torch.nn.Linear(2, 2)),
    }
    for words, ask in refused.items():
        with pytest.raises(av.AttnvizError, match=words):
            ask()


def test_a_trace_of_a_file_is_joined_to_its_model_and_to_no_other(tmp_path) -> None:
    network = decoder()
    model = av.load(network)
    trace = model.trace(IDS)
    trace.save(tmp_path / "one.safetensors")
    alone = av.Trace.load(tmp_path / "one.safetensors")
    with pytest.raises(av.AttnvizError, match=r"trace\.attach"):
        alone.logits()
    joined = alone.attach(model)
    torch.testing.assert_close(joined.logits(), trace.logits(), rtol=0, atol=1e-6)
    assert av.why(joined, "decoder.1.self", 1, 4, 2).score == pytest.approx(
        av.why(trace, "decoder.1.self", 1, 4, 2).score
    )
    assert torch.equal(joined.parameters("decoder.0.self")["w_q"], trace.parameters("decoder.0.self")["w_q"])
    torch.manual_seed(1)
    with pytest.raises(av.AttnvizError, match=r"has other weights at decoder\.0\.self"):
        alone.attach(av.load(Decoder(CONFIG)))


def test_a_prediction_prints_as_one_screen() -> None:
    found = av.load(decoder()).trace(IDS).prediction
    assert "tensor(" not in repr(found) and repr(found).count("\n") <= 6
    assert found.frame()["id"].tolist() == found.ids[:, 0].tolist()


def test_one_edit_is_given_alone_or_in_a_list() -> None:
    model, edit = av.load(decoder()), av.ablate("1.0")
    alone = model.trace(IDS, edits=edit)
    assert torch.equal(alone.logits(), model.trace(IDS, edits=[edit]).logits()) and len(alone.edits) == 1
    assert not torch.equal(alone.logits(), model.trace(IDS).logits())
    with pytest.raises(av.AttnvizError, match="expected an edit, such as"):
        model.trace(IDS, edits="1.0")


def test_circuits_need_no_text_of_a_network_whose_vocabulary_only_its_owner_knows() -> None:
    class Numbers:
        def encode(self, text: str) -> list[int]:
            return [int(word) for word in text.split()]

        def decode(self, ids: list[int]) -> str:
            return " ".join(map(str, ids))

    alone, numbered = (av.circuits(av.load(decoder(), words)).frame() for words in (None, Numbers()))
    assert alone.equals(numbered) and len(alone) == 4 and alone["copying"].notna().all()
    assert (
        len(av.circuits(av.load(EncoderDecoder(CONFIG))).frame()) == 2 * 2 + 2 * 2 * 2
    )  # heads that look at the source too
