"""What causes the difference of two sentences: guessed, then measured exactly, beside a model without training."""

import threading
import time

import numpy as np
import pytest
from attnviz_app.compare.sides import baseline
from attnviz_app.jobs.measurements import many_runs
from attnviz_app.serving.runs import runs

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.text import figure, strings
from tests.job_fake import until
from tests.pages.conftest import link, pictures, shown

A, B = "The cat sat on the mat because it was tired.", "The cat sat on the mat because it was warm."


def answered(app):
    """The panel and the table, once the runs are made."""
    until(lambda: any(str(it.key).startswith("compare-caused") for it in app.run().dataframe), seconds=60)
    header, arrays = pictures(app, "panel")[0]
    (table,) = (it.value for it in app.dataframe if str(it.key).startswith("compare-caused"))
    return header["blocks"], arrays, table


def names_of(found) -> list[str]:
    return [f"{int(row.site.split('.')[1]) + 1}.{row.head + 1}" for row in found.table.itertuples()]


def test_a_guess_is_answered_by_exact_patching_and_its_baseline(opened, minilm) -> None:
    app = opened("compare", lang="en", model="minilm-l6", model2="minilm-l6", text=A, text2=B)
    say = strings("en")
    assert say("compare-causes-about") in shown(app).replace("&#x27;", "'")
    assert not app.get("progress") and not any(str(it.key).startswith("compare-caused") for it in app.dataframe)
    assert "causes" not in link(app)
    app.selectbox(key="compare-guess").set_value("6.12")
    app.button(key="compare-causes-start").click().run()
    (watched, first, maps, rank), arrays, table = answered(app)
    assert link(app)["causes"] == "6.12"
    expected = av.patch(minilm, A, B)
    own, untrained = maps["maps"]
    names = names_of(expected)
    assert f"Head {names[0]} brings it furthest" in first["text"]
    guessed = say("view-kit-head", layer=6, head=12)
    assert say("compare-causes-guessed", named_head=guessed, place=names.index("6.12") + 1, n=72) in first["text"]
    assert say("compare-causes-cosine", a="1", b=figure(expected.corrupt)) in watched["text"]
    assert 0 < np.abs(arrays[untrained["values"]]).max() < own["limit"] == untrained["limit"]  # on one scale
    assert table["head"].tolist() == names
    assert table["gradient"].tolist() == pytest.approx(expected.table["gradient"].tolist(), abs=1e-4)  # as printed
    ranks = [np.argsort(np.argsort(expected.table[name].to_numpy())) for name in ("effect", "gradient")]
    assert say("compare-causes-rank", n=72, correlation=figure(np.corrcoef(*ranks)[0, 1])) == rank["text"]


def test_a_link_opens_the_answer_and_without_training_the_same_two_tokens_are_watched(opened) -> None:
    texts = "a 1 k e u c v s a", "f 1 k e u c v s a"
    app = opened(
        "compare", lang="en", model="induction", model2="induction", text=texts[0], text2=texts[1], causes="none"
    )
    (watched, _, maps, _), arrays, table = answered(app)
    assert link(app)["causes"] == "none"

    model, untrained = (runs().model(name) for name in ("induction", baseline("induction")))
    own = av.patch(model, *texts)
    twin = av.patch(untrained, *texts, metric=own.tokens, position=own.position)
    way = own.clean - own.corrupt
    for found, drawn in zip((own, twin), maps["maps"], strict=True):
        for row in found.table.itertuples():
            at = int(row.site.split(".")[1]), row.head
            assert arrays[drawn["values"]][at] == pytest.approx(row.effect / way, abs=2e-4)
    assert table["head"].tolist() == names_of(own)
    assert table["effect"].tolist() == pytest.approx(own.table["effect"].tolist(), abs=1e-3)

    say, (clean, corrupt) = strings("en"), (model.trace(text) for text in texts)
    both = {"one": clean.prediction.texts[-1][0], "other": corrupt.prediction.texts[-1][0]}
    ends = {"a": figure(own.clean), "b": figure(own.corrupt)}
    assert say("compare-causes-next", **both, n=10, token=clean.tokens.source.name(9), **ends) in watched["text"]
    percent = figure(100 * abs((twin.clean - twin.corrupt) / way))
    share = figure(100 * twin.table["effect"].abs().max() / abs(way))
    of_twin = {"a": figure(twin.clean), "b": figure(twin.corrupt), "percent": percent, "share": share}
    assert say("compare-causes-untrained", **of_twin) in watched["text"]
    assert maps["maps"][0]["title"] == say("compare-causes-map", **ends)


