"""Pretrained models in our own blocks: their weights, and what their steps end in, are transformers' own."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from torch.testing import assert_close

from attnviz.core.errors import UnsupportedModel
from attnviz.explanation import chain
from attnviz.explanation.whatif import Switches, run
from attnviz.models import Decoder, Encoder, from_published
from attnviz.models.support.rerun import network_rerun
from attnviz.scratch.rebuilt import TOLERANCE, difference, rebuilt
from attnviz.trace.run_facts import AppliedEdit
from tests.parity.tiny_models import eager_model, own_logits, traced_model

TEXT = "A cat sat, because it was tired."
MODERN = ("llama", "qwen2", "qwen3", "mistral", "phi3", "gemma2", "gemma3_text", "gpt_neox")
OURS = ("bert", "roberta", "xlm-roberta", "gpt2", *MODERN)
OTHERS = ("electra", "albert", "bloom", "t5", "bart")  # this ELECTRA's embedding is narrower than its blocks


@pytest.mark.parametrize("n_words", [300, 40])  # the whole vocabulary, and what is shown of a large one
def test_a_rebuilt_decoder_ends_in_the_models_own_next_token_probabilities(n_words, monkeypatch):
    monkeypatch.setattr("attnviz.explanation.model_steps.vocabulary.MOST_WORDS", n_words)
    trace = rebuilt(traced_model("gpt2")).trace(TEXT)
    step = chain(trace, "decoder")["probabilities"]
    rows = chain(trace, "decoder")["logits"].operands[1].matrix.values  # [words, d_model] of the matrix [V, d_model]
    ids = torch.cdist(rows, trace.parameters("decoder.vocabulary")["w"]).argmin(-1)  # [words]
    shares = torch.softmax(own_logits(eager_model("gpt2"), trace), -1)  # of all words, however many are shown
    assert_close(step.result.values, shares[:, ids], rtol=0, atol=1e-6)
    assert (step.result.columns.count, step.result.columns.size) == (n_words, 300)
    assert step.difference < 1e-5 and int(ids[0]) == int(shares[-1].argmax())  # the likeliest after the text leads
    assert int(shares.amax(0).argmax()) in ids.tolist()
    assert (float(step.rest.values.min()) > 0) if n_words < 300 else step.rest is None


@pytest.mark.parametrize("kind", OTHERS)
def test_a_model_that_is_built_otherwise_is_not_rebuilt(kind):
    assert rebuilt(traced_model(kind)) is None


def test_a_run_of_other_weights_is_found_out(minilm):
    model = rebuilt(minilm)
    state = {name: value.clone() for name, value in minilm.module.state_dict().items()}
    state["encoder.layer.3.output.dense.weight"][0] += 0.1
    other = replace(model, network=from_published(state, minilm.module.config.to_dict()))
    assert difference(other.trace(TEXT), minilm.trace(TEXT)) > 10 * TOLERANCE


def test_a_head_that_is_not_our_matrix_of_the_vocabulary_has_no_steps():
    model = traced_model("gpt2")
    own = rebuilt(model).trace(TEXT).prediction

    def doubled(states, ids):
        shares = own.probabilities**2  # as with logits times 2
        return replace(own, probabilities=shares / shares.sum(-1, keepdim=True))

    own_head = model.lm_head
    head = SimpleNamespace(
        prediction=doubled, logits=own_head.logits, text_of=own_head.text_of, spellings=own_head.spellings,
        matrix=own_head.matrix,
    )  # fmt: skip
    fake = SimpleNamespace(card=model.card, module=model.module, read=model.read, lm_head=head)
    made = chain(rebuilt(fake).trace(TEXT), "decoder")
    assert made.steps[-1].name == "final-norm"
    assert [note.id for note in made.notes] == ["step-note-no-vocabulary"]


@pytest.mark.parametrize("kind", OURS)
def test_a_rebuilt_model_has_the_weights_of_the_model_and_what_is_switched_in_it_is_switched_in_the_model_too(kind):
    model = traced_model(kind)
    again, base = rebuilt(model), model.trace(TEXT)
    own = again.trace(TEXT)
    assert difference(own, base) < 1e-5
    has_window = own[own.sites[0]].source.mask.allowed is not None  # whose triangle cannot be taken away
    causal = () if has_window else (Switches(causal=isinstance(again.network, Encoder)),)
    for switches in (
        *causal, Switches(scaling=False), Switches(temperature=0.5), Switches(hidden=3),
        Switches(silenced=((base.sites[0].key, 1),)),
    ):  # fmt: skip
        ours, theirs = run(again, own, switches), run(model, base, switches)
        assert difference(ours, theirs) < 1e-5, switches
        assert ours.edits == theirs.edits == tuple(map(AppliedEdit.of, switches.edits(base)))
        steps = [step for site in theirs.sites for step in chain(theirs, "self", site, head=1).steps]
        assert max(step.difference for step in steps) <= 1e-5 and all(step.note == "" for step in steps)


@pytest.mark.parametrize(("model_type", "said", "named"), [
    ("bert", {"model_type": "bloom"}, "'bloom' is not what our blocks compute"),
    ("bert", {"is_decoder": True}, "'bert' is not what our blocks compute"),
    ("bert", {"hidden_act": "tanh"}, "'tanh' is not what our blocks compute; expected one of 'relu', 'gelu'"),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx"),
    ("gpt2", {"scale_attn_weights": False}, "scale_attn_weights"),
    ("roberta", {"pad_token_id": 0}, "pad_token_id"),
])  # fmt: skip
def test_what_our_blocks_do_not_compute_is_refused(model_type, said, named):
    module = traced_model(model_type).module
    with pytest.raises(UnsupportedModel, match=named):
        from_published(module.state_dict(), module.config.to_dict() | said)


def test_a_decoder_that_caps_its_logits_caps_them_in_a_rerun_too():
    model = traced_model("gemma2")
    own = rebuilt(model)
    assert isinstance(own.network, Decoder)
    ids = torch.arange(3, 20)[None]
    rerun = network_rerun(own.network, ids)
    with torch.no_grad():
        logits = rerun.logits(rerun.states(1)[0], ids[0])  # [T, V]
        assert_close(logits, own.network(ids)[0], rtol=0, atol=1e-5)
