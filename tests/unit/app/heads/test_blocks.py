"""Rollout and effects as they are printed: names, signs, and where their rows lead."""

from dataclasses import replace

import pytest
import torch
from attnviz_app.heads.looks.effect import cosine, effect_blocks, percent, silenced_blocks
from attnviz_app.heads.looks.head_names import map_of_heads
from attnviz_app.heads.looks.lead import in_words, lead_of
from attnviz_app.heads.looks.rollout import has_baseline, rollout_maps
from attnviz_app.heads.looks.why import added_blocks, moved_blocks, word_blocks

from attnviz import load
from attnviz.analysis.circuits.logits import wrote
from attnviz.analysis.circuits.missing_word import missing_word
from attnviz.analysis.heads.effect import Effect, Effects
from attnviz.analysis.heads.rollout import Rollout, cross_rollout, rollout
from attnviz.core.errors import AttnvizError
from attnviz.core.site import Site
from attnviz.scratch.untrained import untrained
from attnviz.text import signed, strings
from attnviz.trace.edits import HeadEdit

pytestmark = pytest.mark.usefixtures("one_thread")
SAY = strings("en")


@pytest.fixture(scope="module")
def trace():
    return load("translate-en-zh").trace("She is a doctor.")


def test_one_token_alone_has_no_baseline_to_be_divided_out() -> None:
    assert not has_baseline(Rollout(torch.ones(1, 1), torch.ones(1, 1)))


def test_maps_are_named_by_their_tokens_and_the_drawn_part_is_said(trace) -> None:
    (maps,) = rollout_maps(trace, trace["decoder.0.cross"].site, cross_rollout(trace), SAY)
    (one,) = maps.maps
    assert one.rows[-1] == "。 → <end>" and one.columns[0] == "She"  # what was read, and what the row writes
    long = untrained("encoder", max_tokens=90).trace("the cat sat on the mat " * 15)
    said, drawn = rollout_maps(long, long.sites[0], rollout(long), SAY, start=20)
    assert "21 to 84 of 90" in said.text
    assert len(drawn.maps[0].rows) == 64 and drawn.maps[0].rows[0] == long.tokens.source.name(20)


def test_an_effect_is_printed_with_signs_bounds_and_names_from_one(trace) -> None:
    chosen = Effect(HeadEdit("decoder.1.cross", 3), 0.9, 0.001, is_bound=True)
    other = Effect(HeadEdit("encoder.0.self", 0), 0.9, 0.93)
    facts, prose, table = effect_blocks(trace, Effects("probability", 2, "医生", chosen, (other,)), SAY)
    assert facts.facts[0].value == "−89.9" and "“医生”: 90.0% before, at most 0.1% after" in facts.facts[0].note
    assert table.rows == [("2.4 (cross-attention)", "at most 0.1%", "−89.9"), ("1.1 (encoder)", "93.0%", "+3.0")]
    assert prose.text == SAY("heads-effect-larger", n=1)
    assert table.leads == [(1, 3, "", None), (0, 0, "encoder", None)]  # one is of another part
    facts, prose, table = effect_blocks(trace, Effects("cosine", None, None, other, (chosen,)), SAY)
    assert table.rows[0] == ("1.1 (encoder)", "0.9300") and "to 1 of the 1 other" in prose.text


@pytest.mark.parametrize(("points", "others", "said"), [
    (2.0, (1.0, -3.0, 2.0, 0.0, 1.96), "to 3 of the 5 other heads does as much or more"),
    (0.5, (1.0, -3.0, 2.0, 4.0, 0.6), "to 5 of the 5 other heads does as much or more"),
    (0.04, (0.01, 0.0, 0.02, 0.0, 0.0), "to 5 of the 5 other heads does as much or more"),  # none can be told apart
    (2.0, (1.0, -1.5, 0.0, 0.0, 1.9), "more than the same change does to each of the 5 other heads"),
])  # fmt: skip
def test_how_many_others_do_as_much_is_counted_as_they_are_printed(trace, points, others, said) -> None:
    chosen, *rest = (
        Effect(HeadEdit("decoder.0.cross", head), 0.5, 0.5 + each / 100) for head, each in enumerate((points, *others))
    )
    _, prose, _ = effect_blocks(trace, Effects("probability", 2, "医生", chosen, tuple(rest)), SAY)
    assert ("next to nothing" in prose.text) == (points <= 0.5)
    assert said in prose.text


@pytest.mark.parametrize(("measure", "points", "said", "limit"), [
    ("probability", (0.01, -0.04, 0.0, 0.02), "the probability of “医生” changes by less than 0.05 points", 0.1),
    ("probability", (0.01, -0.06, 0.0, 0.02), "most: −0.1 points. 0 of 4 heads", 0.1),
    ("probability", (1.01, 1.0, 0.0, -3.0), "most: −3.0 points. 1 of 4 heads", 3.0),
    ("cosine", (0.0, -0.001, 0.0, -0.004), "stays above 0.9999", 0.01),
    ("cosine", (0.0, -0.02, 0.0, -0.004), "falls from 1 to 0.9998", 0.02),
])  # fmt: skip
def test_heads_whose_effects_print_as_none_are_not_ranked_nor_drawn_in_full_colour(trace, measure, points, said, limit):
    start = 0.5 if measure == "probability" else 1.0
    heads = [HeadEdit(f"encoder.{at // 2}.self", at % 2) for at in range(4)]
    each = tuple(Effect(head, start, start + change / 100) for head, change in zip(heads, points, strict=True))
    prose, maps = silenced_blocks(trace, Effects(measure, 2, "医生", each[1], each), SAY)
    assert said in prose.text
    assert maps.maps[0].limit == pytest.approx(limit, rel=1e-5)


