"""What the overview receives of heads: the kind and the shown metrics of each, in the order of its maps."""

import itertools

import numpy as np
import pytest

import attnviz as av
from attnviz import views
from attnviz.analysis.heads.kinds import TABLE, head_kinds
from attnviz.text import strings
from attnviz.views.heads import revision_of
from attnviz.views.heads.measured_heads import OF_A_TEXT, SHOWN, sentence_frame
from attnviz.views.pack import unpack

UNKNOWN = ("aligned", "last", "mark_before", "first_line", "rhyme")  # of two texts, or of a poem
CAT = "The cat sat on the mat because it was tired."


@pytest.mark.parametrize(("n", "source"), [(None, "sentence"), (2, "many")])
def test_each_head_has_the_kind_and_the_values_of_its_row_in_the_table(traced, n, source):
    other = traced("A dog ran to the old house because it was late.")
    frame = av.head_metrics([traced(CAT), other] if n else traced(CAT))
    frame["kind_of_head"] = head_kinds(frame)
    header, arrays = unpack(views.kinds(traced(CAT), frame.sample(frac=1, random_state=0), n=n))
    assert header["revision"] == revision_of(traced(CAT))
    assert (header["source"], header["n"]) == (source, n or 1)
    assert arrays["kinds"].shape == (6, 12)
    names = [kind["name"] for kind in header["kinds"]]
    columns = [metric["name"] for metric in header["metrics"]]
    of_text = () if n else OF_A_TEXT  # its “the” is repeated
    assert columns == [*(column for column in SHOWN if column in frame and column not in UNKNOWN), *of_text]
    for row in frame.to_dict("records"):
        layer, head = row["layer"], row["head"]
        assert names[arrays["kinds"][layer, head]] == row["kind_of_head"]
        expected = np.array([row[column] for column in columns], dtype=np.float32)
        np.testing.assert_array_equal(arrays["values"][:, layer, head], expected)
        if n:
            error = row[f"{columns[2]}_sd"] / np.sqrt(row[f"{columns[2]}_n"])
            assert arrays["errors"][2, layer, head] == pytest.approx(error, rel=1e-6)


def test_kinds_come_with_their_glyphs_and_thresholds_and_a_metric_without_values_with_why_it_has_none(traced):
    header, arrays = unpack(views.kinds(traced(CAT), sentence_frame(traced(CAT)), lang="zh-TW"))
    here = ("previous", "next", "delimiter", "sink", "broad", "mixed", "short")  # others have no measure in one text
    kinds = [kind for kind in TABLE if kind.name in here]
    assert [kind["name"] for kind in header["kinds"]] == [kind.name for kind in kinds]
    for said, kind in zip(header["kinds"], kinds, strict=True):
        assert said["title"] == strings("zh-TW")(kind.title)
        assert [len(row) for row in said["glyph"]] == [5] * 5
    drawn = {kind.name: "".join(kind.glyph) for kind in TABLE}
    for one, other in itertools.combinations(drawn, 2):  # without colour
        apart = sum(a != b for a, b in zip(drawn[one], drawn[other], strict=True))
        assert apart >= 4, (one, other)
    assert (arrays["rows"] >= 5).all() and arrays["rows"].shape == (6, 12)
    assert "40" in next(kind["says"] for kind in header["kinds"] if kind["name"] == "previous")
    at = [metric["name"] for metric in header["metrics"]].index("variability")
    assert header["metrics"][at]["why"] == strings("zh-TW")("head-no-value-one-text")
    assert np.isnan(arrays["values"][at]).all() and "why" not in header["metrics"][0]


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "Same place, line before"), ("zh-CN", "上句同位"), ("zh-TW", "上句同位")]
)
def test_a_head_of_a_poem_that_looks_at_the_same_place_of_the_line_before_is_of_that_kind(lang, title):
    trace = av.load("poems-zh").trace("床前明月光，疑是地上霜。举头望明月，低头思故")
    header, arrays = unpack(views.kinds(trace, sentence_frame(trace), lang=lang))
    known = header["kinds"][arrays["kinds"][3, 0]]
    assert (known["title"], header["metrics"][0]["title"]) == (title, title)
    assert unpack(views.heads(trace, lang=lang).payload)[0]["strings"]["view-heads-kind-aligned"] in title
    weights = trace["decoder.3.self"].weights(0)  # of <start> and 22 characters: [23, 23]
    pairs = [*((row, row - 5) for row in range(6, 11)), *((row, row - 5) for row in range(18, 23))]
    assert arrays["values"][0, 3, 0] == pytest.approx(np.mean([weights[row, key] for row, key in pairs]), abs=1e-6)
    one_line = av.load("poems-zh").trace("床前明月光")  # has no line before
    names = [metric["name"] for metric in unpack(views.kinds(one_line, sentence_frame(one_line)))[0]["metrics"]]
    assert "aligned" not in names and "last" not in names


@pytest.mark.parametrize(("text", "n_rows", "is_short"), [("Good morning", 4, True), ("Hi there, you", 6, False)])
def test_a_text_of_few_rows_is_too_short_to_tell(minilm, text, n_rows, is_short):
    frame = sentence_frame(minilm.trace(text))
    assert (frame["evenness_left_rows"] == n_rows).all()
    assert (frame["kind_of_head"] == "short").all() == is_short
    assert not (frame["kind_of_head"] == "same-word").any()  # no word comes back


def test_of_two_texts_the_metrics_hold_what_each_gives_each(minilm):
    trace = minilm.trace("How old are you?", pair="I am six.")
    header, arrays = unpack(views.kinds(trace, sentence_frame(trace), lang="en"))
    assert [metric["title"] for metric in header["metrics"]][-4:] == ["A → A", "A → B", "B → A", "B → B"]
    weights = trace["encoder.2.self"].weights()[3]  # [12, 12]: [CLS] How old are you ? [SEP] | I am six . [SEP]
    assert arrays["values"][-3, 2, 3] == pytest.approx(weights[:7, 7:].sum(-1).mean().item(), abs=1e-6)
    assert "A → A" not in [metric["title"] for metric in unpack(views.kinds(*alone(minilm)))[0]["metrics"]]


def alone(model):
    trace = model.trace("How old are you?")
    return trace, sentence_frame(trace)
