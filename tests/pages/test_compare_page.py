"""The Compare page without a browser: any two sides, one text or two, and sentences where it cannot be."""

import pytest
from attnviz_app.compare import sides, state
from attnviz_app.serving import checkpoints
from attnviz_app.serving.runs import runs
from attnviz_app.serving.similarity import similarities

import attnviz as av
from attnviz.analysis.compare import common_sentences, metric_quartiles, similarity
from attnviz.text import strings
from attnviz.views.compare import Pair
from tests.job_fake import until
from tests.pages.conftest import SENTENCES, headers, key, link, queue, shown, text_box, turn_to

TEXT = "The cat sat on the mat."


def pictures(app) -> list[dict]:
    return headers(app, "compare")


def table(app, name: str):
    """The numbers of the table with this key."""
    (found,) = (it.value for it in app.dataframe if str(it.key).startswith(f"{name}--"))
    return found


def measured(a: str, b: str) -> None:
    """Wait until two models are compared over their sentences."""
    until(lambda: not similarities().of(a, b).is_coming, seconds=300)  # others may be in front of it


def test_our_blocks_with_the_same_weights_stand_on_a_fixed_scale(opened) -> None:
    (picture,) = pictures(opened("compare", model="ours:minilm-l6", model2="minilm-l6", text=TEXT))
    assert picture["scale"] == 1e-5 and picture["are_tokens"]
    assert 0 < picture["selection"]["pair"]["largest"] < 1e-5


def test_over_many_sentences_the_page_the_library_and_the_shell_say_the_same(opened) -> None:
    """Two tokenizers: what the small model reads is compared by words."""
    measured("reverse", "minilm-l6")
    app = opened("compare", model="reverse", model2="minilm-l6", text="a b c")
    assert pictures(app)[0]["similarity"]["source"] == "many"
    seen = table(app, "compare-table")
    models = av.load("reverse"), av.load("minilm-l6")
    matches = similarity(*models, common_sentences(*models, SENTENCES)).matches()
    assert seen["js"].tolist() == pytest.approx(matches["js"].tolist(), abs=5.1e-4)  # as printed
    assert seen["side"].tolist() == ["A"] * 4 + ["B"] * 72 and (seen["partner"] == "–").sum() == 68


def test_the_table_marks_the_pair_that_is_shown_wherever_it_was_chosen(opened) -> None:
    measured("reverse", "reverse")
    app = opened("compare", model="reverse", model2="reverse", text="a b c", layer="1", head="2", layer2="1", head2="2")
    marked = lambda: [at for at, it in enumerate(table(app, "compare-table")["shown"]) if it]  # noqa: E731
    assert marked() == [1, 5]  # the nearest of each head is itself, on both sides
    queue(app, state.BEGINNING.bring, Pair(1, 1, 1, 1))
    assert pictures(app)[0]["selection"]["a"] == [1, 1]
    assert marked() == [3, 7]


def test_two_sentences_of_one_model_have_the_whole_picture_and_the_heads_that_moved(opened) -> None:
    given = {"model": "reverse", "model2": "reverse", "text": "a b c", "text2": "a b d"}
    app = opened("compare", **given, layer="1", head="2", layer2="1", head2="2")
    assert given.items() <= link(app).items()
    (picture,) = pictures(app)
    assert [unit["text"] for unit in picture["units"]][2] == "c / d" and picture["swapped"] == [[2, "c", "d"]]
    moved = table(app, "compare-moved")
    assert len(moved) == 4 and moved["moved"].is_monotonic_decreasing
    assert moved["head"][moved["shown"] != ""].tolist() == ["1.2"]
    found = av.compare(*(av.load("reverse").trace(text) for text in ("a b c", "a b d")))
    assert moved["moved"].tolist() == pytest.approx([100 * move.share for move in found.moves], abs=0.051)


def test_a_minimal_pair_is_a_press_away(opened) -> None:
    app = opened("compare", model="minilm-l6", model2="minilm-l6")
    queue(app, state.take_pair, "pair-trophy")
    assert link(app)["text2"] == strings("en")("example-pair-trophy-other")


def test_the_sentences_a_comparison_opens_with_stay_with_its_untrained_twin(opened) -> None:
    measured("minilm-l6", "untrained:minilm-l6")
    app = opened("compare", model="minilm-l6", model2="minilm-l6")
    queue(app, state.take_pair, "pair-trophy")
    before = link(app)
    app.button(key="compare-to-untrained").click().run()
    assert (link(app)["model2"], link(app)["text"]) == ("untrained:minilm-l6", before["text"])
    app.button(key="compare-to-same").click().run()
    assert (link(app)["text"], link(app)["text2"]) == (before["text"], before["text2"])


