"""Figures hold the run's own numbers, say what they are about, and show tokens as text."""

import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError, TraceShapeError, WriteError
from attnviz.figures.labels import names_of, text_width, told_apart, wrapped
from attnviz.figures.template import weight_scale
from attnviz.palette import SEQUENTIAL, scale_colour
from attnviz.text import strings
from attnviz.training.bundled_models import FOLDER
from attnviz.training.head_formation import head_formation

SITE = "decoder.1.self"


@pytest.fixture(scope="module")
def trace():
    return av.load("induction").trace("a b c a b")


@pytest.fixture(scope="module")
def beside():
    """The same model on two texts."""
    model = av.load("reverse")
    return av.compare(model.trace("a b c"), model.trace("a c b"))


def z(fig: go.Figure) -> np.ndarray:
    return np.asarray(fig.data[0].z, dtype=float)


def footnote(fig: go.Figure) -> str:
    return next(it.text for it in fig.layout.annotations if it.name == "footnote")


def test_a_pattern_holds_the_weights_of_its_head(trace):
    fig = av.figures.pattern(trace, SITE, head=1)
    assert np.array_equal(z(fig), trace[SITE].weights(head=1).numpy())
    assert (fig.data[0].zmin, fig.data[0].zmax) == (0, 1)
    assert fig.layout.xaxis.title.text == "Key token" and fig.layout.yaxis.title.text == "Query token"
    assert list(fig.data[0].x) == list(fig.data[0].y) == names_of(trace.tokens.source)
    assert fig.layout.title.text == "Layer 1, head 1" and "count from 0" in footnote(fig)
    assert av.figures.pattern(trace, SITE, 1, count_from=1).layout.title.text == "Layer 2, head 2"
    assert "a b c a b" in footnote(fig)


def test_a_head_counted_from_the_end_is_named_by_its_number(trace):
    assert av.figures.pattern(trace, SITE, -1).layout.title.text == "Layer 1, head 1"
    assert av.figures.heads(trace, [(SITE, -2)]).layout.annotations[0].text == "Layer 1, head 0"


def test_there_are_two_themes(trace):
    with pytest.raises(InputError, match="'blue'"):
        trace.figure(SITE, 0, theme="blue")


def test_heads_share_one_range_of_colours(trace):
    which = [("decoder.0.self", 0), (SITE, 0), (SITE, 1)]
    fig = av.figures.heads(trace, which, columns=2)
    for one, (site, head) in zip(fig.data, which, strict=True):
        assert np.array_equal(np.asarray(one.z), trace[site].weights(head).numpy())
        assert one.coloraxis == "coloraxis"
    assert (fig.layout.coloraxis.cmin, fig.layout.coloraxis.cmax) == (0, 1)


def test_arcs_of_a_row_are_its_weights(trace):
    weights = trace[SITE].weights(head=1)[-1]  # [T_k]
    fig = av.figures.arcs(trace, SITE, head=1, query=-1)
    lines = [line for line in fig.data if line.mode == "lines"]
    drawn = {int(line.y[1]): line.meta[2] for line in lines}
    assert drawn == {at: weight for at, weight in enumerate(weights.tolist()) if weight >= 0.01}
    assert all(line.y[0] == len(weights) - 1 for line in lines)
    assert f"{len(drawn)} weights" in footnote(fig)


def test_a_text_is_coloured_by_a_row(trace):
    fig = av.figures.tokens(trace, SITE, head=1, query=-1, a_line=4)
    n = len(trace.tokens.source)
    assert z(fig).reshape(-1)[:n] == pytest.approx(
        trace[SITE].weights(head=1)[-1].numpy(), rel=1e-5
    )  # a row alone rounds otherwise
    assert np.isnan(z(fig).reshape(-1)[n:]).all()


def test_weight_by_distance_is_the_mean_of_a_diagonal(trace):
    line = av.figures.distance(trace, [(SITE, 1)]).data[0]
    weights = trace[SITE].weights(head=1)
    assert list(line.x) == list(range(len(weights)))  # nothing ahead: the model is causal
    assert list(line.y) == pytest.approx([float(weights.diagonal(-back).mean()) for back in line.x], abs=1e-7)


