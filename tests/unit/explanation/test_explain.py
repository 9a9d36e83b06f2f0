"""Any cell of any step by name, and chains of a run that was kept in a file."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.core.errors import StepError
from attnviz.explanation import STEPS, chain, explain_cell
from attnviz.explanation.whatif import Switches, run
from attnviz.trace.run_facts import Card
from attnviz.trace.tokens import Tokens


@pytest.fixture(scope="module")
def trace():
    return av.load("reverse").trace("a b c d")


NOT_HERE = {  # this model has none of these
    "scaled": "no step 'scaled'", "sinusoid": "no step 'sinusoid'", "embed-norm": "no step 'embed-norm'",
    "capped": "not capped", "silenced": "was not silenced",
}  # fmt: skip
CROSS = {"cross-norm", "crossed"}


@pytest.mark.parametrize("step", [step.name for step in STEPS])
def test_a_cell_is_explained_by_the_name_of_its_step(step, trace):
    site = "decoder.0.cross" if step in CROSS else "decoder.0.self"
    places = {"query": 2, "key": 1, "feature": 3, "entry": 0, "token": 2}
    if step in NOT_HERE:
        with pytest.raises(StepError, match=NOT_HERE[step]):
            av.explain(trace, site, step, head=1, **places)
        return
    places |= {"key": 2} if step in ("k", "v") else {}  # their rows are keys
    found = av.explain(trace, site, step, head=1, **places)
    assert found.recomputed == pytest.approx(found.value, abs=1e-5)
    tab = {"split": "heads", "head-out": "self"}.get(step, "decoder")
    steps = [own for own in chain(trace, tab, site, head=1).steps if own.name == step and own.head in (None, 1)]
    column = {"feature": 3, "key": 1, "entry": 0}[next(own.axes[1] for own in STEPS if own.name == step)]
    same = [explain_cell(own, 2, column) for own in steps]
    assert any(own.value == pytest.approx(found.value, abs=1e-6) and len(own.terms) == len(found.terms) for own in same)


def test_what_cannot_be_explained_is_refused_in_a_sentence(trace):
    for arguments, expected in (
        ({"step": "self-norm", "token": 9, "feature": 0}, "needs token= from 0 to 4; came 9"),
        ({"step": "hidden", "token": 0}, "needs feature= from 0 to 127; came nothing"),
        ({"step": "probabilities", "token": 0, "entry": 99}, "needs entry= from 0 to 33; came 99"),
        ({"step": "crossed", "token": 0, "feature": 0}, "no step 'crossed' at encoder.0.self in Reverse"),
        ({"step": "attention"}, "There is no step 'attention'. Expected one of: tokens, scaled"),
    ):
        with pytest.raises(StepError, match=expected):
            av.explain(trace, "encoder.0.self", **arguments)
    with pytest.raises(StepError, match="This chain has tokens, positions, embed"):
        chain(trace, "self")["hidden"]


def test_a_run_that_was_saved_with_its_parameters_is_written_out_in_full(trace, tmp_path):
    trace.save(tmp_path / "run", parameters=True)
    loaded = av.Trace.load(tmp_path / "run")
    for tab in ("self", "heads", "block", "decoder"):
        for ours, theirs in zip(chain(loaded, tab).steps, chain(trace, tab).steps, strict=True):
            assert (ours.key, ours.facts) == (theirs.key, theirs.facts)
            assert_close(ours.result.values, theirs.result.values, rtol=0, atol=1e-6 * theirs.result.largest)


def test_a_run_that_was_saved_without_says_what_is_missing(trace, tmp_path):
    trace.save(tmp_path / "run")
    loaded = av.Trace.load(tmp_path / "run")
    found = chain(loaded, "self")
    assert [step.name for step in found.steps] == ["raw", "scores", "masked", "weights", "context"]
    assert [note.id for note in found.notes] == ["step-note-no-projection", "step-note-no-w-o"]
    assert [note.id for note in chain(loaded, "block").notes] == ["step-note-no-block", "step-note-no-w-o"]


@dataclass(frozen=True)
class Recorded:
    """A person's own encoder as a model: BERT's embedding, which adds a type and normalises."""

    network: av.models.Encoder
    card: Card

    def trace(self, text: str, target: str | None = None, edits: Sequence[av.Edit] = ()) -> av.Trace:
        ids = [int(word) for word in text.split()]
        with torch.inference_mode(), av.record(edits=edits) as recording:
            self.network(torch.tensor([ids]))
        tokens = Tokens.plain(text.split())
        tokens = Tokens(tokens.text, tuple(ids), tokens.special, tokens.unknown, tokens.spans, tokens.words, text)
        return recording.trace(0, card=self.card, tokens=tokens, parameters=av.models.parameters_of(self.network))

    def traces(self, texts: Sequence[str]) -> tuple[av.Trace, ...]:
        return tuple(self.trace(text) for text in texts)


def test_positions_are_left_out_of_an_embedding_that_adds_types_and_a_norm():
    torch.manual_seed(5)
    config = av.models.TransformerConfig(
        vocab_size=9, d_model=12, n_heads=3, n_layers=1, d_ff=8, max_tokens=8, dropout=0.0, activation="gelu",
        embedding=av.models.BERT,
    )  # fmt: skip
    network = av.models.Encoder(config).eval()
    with torch.no_grad():
        for part in (network.embed.tokens, network.embed.positions.table, network.embed.types):
            part.weight.normal_()
    model = Recorded(network, Card("own", "Own", "your code", 1, 3, 12))
    base = model.trace("3 1 4 1 5")
    changed = run(model, base, Switches(positions=False))
    with torch.inference_mode():
        network.embed.positions.table.weight.zero_()
        expected = network(torch.tensor([[3, 1, 4, 1, 5]]))[0]
    assert torch.allclose(changed.stream["encoder.out"], expected, atol=1e-5)
    steps = chain(changed, "block")
    assert [step.name for step in steps.steps][:3] == ["tokens", "embed", "embed-norm"]
    assert max(step.difference for step in steps.steps) <= 1e-5
