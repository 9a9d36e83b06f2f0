"""A model's weights in our blocks give its numbers; its shape without training gives others, always the same ones."""

import pytest
import torch

import attnviz as av
from attnviz.analysis.heads.effect import effect
from attnviz.core.errors import UnsupportedModel
from attnviz.scratch.variants import in_our_blocks, untrained_variant
from attnviz.trace.edits import HeadEdit
from tests.conftest import TINY
from tests.parity.tiny_models import traced_model

pytestmark = pytest.mark.usefixtures("one_thread")
TEXT = "The cat sat on the mat because it was tired."


def test_the_untrained_variant_has_its_tokens_and_shape_and_other_numbers(minilm) -> None:
    own, again = untrained_variant(minilm), untrained_variant(minilm)
    trace, theirs = own.trace(TEXT), minilm.trace(TEXT)
    assert trace.tokens == theirs.tokens and trace.sites == theirs.sites and trace.prediction is None
    first = trace.sites[0]
    pairs = zip(own.network.parameters(), again.network.parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)  # the seed decides every number
    assert not torch.equal(trace[first].weights(), untrained_variant(minilm, seed=1).trace(TEXT)[first].weights())
    assert av.compare(trace, theirs).heads["js"].median() > 0.1


@pytest.mark.parametrize("kind", sorted(TINY))
def test_every_family_has_an_untrained_twin_with_its_tokens_and_shape(kind: str) -> None:
    model = traced_model(kind)
    twin, again = untrained_variant(model), untrained_variant(model)
    theirs = model.trace("cats are cats")
    trace = twin.trace("cats are cats")
    assert trace.tokens == theirs.tokens and trace.sites == theirs.sites
    assert trace.prediction is None and trace.card.name.endswith("untrained, seed 0")
    first = trace.sites[0]
    assert torch.equal(trace[first].weights(), again.trace("cats are cats")[first].weights())
    assert not torch.allclose(trace[first].weights(), theirs[first].weights(), atol=1e-3)


def test_a_model_of_other_blocks_has_neither() -> None:
    for made_of in (in_our_blocks, untrained_variant):
        with pytest.raises(UnsupportedModel, match="cannot be rebuilt from our blocks"):
            made_of(av.load("reverse"))


def test_a_head_of_our_blocks_can_be_silenced(minilm) -> None:
    own = in_our_blocks(minilm)
    assert own.card.id == "ours:minilm-l6" and own.card.name != minilm.card.name
    found = effect(own, own.trace(TEXT), HeadEdit("encoder.5.self", 11))
    theirs = effect(minilm, minilm.trace(TEXT), HeadEdit("encoder.5.self", 11))
    assert found.chosen.after == pytest.approx(theirs.chosen.after, abs=1e-5)
