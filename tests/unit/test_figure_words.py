"""Figures say what they are of: what was patched and whither, which model and texts, whose metric and in which unit."""

import json
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest

import attnviz as av
from attnviz.analysis.heads.atlas import Plan, gathered, measure
from attnviz.analysis.heads.survey_cache import cached_survey, shipped_survey
from attnviz.core.errors import InputError
from attnviz.figures.labels import text_width
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation

SITE = "decoder.1.self"
TEXTS = "a b c a b", "a b d a b"
WHAT = ("heads", "positions", "edges", "feed-forward", "residual")


@pytest.fixture(scope="module")
def model():
    return av.load("induction")


@pytest.fixture(scope="module")
def circuits(model):
    return av.circuits(model)


@pytest.fixture(scope="module")
def survey(model):
    return av.survey(model, ["a b c a b", "d e f d e"])


def footnote(fig: go.Figure) -> str:
    return next(it.text for it in fig.layout.annotations if it.name == "footnote").replace("<br>", " ")


def title(fig: go.Figure) -> str:
    return fig.layout.title.text.replace("<br>", " ")


def bar(fig: go.Figure) -> str:
    return fig.data[0].colorbar.title.text.replace("<br>", " ")


def test_a_figure_of_patching_says_what_was_patched_and_in_which_direction(model):
    drawn = [av.patch(model, *TEXTS, what, direction=way).figure() for what in WHAT for way in ("denoising", "noising")]
    titles = list(map(title, drawn))
    assert len(set(titles)) == len(titles) and all("Logit of “c” less that of “d”" in each for each in titles)
    assert titles[-1].startswith("Residual stream before each block, noising (corrupt into clean) · ")
    assert titles[0].startswith("Heads, denoising (clean into corrupt) · Change by the patch · ")


def test_each_number_of_patching_has_its_own_title_and_unit(model):
    found = av.patch(model, [TEXTS[0], "d e f d e"], [TEXTS[1], "d e g d e"])
    bars = {column: bar(found.figure(column)) for column in ("effect", "value", "gradient", "share", "effect_sd")}
    assert bars == {
        "effect": "Change by the patch (logits)",
        "value": "With the patch (logits)",
        "gradient": "Change, by the gradient (logits)",
        "share": "Share of the difference",
        "effect_sd": "Change by the patch, standard deviation (logits)",
    }
    for column, label in bars.items():
        assert label.removesuffix(" (logits)") in title(found.figure(column))
    assert found.figure("effect_sd").data[0].zmin == 0 and found.figure("value").data[0].zmin < 0
    assert "a b c a b Induction: a b d a b" in footnote(av.figures.head_map(found.table, "effect"))
    by_position = av.patch(model, *TEXTS, "positions", metric=lambda rows: rows[:, 7])
    assert bar(by_position.figure()) == "Change by the patch (given metric)"
    by_cosine = av.patch(av.load("minilm-l6"), "The cat sat.", "The dog sat.")
    assert bar(by_cosine.figure()) == "Change by the patch (cosine)"


def test_patching_that_was_stopped_says_so(model):
    whole = av.patch(model, *TEXTS)
    assert "Stopped" not in footnote(whole.figure())
    assert "Stopped after 4 of 9 parts." in footnote(replace(whole, n_asked=9).figure())
    assert "Stopped after 1 of 3 pairs of texts." in footnote(replace(whole, n_pairs_asked=3).figure())


def test_a_number_that_no_part_has_is_refused_by_positions_too(model):
    found = av.patch(model, *TEXTS, "positions", metric=lambda rows: rows[:, 7].detach())
    assert found.table["gradient"].isna().all()
    with pytest.raises(InputError, match="holds no number"):
        found.figure("gradient")


def test_a_survey_draws_itself_and_names_its_model_and_texts(survey):
    fig = survey.figure("induction")
    assert fig.to_json() == survey.heads.figure("induction").to_json()
    assert footnote(fig).startswith("Induction: a b c a b Induction: d e f d e Layers")
    assert survey.figure("induction", "entropy").to_json() == survey.heads.figure("induction", "entropy").to_json()
    titles = {column: title(survey.figure(column)) for column in ("induction_sd", "induction_n", "induction_repeated")}
    assert titles == {
        "induction_sd": "Induction, standard deviation",
        "induction_n": "Induction, number of texts",
        "induction_repeated": "Induction, repeated random tokens",
    }


def test_a_survey_that_was_read_from_a_file_names_the_same(model, survey, tmp_path):
    texts = list(survey.sentences)
    first, again = (cached_survey(model, folder=tmp_path, sentences=texts) for _ in range(2))
    assert first.heads is not again.heads and again.heads.attrs == first.heads.attrs == survey.heads.attrs
    shipped = shipped_survey(model)
    assert "and 197 texts more" in footnote(shipped.figure("entropy"))
    assert bar(shipped.figure("induction_repeated")) == "Induction, repeated random tokens (share)"


def test_an_atlas_names_its_model_and_the_number_of_its_texts(model, tmp_path):
    (tmp_path / "texts.txt").write_text("a b c a b\nd e f d e\n")
    plan = Plan.of("induction", model, tmp_path / "texts.txt")
    heads = gathered(model, plan, tmp_path, measure(model, plan, tmp_path)).heads
    assert footnote(heads.figure("entropy")).startswith("Induction Layers")
    assert footnote(heads.figure("entropy")).endswith("over 2 texts")
    assert json.loads(json.dumps(heads.attrs)) == heads.attrs


