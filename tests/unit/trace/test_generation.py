"""Every model that writes has one `generate`: each step is recorded, takes edits and equals a trace of the text."""

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import AttnvizError, CaptureError, InputError
from attnviz.scratch.untrained import untrained
from attnviz.trace.edits import CausalMask, HiddenToken, InHead, NoScaling, Rotation, Temperature
from attnviz.trace.text_model import TextModel
from tests.parity.tiny_models import traced_model

TEXT = "the cat sat on the mat"


def own_decoder() -> TextModel:
    torch.manual_seed(0)
    words = av.models.Vocabulary.build([TEXT])
    config = av.models.TransformerConfig(vocab_size=len(words), n_layers=2, n_heads=2, d_model=8, d_ff=16)
    return av.load(av.models.Decoder(config).eval(), words)


WRITERS = {
    "own": own_decoder, "untrained": lambda: untrained("decoder"), "repeats": lambda: av.load("induction"),
    "poems": lambda: av.load("poems-zh"), "translator": lambda: av.load("translate-en-zh"),
    "causal": lambda: traced_model("llama"), "two-stacks": lambda: traced_model("t5"),
}  # fmt: skip
TEXTS = {"repeats": "a b c a b", "poems": "床前明月光，", "translator": "She does not like tea."}


def silenced(_: str, context: torch.Tensor) -> torch.Tensor:
    return context.index_fill(1, torch.tensor(0), 0.0)


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_is_recorded_step_by_step_as_a_trace_of_it_has_it(name: str) -> None:
    model, text = WRITERS[name](), TEXTS.get(name, TEXT)
    written = model.generate(text, 4)
    assert isinstance(written, str) and 1 <= len(written.steps) <= 4
    if name == "untrained":  # its vocabulary is that of its text
        trace = model.trace(f"{text} {written}")
    else:
        trace = model.trace(text, target=written.ids) if model.reads_target else model.trace(written.ids)
    last = written.steps[-1]
    row = len(written.ids) - 2 if last.token == written.ids[-1] else len(written.ids) - 1
    for record in trace.records:
        if record.startswith("decoder"):
            weights = last[f"{record}.weights"][0, :, -1]  # [H, T_k]
            assert_close(weights, trace[record].weights()[:, row, : weights.shape[-1]], atol=1e-5, rtol=0)
    assert 0 < last.probability <= 1 and int(last.logits.argmax()) == last.token


@pytest.mark.parametrize("name", WRITERS)
def test_an_edit_acts_in_every_step_and_one_that_matches_nothing_is_refused(name: str) -> None:
    model, text = WRITERS[name](), TEXTS.get(name, TEXT)
    written = model.generate(text, 3, edits=av.Edit("decoder.1.*.context", silenced, "no head 1"))
    site = next(place for place in written.steps[0].run.places if place.startswith("decoder.1."))
    for step in written.steps:
        assert not step[f"{site}.context"][:, 0].any() and step[f"{site}.context"][:, 1].any()
    with pytest.raises(AttnvizError, match="changes nothing"):
        model.generate(text, 2, edits=av.Edit("decoder.99.self.context", silenced, "none"))


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_seed_draws_the_same_text_and_a_number_below_zero_is_refused(name: str) -> None:
    model, text = WRITERS[name](), TEXTS.get(name, TEXT)
    drawn = [model.generate(text, 4, temperature=5.0, seed=seed).ids for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1] and len(set(drawn)) > 1
    assert model.generate(text, 0) == "" and model.generate(text, 0).steps == ()
    with pytest.raises(InputError, match="max_tokens"):
        model.generate(text, -1)


@pytest.mark.parametrize("model", [lambda: untrained("encoder"), lambda: traced_model("bert")])
def test_a_model_that_writes_nothing_says_so(model) -> None:
    with pytest.raises(InputError, match="writes none"):
        model().generate(TEXT)


@pytest.mark.parametrize(
    "edit", [av.ablate("1.0", "mean"), CausalMask(is_on=False), Rotation("decoder.1.self", (1.0,), (0.0,), True)]
)
def test_an_edit_that_reads_the_whole_text_is_refused_where_a_step_has_one_token(edit) -> None:
    with pytest.raises(InputError, match="all tokens of a text at once"):
        own_decoder().generate(TEXT, 2, edits=edit)


@pytest.mark.parametrize(
    "edit", [
        av.ablate("1.0"), av.cut("1.0", 4, 2), Temperature(2.0), HiddenToken(2, "decoder"), NoScaling(),
        InHead(Temperature(4.0), "decoder.1.self", 1, 2), InHead(HiddenToken(2, "decoder"), "decoder.0.self", 0, 2),
    ]
)  # fmt: skip
def test_every_other_edit_gives_in_each_step_what_a_trace_of_the_text_gives(edit) -> None:
    model = own_decoder()
    written = model.generate(TEXT, 4, edits=edit)
    logits = model.trace(written.ids[:-1], edits=edit).logits()  # [T, V]
    for row, step in zip(logits[-len(written.steps) :], written.steps, strict=True):
        assert_close(step.logits, row, atol=1e-5, rtol=0)


def test_a_seed_alone_draws_and_a_temperature_of_0_says_what_to_leave_out() -> None:
    model = own_decoder()
    assert model.generate(TEXT, 8, seed=3).ids == model.generate(TEXT, 8, temperature=1.0, seed=3).ids
    with pytest.raises(InputError, match="without one the likeliest token"):
        model.generate(TEXT, temperature=0)


def test_what_a_model_with_an_encoder_wrote_is_not_read_as_a_text_of_its_own() -> None:
    translator, text = av.load("reverse"), "a b c"
    written = translator.generate(text)
    for read in (lambda: translator.trace(written.ids), lambda: translator.traces([written.ids])):
        with pytest.raises(InputError, match=r"model\.trace\(text, target=written\.ids\)"):
            read()
    assert translator.trace(text, target=written.ids).tokens.target.ids == tuple(written.ids)
    with pytest.raises(InputError, match=r"model\.trace\(text, target=written\.ids, edits=…\)"):
        translator.generate(text, edits=av.ablate("0.0", how="mean"))


def test_a_recording_says_what_it_has_and_that_its_block_goes_on() -> None:
    layer = torch.nn.TransformerEncoderLayer(8, 2, 8, batch_first=True).eval()
    with av.record() as run:
        layer(torch.zeros(1, 3, 8))
        with pytest.raises(CaptureError, match="has not ended"):
            run.trace()
    with pytest.raises(CaptureError, match=r"and has there q, .*names such as “.*\.weights”"):
        run["weight"]