def test_two_sentences_of_two_models_say_why_not(opened) -> None:
    measured("minilm-l6", "untrained:minilm-l6")
    app = opened("compare", model="minilm-l6", model2="untrained:minilm-l6", text=TEXT, text2="A dog.")
    say = strings("en")
    assert say("compare-two-texts-two-models") in shown(app) and not pictures(app)
    kinds, metrics = (app.dataframe[at].value for at in (0, 1))
    assert len(app.dataframe[2].value) == 144  # how like the heads are over sentences
    assert kinds.iloc[:, 1:].sum().tolist() == [72, 72]  # each on its own text: one of them was never trained
    assert say("compare-of-own").partition(".")[0] in shown(app)
    own = (("minilm-l6", TEXT), ("untrained:minilm-l6", "A dog."))
    expected = metric_quartiles(*(av.head_metrics(runs().trace(name, text)) for name, text in own))
    assert metrics.iloc[0, 1].startswith(f"{expected['median_a'][0]:.2f} ") and len(metrics) == len(expected) > 10
    app.button(key="compare-same").click().run()
    assert len(pictures(app)) == 1 and (link(app)["model2"], link(app)["text2"]) == ("minilm-l6", "A dog.")
    app.button(key="compare-to-untrained").click().run()
    assert "text2" not in link(app) and say("notice-one-text", text="A dog.") in shown(app)  # it is not lost in silence
    assert link(app)["text"] == TEXT
    app.button(key="compare-to-same").click().run()
    assert (link(app)["text"], link(app)["text2"]) == (TEXT, "A dog.")


def test_what_was_typed_on_another_page_is_compared(opened) -> None:
    app = opened("heads", model="minilm-l6")
    text_box(app).set_value("My grandmother baked a cake.").run()
    assert pictures(turn_to(app, "compare"))[0]["text"] == "My grandmother baked a cake."


def test_one_word_is_no_comparison(opened) -> None:
    app = opened("compare", model="reverse", model2="minilm-l6", text="stressed")
    assert strings("en")("error-one-word") in shown(app) and strings("en")("notice-not-this-text") in shown(app)
    assert " " in pictures(app)[0]["text"]


def test_both_heads_are_silenced_beside_five_others(opened) -> None:
    link = {
        "model": "reverse",
        "model2": "reverse",
        "text": "a b c",
        "layer": "1",
        "head": "1",
        "layer2": "2",
        "head2": "1",
    }
    for silenced, n in (("1.1-2.1", 2), ("1.1-1.1", 0), ("<b>", 0)):  # as a press writes it; of another pair; hostile
        app = opened("compare", **link, silenced=silenced)
        assert "av-alert" not in shown(app)
        assert len(headers(app, "panel")) == n


def test_two_models_without_a_text_in_common_are_compared_by_kinds(opened) -> None:
    app = opened("compare", model="translate-zh-en", model2="translate-en-zh", lang="zh-TW")
    assert not pictures(app) and 'role="status"' in shown(app)
    say, kinds = strings("zh-TW"), app.dataframe[0].value
    assert say("compare-no-maps") in shown(app) and say("compare-of-many") in shown(app)
    assert kinds.shape[1] == 3 and kinds.iloc[:, 1:].sum().tolist() == [8, 16] and kinds.iloc[:, 1:].any(axis=1).all()
    assert len(app.dataframe[1].value) > 10  # metrics, over what each reads


def test_a_checkpoint_stands_beside_the_model_that_its_training_ended_with(opened) -> None:
    app = opened("compare", model="step8:reverse", model2="reverse", text="a b c")
    (picture,) = pictures(app)
    assert picture["a"]["name"] == strings("en")("compare-side-step", model=strings("en")("model-reverse"), step=8)
    assert picture["scale"] is None and picture["selection"]["pair"]["largest"] > 0.01
    app.selectbox(key=key(app, "compare-a-step")).set_value(state.LAST).run()
    assert link(app)["model"] == "reverse" and pictures(app)[0]["selection"]["pair"]["largest"] == 0
    app.selectbox(key=key(app, "compare-b-step")).set_value(250).run()
    assert link(app)["model2"] == "step250:reverse"


