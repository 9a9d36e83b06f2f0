"""Edits of the families whose arithmetic differs: positions added to scores, soft-caps, sinks, grouped heads."""

import pytest
from torch.testing import assert_close

from attnviz.core.capture import Edit
from tests.parity.tiny_models import traced_model

TEXT = "changed on the way"
KINDS = ("t5", "gemma2", "gpt_oss", "deepseek_v3")


def run(model_type: str, edits=()):
    model = traced_model(model_type)
    return model.trace(TEXT, "written" if model.writer else None, edits)


@pytest.mark.parametrize("model_type", KINDS)
def test_an_edit_that_changes_nothing_gives_the_untouched_run(model_type):
    plain = run(model_type)
    edited = run(model_type, [Edit("*.weights", lambda name, x: x * 1.0, "times one")])

    assert edited.verified.holds and str(*edited.edits) == "times one"
    for key, record in plain.records.items():
        assert_close(edited[key].weights(), record.weights(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("value", ["q", "k", "v", "raw", "scores", "masked", "weights", "context"])
@pytest.mark.parametrize("model_type", KINDS)
def test_a_halved_value_is_shown_as_it_was_used_and_changes_what_follows(model_type, value):
    plain = run(model_type)
    first, second = (site.key for site in plain.sites[:2])
    edited = run(model_type, [Edit(f"{first}.{value}", lambda name, x: x * 0.5, "half")])

    assert edited.verified.holds
    if value in ("weights", "context"):
        assert_close(getattr(edited[first], value)(), getattr(plain[first], value)() * 0.5, rtol=0, atol=1e-5)
    assert float((edited[second].weights() - plain[second].weights()).abs().max()) > 1e-7