def test_what_rounds_to_none_has_no_sign() -> None:
    assert [signed(value, 1) for value in (0.04, -0.04, 0.06, -12.34)] == ["0.0", "0.0", "+0.1", "−12.3"]
    assert (percent(0.9996), cosine(-0.5)) == ("100.0%", "−0.5000")


def test_of_many_more_layers_than_heads_a_map_has_the_layers_across() -> None:
    values = torch.arange(21.0).view(7, 3)  # [L, H]
    down, across = (map_of_heads("", each, SAY, limit=1.0, leads=True) for each in (values[:6], values))
    assert (down.leads, across.leads) == ("down", "across")
    assert torch.equal(across.values, values.T) and (across.rows[-1], across.columns[-1]) == ("3", "7")
    assert (across.row_axis, across.column_axis) == (down.column_axis, down.row_axis)


def test_what_every_head_adds_to_a_word_is_what_the_logits_are_made_of() -> None:
    model = load("induction")
    trace = model.trace("a b c a b c a")
    last = len(trace.tokens.source) - 1
    said, maps, about, table, *_ = word_blocks(trace, trace.sites[1], 0, last, 0, SAY)
    assert said.text.startswith("Head 2.") and said.lead
    best, second = trace.predicted_tokens.ids[last, :2].tolist()
    logits = trace.logits(last)
    of_heads = maps.maps[0].values  # [L, H]
    rest = [part for w in [wrote(trace, last, best, second)] for writer, part in zip(w.writers, w.parts, strict=True)
            if writer.kind != "head"]  # fmt: skip
    assert of_heads.shape == (2, 2) and maps.maps[0].leads
    assert float(of_heads.sum() + sum(rest)) == pytest.approx(float(logits[best] - logits[second]), abs=1e-4)
    assert "ahead" in about.text and table.title == maps.maps[0].title.removeprefix("What each head adds to ")
    with pytest.raises(AttnvizError, match="predicts no tokens"):
        word_blocks(load("minilm-l6").trace("a cat"), Site("encoder", 0, "self"), 0, 1, 0, SAY)


def test_of_a_translator_it_is_the_encoder_that_predicts_no_tokens() -> None:
    trace = load("translate-en-zh").trace("I see a cat .")
    with pytest.raises(AttnvizError, match=r"^The encoder of .* predicts no tokens; its decoder writes them"):
        added_blocks(trace, Site("encoder", 0, "self"), 1, SAY)


def test_the_head_that_adds_most_is_said_and_the_last_sentence_leads_to_the_one_that_home_shows() -> None:
    trace = load("induction").trace("a b c a b")
    told = missing_word(trace)
    last = len(trace.tokens.source) - 1
    *_, said = added_blocks(trace, trace.sites[0], last, SAY)
    assert said.lead == (Site.parse(told.site).layer, told.head, "", last)
    key = trace.tokens.source.name(told.key)
    assert said.text == (
        f"Head 2.{told.head + 1} adds most to “{told.wrote.text}” over “{told.wrote.against_text}”: "
        f"{signed(told.added, 2)} in all, {signed(told.moved, 2)} from “{key}”."
    )


def test_where_the_head_that_adds_most_brings_nothing_from_before_another_one_is_said_too() -> None:
    trace = load("induction").trace("a b c a b")
    lead = lead_of(trace, len(trace.tokens.source) - 1, 0)
    assert lead.brings is not None
    other = lead.added.copy()
    other["decoder.0.self", 0] = 9.0
    first, second = in_words(trace, replace(lead, added=other), "decoder", SAY)
    assert first.text.startswith("Head 1.1 adds most") and first.text.endswith(": +9.00.")
    assert f"2.{lead.brings.head + 1} brings most: {signed(lead.brings.moved, 2)} from" in second.text
    (none,) = in_words(trace, replace(lead, added=other * 0), "decoder", SAY)
    assert none.text.startswith("No head adds") and none.lead is None


def test_a_lead_is_taken_apart_once_for_all_that_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, made = load("induction").trace("q r s q r"), list[int]()
    monkeypatch.setattr("attnviz_app.heads.looks.lead.wrote", lambda *asked: made.append(1) or wrote(*asked))
    last = len(trace.tokens.source) - 1
    for language in ("en", "zh-CN"):
        added_blocks(trace, trace.sites[0], last, strings(language))
        word_blocks(trace, trace.sites[0], 0, last, 0, strings(language))
    assert made == [1]


def test_the_head_with_the_largest_weight_on_a_name_may_write_against_it_which_is_said() -> None:
    trace = load("smollm2-135m").trace("When Mary and John went to the shop, John gave a drink to")
    row, mary = len(trace.tokens.source) - 1, 1
    _, said = moved_blocks(trace, trace.sites[0], row, mary, SAY)
    moved = wrote(trace, row).sources()
    moved = moved[moved["token"] == mary]
    most, heaviest = (moved.loc[moved[by].idxmax()] for by in ("value", "weight"))
    names = [f"{one['layer'] + 1}.{one['head'] + 1}" for one in (most, heaviest)]
    assert names[0] != names[1] and heaviest["value"] < 0
    assert f"head {names[0]} most, {most['value']:+.2f} at {100 * most['weight']:.0f}%" in said.text
    against = f"{abs(heaviest['value']):.2f}: against “Mary”"
    assert f"The largest weight, {100 * heaviest['weight']:.0f}%, is of {names[1]}, which moves −{against}" in said.text


def test_of_a_token_that_no_head_can_see_no_weight_is_named_as_the_largest() -> None:
    trace = load("smollm2-135m").trace("The capital of France is")
    _, said = moved_blocks(trace, trace.sites[0], 2, 4, SAY)
    assert said.text.startswith("No head moves anything from “is” into") and "weight" not in said.text