@pytest.mark.parametrize("query", [
    {"model": "step9:reverse", "layer": "99", "head": "99", "layer2": "99", "head2": "99"},
    {"model": "step0:/etc", "text": " " * 50}, {"model": "someone/else"},
    {"model": "file:0123456789abcdef", "text": "<script>alert(1)</script>", "text2": "x" * 100_000},
])  # fmt: skip
def test_a_hostile_link_is_a_page_and_what_is_no_side_here_is_not_loaded(opened, query: dict[str, str]) -> None:
    app = opened("compare", **query)
    assert "<script>" not in shown(app) and link(app)["model"] == "minilm-l6"


def test_a_trace_file_stands_on_a_side_with_its_own_text_in_no_link(opened, tmp_path) -> None:
    av.load("reverse").trace("c a b").save(tmp_path / "own.safetensors")
    app = opened("compare", model="minilm-l6", model2="reverse", text="a b c")
    app.file_uploader("compare-file-a").upload("<b>x\u202e.safetensors", b"not a trace")
    app.run()
    assert pictures(app)[0]["text"] == "a b c" and link(app)["model"] == "minilm-l6"
    assert "&lt;b&gt;x.safetensors is truncated" in shown(app)
    app.file_uploader("compare-file-a").upload("own.safetensors", (tmp_path / "own.safetensors").read_bytes())
    app.run()
    (picture,) = pictures(app)
    say = strings("en")
    assert picture["a"]["name"] == say("compare-side-file", file="own.safetensors")
    assert picture["text"] == "c a b" and picture["selection"]["pair"]["largest"] < 1e-6  # B reads the file's text
    assert text_box(app, "compare-text").disabled and text_box(app, "compare-text").value == "c a b"
    assert "model" not in link(app) and link(app)["text"] == "a b c" and link(app)["model2"] == "reverse"
    assert say("error-trace-one-text") in shown(app) and say("compare-file-no-effect") in shown(app)
    assert len(table(app, "compare-table")) == 8  # nearest heads on this one text
    app.selectbox(key=key(app, "compare-b")).set_value("minilm-l6").run()  # a file and a model of another tokenizer
    assert pictures(app)[0]["text"] == "c a b" and not pictures(app)[0]["are_tokens"]


def test_two_trace_files_of_one_model_are_two_sentences(opened, tmp_path) -> None:
    model = av.load("reverse")
    app = opened("compare", model="reverse", model2="reverse", text="a b c")
    for place, text in (("a", "a b c"), ("b", "a b d")):
        model.trace(text).save(tmp_path / place)
        app.file_uploader(f"compare-file-{place}").upload(f"{place}.safetensors", (tmp_path / place).read_bytes())
        app.run()
    assert pictures(app)[0]["swapped"] == [[2, "c", "d"]]
    assert [text_box(app, box).value for box in ("compare-text", "compare-other")] == ["a b c", "a b d"]
    app.button(key="compare-swap").click().run()
    app.file_uploader("compare-file-b").upload("broken.safetensors", b"not a trace")
    app.run()
    assert "broken.safetensors is truncated" in shown(app)
    assert [pictures(app)[0][side]["name"] for side in "ab"] == ["Trace file b.safetensors", "Trace file a.safetensors"]
    model.trace("a b e").save(tmp_path / "e")
    app.file_uploader("compare-file-b").upload("e.safetensors", (tmp_path / "e").read_bytes())
    app.run()
    assert pictures(app)[0]["swapped"] == [[2, "d", "e"]]  # the other file stays where the exchange put it


def test_the_verdict_names_the_kinds_of_a_head_on_both_sides(opened) -> None:
    (picture,) = pictures(opened("compare", model="induction", model2="step0:induction"))
    assert "in A its kind is “Induction”, in B “Broad”." in picture["verdict"]["said"]


def test_where_models_run_at_a_service_the_sides_are_the_same(opened, operator) -> None:
    operator.setenv("ATTNVIZ_ENGINE", "http://127.0.0.1:9")
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6,reverse,induction")
    assert pictures(opened("compare", model="reverse", model2="induction", text="a b c"))
    assert sides.first_sides() == ("minilm-l6", sides.baseline("minilm-l6")) == ("minilm-l6", "untrained:minilm-l6")


def test_beside_a_poet_on_one_text_stands_the_poet_early_in_its_training(opened):
    poem = "白日依山尽，黄河入海流。欲穷千里目，更上一层"
    app = opened("compare", lang="zh-CN", model="poems-zh", text=poem)
    asked = link(app)
    assert (asked["model"], asked["text"]) == ("poems-zh", poem)
    assert checkpoints.parsed(asked["model2"])[1] == "poems-zh"