def test_a_map_of_heads_is_ordered_by_layer_whatever_the_order_of_the_table(trace):
    metrics = av.head_metrics(trace)
    fig = av.figures.head_map(metrics.iloc[::-1], "entropy")
    expected = metrics.sort_values(["layer", "head"])["entropy"].to_numpy().reshape(2, -1)
    assert np.allclose(z(fig), expected, atol=0, equal_nan=True)
    assert list(fig.data[0].y) == ["0", "1"] and fig.layout.coloraxis.colorbar.title.text is None
    assert fig.data[0].colorbar.title.text == "Entropy (bits)" and fig.data[0].zmin == 0
    assert fig.layout.title.text == "Entropy" and "Entropy (bits) %{z:.6g}" in fig.data[0].hovertemplate


def test_signed_numbers_have_paper_at_zero():
    table = pd.DataFrame({"site": [SITE] * 2, "head": [0, 1], "moved": [-3.0, 1.0], "effect": [1.0, 4.0]})
    for column, most in (("moved", 3.0), ("effect", 4.0)):
        one = av.figures.head_map(table, column).data[0]
        assert (one.zmin, one.zmax) == (-most, most)
        assert one.colorscale[len(one.colorscale) // 2] == (0.5, SEQUENTIAL[0].light)


def test_a_scatter_has_every_head_once_under_its_kind(trace):
    metrics = av.head_metrics(trace)
    fig = av.figures.scatter(metrics, "entropy", "first")
    points = sorted((x, y) for group in fig.data for x, y in zip(group.x, group.y, strict=True))
    assert points == sorted(zip(metrics["entropy"], metrics["first"], strict=True))
    assert fig.layout.xaxis.title.text == "Entropy (bits)" and fig.layout.yaxis.title.text == "First-token sink (share)"


def test_the_bars_of_a_ledger_sum_to_the_whole(trace):
    logit, score = av.wrote(trace, -1, "c", against="a"), av.why(trace, SITE, 1, 5, 3)
    for found, whole in ((logit, logit.logit), (score, score.score)):
        fig = av.figures.ledger(found, n=3)
        *parts, last = fig.data[0].x
        assert last == whole and sum(parts) == pytest.approx(whole, abs=1e-4 * max(map(abs, parts)))
        assert len(parts) == 4  # three and the others


def test_a_lens_has_the_likeliest_word_of_each_point_and_position(trace):
    table = av.logit_lens(trace)
    one = av.figures.lens(table, trace).data[0]
    n = len(trace.tokens.source)
    first, last = table[:n], table[-n:]
    assert np.asarray(one.z)[0].tolist() == first["probability"].tolist() and one.y[0] == "Layer 0, input"
    assert np.asarray(one.z)[-1].tolist() == last["probability"].tolist() and one.y[-1] == "Last state"
    assert [text for text, _ in np.asarray(one.customdata)[-1]] == last["text"].tolist()
    with pytest.raises(InputError, match="own trace"):
        av.figures.lens(table, av.load("induction").trace("a b"))


def test_words_of_a_lens_stand_in_their_cells_at_a_size_that_can_be_read(trace):
    table = av.logit_lens(trace)
    table["text"] = "incomprehensibly"
    fig = av.figures.lens(table, trace)
    one = fig.data[0]
    cell = (fig.layout.width - text_width("Layer 0, after self-attention", 11.5) - 180) / len(trace.tokens.source)
    assert one.textfont.size >= 9
    assert all(word.endswith("…") and text_width(word, one.textfont.size) <= cell for word in np.ravel(one.text))
    assert (
        np.asarray(one.customdata)[0, 0].tolist() == ["incomprehensibly", "1"] and "customdata[0]" in one.hovertemplate
    )
    wide = av.Trace.from_arrays(np.full((1, 1, 64, 64), 1 / 64), ["word"] * 64)
    many = pd.DataFrame({"point": "decoder.0.out", "position": range(64), "rank": 1, "token": 3, "text": "word",
                         "probability": 0.5})  # fmt: skip
    assert av.figures.lens(many, wide).data[0].text is None
    assert fig.layout.width < av.figures.lens(many, wide).layout.width


def test_a_lens_of_some_positions_or_points_is_drawn(trace):
    table = av.logit_lens(trace)
    fig = table.query("position > 3").figure()
    assert (
        list(fig.data[0].x) == names_of(trace.tokens.source)[4:]
        and z(fig)[-1].tolist() == table["probability"][-2:].tolist()
    )
    assert list(table[table["point"].str.endswith("1.out")].figure().data[0].y) == ["Layer 1, output"]
    with pytest.raises(InputError, match=r"decoder.0.in.* position 2"):
        table.drop(index=2).figure()
    with pytest.raises(InputError, match="no row"):
        table.query("position > 99").figure()
    with pytest.raises(InputError, match="no column 'rank'"):
        table.drop(columns="rank").figure()


def test_a_lens_of_other_ranks_says_so(trace):
    assert "each with its rank" in av.logit_lens(trace, top=2).query("rank == 2").figure().layout.title.text
    assert "“c”" in av.logit_lens(trace, token="c").figure().layout.title.text


@pytest.mark.parametrize("what", ["heads", "positions", "edges"])
def test_patching_is_drawn_for_every_part(what):
    found = av.patch(av.load("induction"), "a b c a b", "a b d a b", what)
    fig = av.figures.patching(found)
    one = fig.data[0]
    named = fig.layout.xaxis.title.text if what == "edges" else one.colorbar.title.text.replace("<br>", " ")
    assert named == "Change by the patch (logits)" and re.search(r"\(logits\) %\{[xz]:\+?\.6g\}", one.hovertemplate)
    values = np.asarray(one.z if what != "edges" else one.x, dtype=float).reshape(-1)
    largest = found.table["effect"].tolist()[: len(values)]
    assert sorted(values[np.isfinite(values)]) == pytest.approx(sorted(largest))


def test_similarity_and_difference_are_those_of_the_comparison(beside):
    fig = av.figures.similarity(beside)
    assert np.allclose(z(fig), 1 - beside.similarity.js, atol=0)
    own = beside.difference("encoder.1.self", 0)
    fig = av.figures.difference(own)
    assert np.array_equal(z(fig), own.signed.numpy()) and (fig.data[0].zmin, fig.data[0].zmax) == (-1, 1)
    assert footnote(fig).startswith("Reverse: a b c → c b a<br>Reverse: a c b → b c a<br>")


def test_a_training_has_its_log_and_each_head_at_each_checkpoint():
    found = head_formation(FOLDER / "induction", "a b c a b")
    loss, *heads = av.figures.training(found).data
    assert list(loss.x) == [point.step for point in found.log] and list(loss.y) == [point.loss for point in found.log]
    assert len(heads) == found.n_layers * found.n_heads
    assert np.allclose([head.y for head in heads], found.scores[-1].reshape(len(found.checkpoints), -1).T)
    assert heads[2].customdata[1] == [found.checkpoints[1], 1, 0, 0]  # the step, its head, and whose it is
    assert footnote(found.figure()).startswith("Induction: a b c a b<br>")
    names = [line.name for line in av.figures.training([found, replace(found, label="<b>")]).data]
    assert names[0].startswith("induction: ") and names[len(heads) + 1].startswith("&lt;b&gt;: ")


HOSTILE = ("<b>bold</b>", "<img src=x onerror=alert(1)>", "a & b", "&lt;", "$E=mc^2$", "\n", "\t", "x" * 500, "")


def test_figures_of_tables_name_their_runs_too(trace, beside):
    several = av.head_metrics([trace] * 5)
    assert footnote(av.head_metrics(trace).figure("entropy")).startswith("Induction: a b c a b<br>")
    assert "and 2 texts more" in footnote(several.query("layer == 1").figure("entropy", "first"))
    assert "Reverse: a b c → c b a<br>Reverse: a c b → b c a<br>" in footnote(beside.figure())
    found = av.patch(av.load("induction"), ["a b c a b"] * 2, ["a b d a b"] * 2)
    assert "a b c a b<br>Induction: a b d a b<br>" in footnote(found.figure())
    assert "and 1 pair of texts more" in footnote(found.figure())


def test_curves_hold_their_numbers_and_break_where_there_is_none():
    lines = {"a": [1, None, float("inf")], "<b>": [20, 300, 4000]}
    fig = av.figures.curves([1, 10, 100], lines, title="T", x_title="n", log_x=True, log_y=True, marked=1)
    assert [line.y for line in fig.data] == [(1.0, None, None), (20.0, 300.0, 4000.0)]
    assert fig.data[1].name == "&lt;b>" or fig.data[1].name == "&lt;b&gt;"
    assert fig.data[0].marker.symbol != fig.data[1].marker.symbol  # colour is not the only way to tell them apart
    assert fig.layout.xaxis.type == fig.layout.yaxis.type == "log"
    assert fig.layout.yaxis.ticktext[:4] == ("1", "10", "100", "1,000") and fig.layout.shapes[0].x0 == 10
    assert fig.layout.xaxis.title.text == "n" and fig.layout.title.text == "T"
    assert av.figures.curves(range(3), {"a": [1, 2, 3]}, title="T", x_title="n").layout.xaxis.tickvals == (0, 1, 2)
    narrow = av.figures.curves([1, 2], {"a": [2, 30]}, title="T", x_title="n", log_y=True).layout.yaxis.ticktext
    assert narrow == ("1", "2", "5", "10", "20", "50", "100", "200", "500")
    with pytest.raises(InputError, match="'a' has 1 numbers"):
        av.figures.curves([1, 2], {"a": [1]}, title="T", x_title="n")
    with pytest.raises(InputError, match="0 lines"):
        av.figures.curves([1, 2], {}, title="T", x_title="n")


def test_a_projector_has_the_same_template_with_larger_type():
    for theme in ("light", "dark"):
        name = av.figures.template_name(theme)
        usual, large = pio.templates[name].layout, pio.templates[f"{name}-projector"].layout
        assert large.font.size == 1.25 * usual.font.size and large.colorway == usual.colorway
        assert large.xaxis.tickfont.size == 1.25 * usual.xaxis.tickfont.size


def test_tokens_are_text_and_no_markup():
    weights = np.full((1, 1, len(HOSTILE), len(HOSTILE)), 1 / len(HOSTILE))
    trace = av.Trace.from_arrays(weights, list(HOSTILE), name="<i>mine</i>")
    fig = av.figures.pattern(trace, "encoder.0.self", 0)
    text = "\n".join([*fig.data[0].x, fig.layout.title.text, *footnote(fig).split("<br>")])
    assert "<" not in text and "$" not in text.replace("&#36;", "") and "&amp;lt;" in text and "⏎" in text
    assert len(set(fig.data[0].x)) == len(HOSTILE) and max(map(len, fig.data[0].x)) < 80


def test_labels_that_look_alike_stay_apart_and_short():
    assert len(set(told_apart(["the", "the", "the\u200b", "the"]))) == 4
    many = told_apart(["the"] * 512)
    assert len(set(many)) == 512 and max(map(len, many)) < 16


HELD = "%{z} %{fullData.name} %{customdata}"


def test_a_token_is_no_template():
    weights = np.full((1, 1, 2, 2), 0.5)
    trace = av.Trace.from_arrays(weights, ["%{z}", "b"], name=HELD)
    draw = av.figures
    table = av.head_metrics(trace).assign(**{HELD: 0.5})
    for fig in (
        draw.tokens(trace, "encoder.0.self", 0, 0), draw.pattern(trace, "encoder.0.self", 0),
        draw.head_map(table, HELD), draw.scatter(table, HELD, "entropy"),
        draw.curves([1], {HELD: [1]}, title="T", x_title="n"), draw.distance(trace, ["0.0"]),
    ):  # fmt: skip
        for one in fig.data:
            asked = re.findall(r"%{(\w+)", f"{one.hovertemplate} {getattr(one, 'texttemplate', '')}")
            assert {*asked} <= {"x", "y", "z", "text"} and asked.count("z") <= 1
    assert "&#37;{z} → " in draw.tokens(trace, "encoder.0.self", 0, 0).data[0].hovertemplate


def bottom(fig: go.Figure) -> tuple[float, float]:
    """px from the plot down to the footnote, and that it takes."""
    note = next(it for it in fig.layout.annotations if it.name == "footnote")
    return -note.yshift, note.font.size * 1.3 * (1 + note.text.count("<br>"))


@pytest.mark.parametrize("tokens", [
    ["a", "b", "c"], ["incomprehensibilities" + "s" * at for at in range(14)], ["word"] * 64, ["長" * 30] * 8,
])  # fmt: skip
@pytest.mark.parametrize("kind", ["pattern", "arcs", "heads", "distance"])
def test_a_footnote_is_wrapped_and_stands_below_labels_and_title(tokens, kind):
    n = len(tokens)
    trace = av.Trace.from_arrays(np.full((1, 1, n, n), 1 / n), tokens)
    draw = getattr(av.figures, kind)
    fig = draw(trace, ["0.0"]) if kind in ("heads", "distance") else draw(trace, "encoder.0.self", 0)
    down, size = bottom(fig)
    axis = fig.layout.xaxis
    labels = names_of(trace.tokens.source) if kind == "pattern" else ["0"]
    turned = axis.tickangle == 90
    assert turned or max(text_width(label, 11.5) for label in labels) * len(labels) < 560
    needs = 0 if kind == "heads" else max(text_width(label, 11.5) for label in labels) if turned else 12
    assert down >= needs + (22 if axis.title.text else 0)
    assert fig.layout.margin.b >= down + size and fig.layout.height >= fig.layout.margin.b + fig.layout.margin.t + 160
    assert max(text_width(line, 10.5) for line in footnote(fig).split("<br>")) <= 500


def test_a_line_is_broken_at_blanks_and_in_chinese_anywhere_but_before_a_stop():
    lines = wrapped("one two &lt;b&gt; " + "x" * 30, 60, 10).split("<br>")
    assert lines[:2] == ["one two", "&lt;b&gt;"] and "".join(lines[2:]) == "x" * 30
    assert wrapped("一二三。四五", 30, 10) == "一二三。<br>四五"


def test_every_number_of_a_figure_counts_from_the_same(trace):
    model = av.load("induction")
    texts = "a b c a b", "a b d a b"
    by_position = av.patch(model, *texts, "positions")
    fig = by_position.figure(count_from=1)
    assert fig.layout.title.text.replace("<br>", " ").endswith(f"at position {by_position.position + 1}")
    assert f"at position {by_position.position + 1}:" in footnote(fig).replace("<br>", " ")
    assert {number for number, _ in np.asarray(fig.data[0].customdata)[0]} == {"1", "2", "3", "4", "5", "6"}
    sender, *_ = av.patch(model, *texts, "edges").figure(count_from=1).data[0].y
    assert re.fullmatch(r"Layer 1, head [12] → Layer 2, head [12], [qkv]\W*", sender)
    assert av.logit_lens(trace).figure(count_from=1).data[0].y[0] == "Layer 1, input"
    edits = [av.ablate("1.0"), av.cut("decoder.1.self.1", 5, 2), av.Edit("*.weights", lambda _, w: w, "mine at 1.0")]
    edited = model.trace(texts[0], edits=edits)
    said = footnote(av.figures.pattern(edited, SITE, 0, count_from=1)).replace("<br>", " ")
    assert "Edited: Layer 2, head 1 silenced; Layer 2, head 2: edge from token 6 to token 3 cut" in said
    assert "named as in code, counting from 0: mine at 1.0" in said
    assert "Layer 1, head 0 silenced" in footnote(av.figures.pattern(edited, SITE, 0)).replace("<br>", " ")
    ledger = av.wrote(trace, -1, "c")
    assert "Biases are named as in code" in footnote(ledger.figure(count_from=1)).replace("<br>", " ")
    assert "in code" not in footnote(ledger.figure())
    said = footnote(av.head_metrics(edited).figure("entropy", count_from=1)).replace("<br>", " ")
    assert "Edited: Layer 2, head 1 silenced; Layer 2, head 2: edge from token 6 to token 3 cut" in said
    assert "named as in code, counting from 0: mine at 1.0" in said


@pytest.mark.parametrize("what", ["positions", "feed-forward", "residual"])
def test_patching_by_positions_shows_the_tokens_of_both_texts(what):
    model = av.load("induction")
    one = av.patch(model, "a b c a b", "a b d a b", what).figure().data[0]
    assert list(one.x) == ["&lt;start&gt;", "a₁", "b₁", "c / d", "a₂", "b₂"]
    assert "customdata[1]" in one.hovertemplate and np.asarray(one.customdata)[0, 3].tolist() == ["3", "c / d"]
    several = av.patch(model, ["a b c a b", "b a c b a"], ["a b d a b", "b a d b a"], what, metric=("c", "d")).figure()
    assert list(several.data[0].x) == ["0", "1", "2", "3", "4", "5"]


def test_patching_of_two_texts_names_each_position_by_its_own_text():
    found = av.patch(av.load("reverse"), "a b c", "a d c", "positions")
    one = found.figure().data[0]
    rows = dict(zip(one.y, np.asarray(one.customdata), strict=True))
    assert list(one.x)[:2] == ["0", "1"] and [name for _, name in rows["Encoder layer 0"] if "/" in name] == ["b / d"]


def test_pairs_that_are_watched_at_different_positions_have_none_in_common():
    found = av.patch(av.load("induction"), ["a b c a b", "a b a b c"], ["a b d a b", "a b a b d"], metric=("c", "d"))
    one = av.patch(av.load("induction"), "a b a b c", "a b a b d", metric=("c", "d"))
    assert (found.position is None) == (one.position != 5) and found.texts == ("c", "d")
    assert ("at token" in found.metric) == (found.position is not None)


def test_a_difference_of_512_words_is_drawn_in_three_megabytes():
    made = torch.Generator().manual_seed(0)
    weights = [torch.softmax(torch.randn(1, 1, 512, 512, generator=made), -1) for _ in "ab"]
    a, b = (av.Trace.from_arrays(each, ["word"] * 512) for each in weights)
    own = av.compare(a, b).difference("encoder.0.self", 0)
    fig = av.figures.difference(own)
    assert np.array_equal(z(fig), own.signed.numpy()) and len(fig.to_html(include_plotlyjs=False).encode()) < 3 << 20
    assert np.array_equal(np.asarray(fig.data[0].customdata)[..., 0], own.a.numpy())
    assert "customdata[1]" not in fig.data[0].hovertemplate


@pytest.mark.parametrize("name", ["1.1", "decoder.1.self.1", (SITE, 1), (-1, 1)])
def test_a_head_may_be_given_by_its_name(trace, name):
    assert av.figures.heads(trace, [name]) == av.figures.heads(trace, [(SITE, 1)])
    assert av.figures.distance(trace, [name]) == av.figures.distance(trace, [(SITE, 1)])


@pytest.mark.parametrize(("which", "words"), [
    (["7.0"], "no layer 7. Expected one from 0 to 1"), (["1.7"], "head"), (["one"], "names no head"), ("1.0", "list"),
    ((SITE, 0), "names no head"), ([3], "names no head"),
])  # fmt: skip
def test_a_name_of_no_head_is_refused(trace, which, words):
    for draw in (av.figures.heads, av.figures.distance):
        with pytest.raises(InputError, match=words):
            draw(trace, which)


def test_a_layer_of_both_stacks_needs_its_site():
    with pytest.raises(InputError, match=r"encoder\.0\.self\.1, decoder\.0\.self\.1"):
        av.figures.heads(av.load("reverse").trace("a b c"), ["0.1"])


def test_edits_stand_in_the_footnote():
    edit = av.Edit("*.weights", lambda name, weights: weights * 0.5, "half <b>")
    model = av.load("reverse")
    assert "Edited: half &lt;b&gt;" in footnote(
        av.figures.pattern(model.trace("a b", edits=[edit]), "encoder.0.self", 0)
    )


def test_a_long_text_is_pooled_and_says_so():
    n = 700
    weights = torch.full((1, 1, n, n), 1 / n)
    weights[0, 0, 321] = 0.0
    weights[0, 0, 321, 456] = 1.0
    trace = av.Trace.from_arrays(weights, [f"t{i}" for i in range(n)])
    fig = av.figures.pattern(trace, "encoder.0.self", 0)
    assert max(z(fig).shape) <= 512 and z(fig).max() == 1.0
    assert "700 × 700" in footnote(fig)
    assert len(fig.to_json()) < 3 << 20


def test_512_tokens_a_side_are_drawn_one_by_one_in_three_megabytes():
    weights = torch.softmax(torch.randn(1, 1, 512, 512, generator=torch.Generator().manual_seed(0)), -1)
    fig = av.figures.pattern(av.Trace.from_arrays(weights, [f"t{i}" for i in range(512)]), "encoder.0.self", 0)
    assert z(fig).shape == (512, 512) and len(fig.to_html(include_plotlyjs=False).encode()) < 3 << 20


def test_several_heads_of_a_long_text_are_no_larger_than_one():
    many, text = av.load("minilm-l6").trace(" ".join(["word"] * 250)), "figure-pooled"
    which = [("encoder.0.self", head) for head in range(9)]
    fig = av.figures.heads(many, which)
    cells = sum(np.asarray(picture.z).size for picture in fig.data)
    assert cells <= 512**2
    assert strings("en")(text, queries=252, keys=252) in footnote(fig).replace("<br>", " ")
    weights = many["encoder.0.self"].weights(4).numpy()
    assert np.asarray(fig.data[4].z).max() == pytest.approx(weights.max())


def test_what_leaves_a_block_and_enters_the_next_is_one_row(trace):
    table = av.logit_lens(trace)
    best = table[table["rank"] == 1].set_index(["point", "position"])["token"]
    rows = list(av.figures.lens(table, trace).data[0].y)
    assert {"decoder.0.out", "decoder.1.in"} <= set(table["point"])
    assert "Layer 0, output" in rows and "Layer 1, input" not in rows
    assert best["decoder.0.out"].tolist() == best["decoder.1.in"].tolist()


def test_the_lens_of_one_token_shows_that_token_in_every_cell(trace):
    table = av.logit_lens(trace, token=7)
    fig = av.figures.lens(table, trace)
    last = table[table["point"] == table["point"].iloc[-1]]["probability"]
    np.testing.assert_allclose(np.asarray(fig.data[0].z)[-1], last, atol=1e-6)


def patched():
    return av.patch(av.load("induction"), "a b c a b", "a c b a c")


@pytest.mark.parametrize(("result", "drawn"), [
    (lambda t, _: t.figure(SITE, 1), lambda f, t, _: f.pattern(t, SITE, 1)),
    (lambda t, _: av.head_metrics(t).figure("entropy"), lambda f, t, _: f.head_map(av.head_metrics(t), "entropy")),
    (lambda t, _: av.head_metrics(t).sort_values("first").query("layer == 1").figure("entropy", "first"),
     lambda f, t, _: f.scatter(av.head_metrics(t).sort_values("first").query("layer == 1"), "first", "entropy")),
    (lambda t, _: av.wrote(t, -1, "c").figure(3), lambda f, t, _: f.ledger(av.wrote(t, -1, "c"), 3)),
    (lambda t, _: av.why(t, SITE, 1, 4, 2).figure(), lambda f, t, _: f.ledger(av.why(t, SITE, 1, 4, 2))),
    (lambda t, _: av.logit_lens(t).figure(), lambda f, t, _: f.lens(av.logit_lens(t), t)),
    (lambda *_: patched().figure("share"), lambda f, *_: f.patching(patched(), "share")),
    (lambda _, b: b.figure(), lambda f, _, b: f.similarity(b)),
    (lambda _, b: b.difference("encoder.0.self", 0).figure(),
     lambda f, _, b: f.difference(b.difference("encoder.0.self", 0))),
])  # fmt: skip
def test_results_draw_themselves(trace, beside, result, drawn):
    assert result(trace, beside).to_json() == drawn(av.figures, trace, beside).to_json()


def test_one_setting_says_from_which_number_all_figures_count(trace):
    with pytest.raises(InputError):
        av.options(count_from=2)
    try:
        av.options(count_from=1)
        assert trace.figure(SITE, 1).layout.title.text == "Layer 2, head 2"
        assert "count from 1" in footnote(trace.figure(SITE, 1))
        assert trace.figure(SITE, 1, count_from=0).layout.title.text == "Layer 1, head 1"
    finally:
        av.options(count_from=0)


def test_a_saved_page_asks_nobody_and_json_is_the_figure(trace, tmp_path):
    fig = trace.figure(SITE, 1)
    page = av.figures.save(fig, tmp_path / "head.html").read_text()
    assert "Layer 1, head 1" in page and 'src="http' not in page
    assert pio.from_json(av.figures.save(fig, tmp_path / "head.json").read_text()) == fig
    with pytest.raises(InputError, match=r"\.svg"):
        av.figures.save(fig, tmp_path / "head.docx")


def test_a_picture_without_kaleido_names_it(trace, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kaleido", None)
    with pytest.raises(WriteError, match=r"pip install 'attnviz\[figures\]'"):
        av.figures.save(trace.figure(SITE, 1), tmp_path / "head.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("call", "error"), [
    (lambda f, t: f.pattern(t, "decoder.9.self", 0), TraceShapeError),
    (lambda f, t: f.pattern(t, SITE, 7), InputError),
    (lambda f, t: f.pattern(t, SITE, 0, count_from=2), InputError),
    (lambda f, t: f.arcs(t, SITE, 0, query=99), InputError),
    (lambda f, t: f.heads(t, []), InputError),
    (lambda f, t: f.distance(t, []), InputError),
    (lambda f, t: f.head_map(av.head_metrics(t), "nothing"), InputError),
    (lambda f, t: f.head_map(pd.concat([av.head_metrics(t)] * 2), "entropy"), InputError),
    (lambda f, t: f.head_map(av.head_metrics(t), "site"), InputError),
    *((call, InputError) for call in (
        lambda f, t: f.pattern(None, SITE, 0), lambda f, t: f.arcs(None, SITE, 0),
        lambda f, t: f.tokens(None, SITE, 0, 1), lambda f, t: f.heads(None, [(SITE, 0)]),
        lambda f, t: f.distance(None, [(SITE, 0)]),
        lambda f, t: f.difference(None), lambda f, t: f.ledger(None), lambda f, t: f.lens(None, t),
        lambda f, t: f.patching(None), lambda f, t: f.similarity(None), lambda f, t: f.training(None),
        lambda f, t: f.training([None]), lambda f, t: f.head_map(None, "entropy"),
        lambda f, t: f.scatter(None, "entropy", "first"), lambda f, t: f.save(None, "a.svg"),
        lambda f, t: f.save(f.pattern(t, SITE, 0), None),
    )),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(trace, call, error):
    with pytest.raises(error):
        call(av.figures, trace)


def test_a_figure_is_its_callers_own(trace):
    fig = av.figures.pattern(trace, SITE, 0).update_layout(width=321, title="Mine").update_traces(colorscale="Viridis")
    assert fig.layout.width == 321 and fig.layout.title.text == "Mine"
    assert av.figures.pattern(trace, SITE, 0).layout.width is None


@pytest.mark.parametrize("lang", ["zh-CN", "zh-TW"])
def test_figures_speak_the_readers_language(trace, lang):
    fig = av.figures.pattern(trace, SITE, 0, lang=lang, theme="dark")
    assert fig.layout.xaxis.title.text in ("键词元", "鍵詞元") and "0" in footnote(fig)


def test_a_weight_has_the_colour_of_its_square_root():
    for place, colour in weight_scale("light"):
        assert colour == scale_colour(place**0.5, "light")


def test_the_library_loads_without_plotly():
    said = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import attnviz"], capture_output=True, text=True, check=True
    )
    assert "plotly" not in said.stderr


def test_the_bars_of_a_histogram_hold_each_number_once_and_their_ends_are_round():
    values = [0.0, 0.04, 0.05, 0.31, 0.99, float("nan")]
    bars = av.figures.histogram(values, title="T", x_title="x", y_title="n", marked=0.31).data[0]
    for (low, high), n in zip(bars.customdata, bars.y, strict=True):
        assert n == sum(low <= value < high for value in values)
    assert sum(bars.y) == 5 and len(bars.y) <= 20 and bars.customdata[1][1] == pytest.approx(0.1)
    alone = av.figures.histogram([3.0], title="T", x_title="x", y_title="n").data[0]
    assert list(alone.y) == [1] and alone.customdata[0][0] <= 3 < alone.customdata[0][1]
    with pytest.raises(InputError, match="No number"):
        av.figures.histogram([], title="T", x_title="x", y_title="n")


def test_bars_of_counts_are_shares_of_their_group_with_the_counts_in_words():
    given = pd.DataFrame({"before": [3, 1, 0], "after": [250, 1, 249]}, index=["a", "a", "<b>"])
    fig = av.figures.counts(given, title="<i>?", out_of=[5, 500], marked="<b>")
    before, after = fig.data
    assert list(before.x) == [0.6, 0.2, 0.0] and before.text == ("3 · 60%", "1 · 20%", "0 · 0%")
    assert list(after.x) == [0.5, 0.002, 0.498] and after.text[1] == "1 · <1%"  # nothing that is there is 0%
    assert (
        len(set(before.y)) == 3 and before.y[2] == "✓ &lt;b&gt;" and fig.layout.title.text == "&lt;i&gt;?"
    )  # text, no markup
    assert before.marker.color != after.marker.color
    assert fig.layout.xaxis.range[0] == 0 and fig.layout.xaxis.tickvals[-1] == 1  # an axis is all who answered
    with pytest.raises(InputError, match="No number"):
        av.figures.counts(given[:0], title="T")
    with pytest.raises(InputError, match="8"):
        av.figures.counts(pd.DataFrame([range(9)]), title="T")
