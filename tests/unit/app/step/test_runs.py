"""Whose run a tab of Step through is about: the model's own, or ours of its weights where whole blocks are needed."""

import gc
import weakref
from copy import deepcopy

import pytest
from attnviz_app.step import runs
from attnviz_app.step.choices import fitted
from attnviz_app.step.picture import shown
from attnviz_app.step.query import Picked, Question

from attnviz.explanation.whatif import ScoreSwitches, Switches
from tests.parity.tiny_models import traced_model


@pytest.fixture
def loaded(monkeypatch):
    """A factory: `loaded("gpt2")` makes every name of the menu that tiny model."""

    def load(kind: str) -> None:
        model = traced_model(kind)
        monkeypatch.setattr(runs, "model", lambda asked: model)
        monkeypatch.setattr(runs, "base", lambda asked: model.trace(asked.text))

    return load


@pytest.mark.parametrize(("kind", "tabs"), [
    ("bert", {"block"}), ("roberta", {"block"}), ("t5", set()),
    # Their own runs hold no product that Q and K are.
    *((kind, {"self", "heads", "block", "decoder"}) for kind in (
        "gpt2", "llama", "qwen2", "qwen3", "mistral", "phi3", "gemma2", "gemma3_text", "gpt_neox",
    )),
])  # fmt: skip
def test_whole_blocks_are_our_own_run_of_the_weights_where_that_can_be(loaded, kind, tabs):
    loaded(kind)
    found = {tab: runs.source(Question(kind, "a cat sat"), tab) for tab in ("self", "heads", "block", "decoder")}
    assert {tab for tab, ran in found.items() if ran.is_rebuilt} == tabs
    for tab, ran in found.items():
        made = runs.steps(ran.untouched, fitted(Picked(tab=tab), ran.untouched), ran.untouched)
        assert made.tab == tab and made.steps
        if tab in tabs:
            assert ran.note.id == "step-note-rebuilt" and ran.difference < 1e-5
        else:
            assert ran.note is None
    assert (made.steps[-1].name == "choice") == ("decoder" in tabs)  # of the last tab


def test_a_run_of_ours_that_is_not_the_models_is_not_shown(loaded, monkeypatch):
    loaded("bert")
    monkeypatch.setattr(runs, "difference", lambda own, theirs: 0.25)
    ran = runs.source(Question("bert", "another text"), "block")
    assert not ran.is_rebuilt
    assert (ran.note.id, ran.note.arguments["difference"]) == ("step-note-rebuilt-differs", "0.25")
    made = runs.steps(ran.untouched, fitted(Picked(tab="block"), ran.untouched), ran.untouched)
    assert "step-note-no-block" in [note.id for note in made.notes]


def test_our_network_of_a_model_is_made_once_and_goes_with_it(loaded):
    loaded("llama")
    first, second = (runs.source(Question("llama", text), "block").model for text in ("a cat", "two dogs"))
    assert first.network is second.network and first.card == second.card
    model = deepcopy(traced_model("llama"))
    network = weakref.ref(runs._in_our_blocks(model).network)
    assert network() is not None
    del model
    gc.collect()
    assert network() is None


def test_what_is_switched_stays_switched_with_the_next_thing_that_is_asked_for(loaded):
    """The model's own run, which the picture does not show, holds no rotation, groups and gate."""
    loaded("llama")
    asks = [{"rotation": "100"}, {"swaps": True}, {"gate": False}, {"temperature": 2.0}, {"tab": "heads"}, {"head": 2}]
    found = shown(Question("llama", "a cat sat"), Picked(), asks)
    warm = ("decoder.0.self", 1, ScoreSwitches(temperature=2.0))
    assert found.picked.switches == Switches(theta=100.0, swaps_groups=True, gate=False, heads=(warm,))
    assert (found.picked.tab, found.picked.head, found.problem) == ("heads", 2, None)
    assert len(found.trace.edits) > 3