def test_circuits_draw_themselves_by_their_own_titles(model, circuits):
    fig = circuits.figure("copying")
    assert title(fig) == bar(fig) == "Copying (OV eigenvalues)"
    assert (fig.data[0].zmin, fig.data[0].zmax) == (-1, 1) and footnote(fig).startswith("Induction Layers")
    assert av.figures.head_map(circuits.frame(), "copying").to_json() == fig.to_json()
    assert bar(circuits.figure("previous")) == "Previous position (QK) (share)"
    assert "a b c a b" in footnote(av.circuits(model, "a b c a b").figure("previous"))
    points = circuits.figure("copying", "matching")
    assert [one.name for one in points.data] == [""] and len(points.data[0].x) == 4  # no kinds: those are of metrics
    assert json.loads(json.dumps(circuits.heads.attrs)) == circuits.heads.attrs


def test_a_column_of_ones_own_keeps_its_name_beside_metrics_too(model, circuits):
    metrics = av.head_metrics(model.trace(TEXTS[0]))
    own = pd.DataFrame({"site": [SITE] * 2, "head": [0, 1], "copying": [0.1, 0.2], "previous": [0.3, 0.4]})
    assert title(av.figures.head_map(own, "copying")) == "copying"
    assert bar(av.figures.head_map(own, "previous")) == "previous"
    assert [one.name for one in av.figures.scatter(own, "copying", "previous").data] == [""]
    beside = metrics.assign(copying=circuits.heads["copying"])
    assert title(beside.figure("copying")) == "copying" and bar(beside.figure("entropy")) == "Entropy (bits)"
    joined = metrics.merge(circuits.heads[["site", "head", "copying"]], on=["site", "head"])
    assert title(joined.figure("entropy", "copying")) == "Entropy against copying"
    kinds = {one.name for one in metrics.figure("entropy", "first").data}
    assert {one.name for one in joined.figure("entropy", "copying").data} == kinds != {""}


@pytest.mark.parametrize(("column", "unit"), [
    ("entropy", "bits"), ("distance", "tokens"), ("induction", "share"), ("evenness_left", "share"),
    ("value_norm", "units of the residual stream"),
])  # fmt: skip
def test_a_metric_has_its_unit_on_the_bar_and_at_the_number(model, column, unit):
    fig = av.head_metrics(model.trace(TEXTS[0])).figure(column)
    assert bar(fig).endswith(f" ({unit})") and f" ({unit}) %{{z:.6g}}" in fig.data[0].hovertemplate
    assert max(text_width(line, 11.5) for line in fig.data[0].colorbar.title.text.split("<br>")) <= 130


def test_sums_and_losses_have_their_units(model):
    trace = model.trace(TEXTS[0])
    logit, score = av.wrote(trace, -1, "c").figure(), av.why(trace, SITE, 1, 5, 3).figure()
    assert logit.layout.xaxis.title.text == "Part of the sum (logits)" and "(logits)" in logit.data[0].hovertemplate
    assert score.layout.xaxis.title.text == "Part of the sum (score before softmax)"
    trained = head_formation(FOLDER / "induction", TEXTS[0]).figure()
    assert trained.layout.yaxis.title.text == "Loss (nats)" and "(nats)" in trained.data[0].hovertemplate


@pytest.mark.parametrize("lang", ["zh-CN", "zh-TW"])
def test_units_and_directions_are_said_in_the_readers_language(model, lang):
    found = av.patch(model, *TEXTS, "residual", direction="noising").figure(lang=lang)
    assert "[logits]" in bar(found) and "noising（" in title(found) and "clean" not in title(found)
    assert bar(av.head_metrics(model.trace("a b")).figure("entropy", lang=lang)) in ("熵 [比特]", "熵 [位元]")


@pytest.mark.parametrize("start", [0, 1])
def test_edits_of_heads_are_said_alike_by_every_figure(model, start):
    edits = [av.ablate("1.0"), *av.cut([0], 3, 1), av.Edit("*.weights", lambda _, w: w, "mine, at 1.0")]
    plain, edited = model.trace(TEXTS[0]), model.trace(TEXTS[0], edits=edits)
    beside = av.compare(plain, edited)
    figures = [
        edited.figure(SITE, 0, count_from=start),
        av.head_metrics(edited).figure("entropy", count_from=start),
        av.head_metrics([edited, edited]).figure("entropy", "first", count_from=start),
        beside.figure(count_from=start),
        beside.difference(SITE, 0).figure(count_from=start),
    ]
    heads = (
        f"Layer {1 + start}, head {start} silenced; Layer {start}: edge from token {3 + start} to token {1 + start} cut"
    )
    mine = "Edited, named as in code, counting from 0: mine, at 1.0" if start else "Edited: mine, at 1.0"
    for fig in figures:
        assert f"Edited: {heads} {mine} " in footnote(fig)
    both = av.load("reverse").trace("a b c", edits=av.ablate("0.1"))
    assert "Edited: Encoder layer 0, head 1 silenced; Layer 0, head 1 silenced" in footnote(
        both.figure(both.sites[0], 0)
    )
    assert json.loads(json.dumps(av.head_metrics(edited).attrs)) == av.head_metrics(edited).attrs


def test_edits_that_have_no_room_are_counted(model):
    cuts = [av.cut("1.1", query, key) for query in range(6) for key in range(query)]
    said = footnote(model.trace(TEXTS[0], edits=cuts).figure(SITE, 0))
    listed = said.count(" cut")
    assert 1 < listed < len(cuts) == 15 and f" cut; and {15 - listed} more " in said
    own = [av.Edit("*.weights", lambda _, w: w, f"change number {at} " + "x" * 60) for at in range(9)]
    assert "; and 7 more " in footnote(model.trace(TEXTS[0], edits=own).figure(SITE, 0))
    assert "more" not in footnote(model.trace(TEXTS[0], edits=cuts[:2]).figure(SITE, 0))