def test_of_a_model_that_writes_another_text_the_heads_of_all_its_parts_are_ranked(opened) -> None:
    texts = "o z t d k w p e", "o z t d k w a e"
    guess = "1.2 (cross-attention)"  # as a link in any language says it
    app = opened(
        "compare", lang="zh-CN", model="reverse", model2="reverse", text=texts[0], text2=texts[1], causes=guess
    )
    (_, first, maps, _), arrays, table = answered(app)
    expected, say = av.patch(av.load("reverse"), *texts), strings("zh-CN")
    way = expected.clean - expected.corrupt
    assert table["effect"].tolist() == pytest.approx(expected.table["effect"].tolist(), abs=1e-4)
    layers, names = maps["maps"][0]["rows"], []
    for row in expected.table.itertuples():
        stack, layer, kind = row.site.split(".")
        part = say(f"heads-of-{'cross' if kind == 'cross' else stack}", head="{}")
        names.append(part.format(f"{int(layer) + 1}.{row.head + 1}"))
        at = layers.index(part.format(int(layer) + 1)), row.head
        assert arrays[maps["maps"][0]["values"]][at] == pytest.approx(row.effect / way, abs=1e-4)
    assert table["head"].tolist() == names and {name[4:] for name in names} == {"编码器）", "解码器）", "交叉注意力）"}
    place = names.index("1.2（交叉注意力）") + 1
    guessed = say("compare-causes-guessed", named_head="第 1 层第 2 个头（交叉注意力）", place=place, n=len(names))
    assert guessed in first["text"] and say("compare-causes-parts") in first["text"]
    assert table["effect"].tolist()[-1] == table["share"].tolist()[-1] == 0  # without a sign


def test_texts_of_other_lengths_are_refused_in_a_sentence(opened) -> None:
    app = opened("compare", lang="en", model="minilm-l6", model2="minilm-l6", text=A, text2="The cat sat on the mat.")
    app.button(key="compare-causes-start").click().run()
    said = strings("en")("error-patch-lengths", clean=13, corrupt=9)
    until(lambda: said in shown(app.run()), seconds=30)


def test_where_the_same_without_training_fails_what_was_computed_is_shown_and_why_the_rest_is_not(
    opened, monkeypatch
) -> None:
    opened("compare", model="reverse", model2="reverse", text="a b c")  # the app registers its components
    from attnviz_app.compare.sections import causes

    def only_trained(model, *texts, **watched):
        if "metric" in watched:
            raise InputError(id="untrained-predicts-nothing", model="Induction")
        return av.patch(model, *texts, **watched)

    monkeypatch.setattr(causes, "patch", only_trained)
    texts = "a 2 k e u c v s a", "f 2 k e u c v s a"
    app = opened(
        "compare", lang="en", model="induction", model2="induction", text=texts[0], text2=texts[1], causes="none"
    )
    (watched, _, maps, _), _, table = answered(app)
    say = strings("en")
    assert say("error-untrained-predicts-nothing", model="Induction") in watched["text"]
    assert len(maps["maps"]) == 1
    assert table["head"].tolist() == names_of(av.patch(runs().model("induction"), *texts))


def test_a_part_under_the_picture_that_fails_leaves_the_others(opened, monkeypatch) -> None:
    opened("compare", model="reverse", model2="reverse", text="a b c")  # the app registers its components
    from attnviz_app.compare import panel

    def fails(*_, **__):
        raise InputError(id="one-head", model="Reverse")

    monkeypatch.setattr(panel.tables, "moved", fails)
    app = opened("compare", lang="en", model="reverse", model2="reverse", text="a b c", text2="a b d")
    say = strings("en")
    assert say("error-one-head", model="Reverse") in shown(app)
    assert say("compare-causes") in shown(app) and say("compare-effect") in shown(app)


def test_it_is_given_up_by_a_button_and_the_question_comes_back(opened, monkeypatch) -> None:
    from attnviz_app.compare.sections import causes  # its components are registered by the app

    begun = threading.Event()

    def endless(*_, on_progress, **__):
        while True:
            on_progress(1, 72)
            begun.set()
            time.sleep(0.01)

    monkeypatch.setattr(causes, "patch", endless)
    app = opened("compare", lang="en", model="minilm-l6", model2="minilm-l6", text=A, text2=B.replace("warm", "cold"))
    app.button(key="compare-causes-start").click().run()
    assert begun.wait(20)
    app.button(key="compare-causes-stop").click().run()
    until(lambda: many_runs().queue.n_active == 0, seconds=20)
    assert app.selectbox(key="compare-guess") and not app.get("progress")
    assert "compare-causes-stop" not in [it.key for it in app.button]
    app.run()
    assert many_runs().queue.n_active == 0, "it began again"
