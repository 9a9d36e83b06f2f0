"""Rollout and effects as they are printed: names, signs, and where their rows lead."""

import pytest
import torch
from attnviz_app.heads.looks.effect import cosine, effect_blocks, percent
from attnviz_app.heads.looks.rollout import has_baseline, rollout_maps

from attnviz import load
from attnviz.analysis.heads.effect import Change, Effect, Effects
from attnviz.analysis.heads.rollout import Rollout, cross_rollout, rollout
from attnviz.text import signed, strings

pytestmark = pytest.mark.usefixtures("one_thread")
SAY = strings("en")


@pytest.fixture(scope="module")
def trace():
    return load("translate-en-zh").trace("She is a doctor.")


def test_only_a_mask_that_prefers_some_tokens_is_divided_out(trace) -> None:
    assert has_baseline(rollout(trace, "decoder"))
    assert not has_baseline(rollout(trace, "encoder")) and not has_baseline(cross_rollout(trace))
    assert not has_baseline(Rollout(torch.ones(1, 1), torch.ones(1, 1), 1))


def test_maps_are_named_by_their_tokens_and_the_drawn_part_is_said(trace) -> None:
    (maps,) = rollout_maps(trace, trace["decoder.0.cross"].site, cross_rollout(trace), SAY)
    (one,) = maps.maps
    assert one.rows[-1] == "。 → <end>" and one.columns[0] == "She"  # what was read, and what the row writes
    long = load("minilm-l6").trace("the cat sat on the mat " * 15)
    said, drawn = rollout_maps(long, long.sites[0], rollout(long), SAY, start=20)
    assert "64" in said.text or "21" in said.text
    assert len(drawn.maps[0].rows) == 64 and drawn.maps[0].rows[0] == long.tokens.source.name(20)


def test_an_effect_is_printed_with_signs_bounds_and_names_from_one(trace) -> None:
    chosen = Effect(Change("decoder.1.cross", 3), 0.9, 0.001, is_bound=True)
    other = Effect(Change("encoder.0.self", 0), 0.9, 0.93)
    facts, prose, table = effect_blocks(trace, Effects("probability", 2, "医生", chosen, (other,)), SAY)
    assert facts.facts[0].value == "−89.9" and "“医生”: 90.0% before, at most 0.1% after" in facts.facts[0].note
    assert table.rows == [("2.4 (cross-attention)", "at most 0.1%", "−89.9"), ("1.1 (encoder)", "93.0%", "+3.0")]
    assert prose.text == SAY("heads-effect-larger", n=1)
    assert table.leads == [(1, 3, "", None), (0, 0, "encoder", None)]  # one is of another part
    facts, prose, table = effect_blocks(trace, Effects("cosine", None, None, other, (chosen,)), SAY)
    assert table.rows[0] == ("1.1 (encoder)", "0.9300") and prose.text == SAY("heads-effect-not-larger", n=1)


def test_what_rounds_to_none_has_no_sign() -> None:
    assert [signed(value, 1) for value in (0.04, -0.04, 0.06, -12.34)] == ["0.0", "0.0", "+0.1", "−12.3"]
    assert (percent(0.9996), cosine(-0.5)) == ("100.0%", "−0.5000")
