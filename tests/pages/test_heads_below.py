"""What stands under the picture of the Heads page, without a browser: it opens on demand and chooses heads above."""

import numpy as np
import pandas as pd
import pytest
from attnviz_app.heads import state
from attnviz_app.heads.sections.table import ShownHead
from attnviz_app.jobs.surveys import Surveyed

from attnviz.analysis.heads.survey import survey
from attnviz.text import strings
from attnviz.views.pack import unpack
from tests.pages.conftest import key, link, queue, shown


def opened_at(opened, section: str, **query: str):
    """The Heads page with a part open under the picture."""
    return opened("heads", below=section, **query)


def table_of(app) -> pd.DataFrame:
    (element,) = app.dataframe
    return element.value


def test_nothing_is_measured_over_sentences_before_it_is_asked_for(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attnviz_app.jobs.surveys.Surveys.of", None)
    app = opened("heads", lang="en")
    assert not app.exception and "av-card" not in shown(app)
    assert strings("en")("heads-no-proof") in shown(app)


def test_all_heads_stand_in_a_table_over_the_bundled_sentences_and_over_this_one(opened) -> None:
    app = opened_at(opened, "numbers", lang="en")
    assert not app.exception and "av-card" not in shown(app)
    table = table_of(app)
    assert len(table) == 72 and "Means over 204 English sentences" in shown(app)
    assert table.loc[2, "kind"] == "Previous token" and table.loc[2, "previous_left"] > 0.9
    app.session_state["heads-source"] = "sentence"
    app.run()
    assert "13 tokens" in shown(app) and "first_sd" not in table_of(app)


@pytest.mark.parametrize("language", ["zh-TW"])
def test_the_part_speaks_the_readers_language(opened, language: str) -> None:
    app = opened_at(opened, "numbers", lang=language)
    say = strings(language)
    assert not app.exception and say("heads-no-proof") in shown(app).replace("&#x27;", "'")
    assert say("heads-kinds-order") in shown(app)
    assert set(table_of(app)["kind"]) <= {say(f"head-kind-{it}") for it in ("broad", "mixed", "previous", "next",
        "same-word", "delimiter", "sink", "induction")}  # fmt: skip


def test_more_than_a_tenth_unknown_is_said_before_any_number(opened) -> None:
    app = opened_at(opened, "numbers", lang="en", text="猫坐在垫子上，因为它累了。")
    app.session_state["heads-source"] = "sentence"
    app.run()
    said = shown(app)
    assert "unknown to this model" in said[said.index("av-section") :]


def test_a_model_of_three_parts_names_them_and_its_own_texts(opened) -> None:
    app = opened_at(opened, "numbers", lang="en", model="translate-en-zh", text="She is a doctor.")
    assert not app.exception and "Means over 200 texts of the task" in shown(app)
    assert set(table_of(app)["part"]) == {"Encoder", "Decoder", "Cross-attention"}


def test_a_head_that_is_chosen_under_the_picture_is_shown_in_it(opened) -> None:
    app = opened_at(opened, "numbers", lang="en", model="translate-en-zh", text="She is a doctor.", token="2")
    queue(app, state.choose, ShownHead("encoder", 1, 3))
    said = link(app)
    assert (said["part"], said["layer"], said["head"]) == ("encoder", "2", "4")


# ------------------------------------------------------------------------------------------------- own sentences

HOSTILE = {
    "": "The list has no sentences. Write one per line.",
    "a\n" * 501: "The list holds 501 sentences; at most 500 are read. Shorten it.",
    "a\n" + "b" * 2001: "Sentence 2 of the list has 2,001 characters; at most 2,000 are read. Break it into lines.",
}


def test_the_table_marks_the_head_that_is_shown_wherever_it_was_chosen(opened) -> None:
    app = opened_at(opened, "numbers", lang="en", layer="2", head="3")
    assert table_of(app)["shown"].tolist().index("●") == 14
    queue(app, state.choose, ShownHead("", 0, 8))
    assert link(app)["head"] == "9"
    assert table_of(app.run())["shown"].tolist().index("●") == 8


def test_a_list_that_cannot_be_read_is_refused_in_a_sentence(opened) -> None:
    app = opened_at(opened, "sentences", lang="en")
    for typed, said in HOSTILE.items():
        app.text_area(key=key(app, state.OWN_TEXT)).set_value(typed)
        app.button(key="heads-own-start").click().run()
        assert not app.exception and said in shown(app)
    assert "Means over 204 English sentences" in shown(app)  # what was there before stays


def test_a_list_is_still_in_the_box_after_another_part_was_open(opened) -> None:
    app = opened_at(opened, "sentences", lang="en")
    app.text_area(key=key(app, state.OWN_TEXT)).set_value("The dog sat.").run()
    for section in (None, "sentences"):
        queue(app, state.open_section, section)
        assert link(app).get("below") == section
    assert app.text_area(key=key(app, state.OWN_TEXT)).value == "The dog sat."


def test_a_list_is_measured_and_ranks_its_sentences_for_the_head_above(opened, minilm, monkeypatch) -> None:
    def measured(self, name, sentences, language="en"):
        found = survey(minilm, sentences=sentences)
        return Surveyed(found, 1, 1)

    monkeypatch.setattr("attnviz_app.jobs.surveys.Surveys.own", measured)
    app = opened_at(opened, "sentences", lang="en", layer="1", head="3")
    app.text_area(key=key(app, state.OWN_TEXT)).set_value("The <b>dog</b> barked.\n\nWho saw it?")
    app.button(key="heads-own-start").click().run()
    said = shown(app)
    assert "Means over your 2 sentences" in said and "Sentences that excite layer 1, head 3 most" in said
    assert "The &lt;b&gt;dog&lt;/b&gt; barked." in said and "<b>dog" not in said
    app.button(key="heads-show-0").click().run()
    assert link(app)["text"] in ("The <b>dog</b> barked.", "Who saw it?")
    assert (link(app)["layer"], link(app)["head"]) == ("1", "3")


def test_a_list_on_its_way_says_how_far_it_is(opened, monkeypatch) -> None:
    monkeypatch.setattr("attnviz_app.jobs.surveys.Surveys.own", lambda *_: Surveyed(done=3, total=10))
    app = opened_at(opened, "sentences", lang="en")
    app.text_area(key=key(app, state.OWN_TEXT)).set_value("One.")
    app.button(key="heads-own-start").click().run()
    assert "3 of 10 texts" in shown(app) and 'value="3"' in shown(app)


@pytest.mark.parametrize(("content", "said"), [
    (b"\xff\xfe\x00", "evil.txt cannot be read as text"), (b"x" * 4_000_001, "4,000,001 characters"),
    ("One.\nTwo.".encode("utf-8-sig"), ""),
])  # fmt: skip
def test_an_uploaded_file_goes_into_the_box_or_is_refused(opened, content: bytes, said: str) -> None:
    class File:
        name = "evil.txt"

        def getvalue(self) -> bytes:
            return content

    app = opened_at(opened, "sentences", lang="en")
    queue(app, state.take_file, File())
    assert not app.exception
    assert said in shown(app) if said else app.text_area(key=key(app, state.OWN_TEXT)).value == "One.\nTwo."
    app.button(key="heads-own-start").click().run()
    assert said in shown(app)  # measuring what the box holds does not unsay what is wrong with the file


# ------------------------------------------------------------------------------------------- rollout and effect


def panels_of(app) -> list[dict]:
    """The headers of the panels on the page, and the arrays that they name."""
    payloads = [element.proto.bytes for element in app.get("bidi_component") if element.proto.bytes]
    return [{**header, "arrays": arrays} for header, arrays in map(unpack, payloads) if header["view"] == "panel"]


@pytest.mark.parametrize(("model", "part", "n_maps"), [
    ("minilm-l6", "", 1), ("induction", "", 2), ("translate-en-zh", "cross", 1),
])  # fmt: skip
def test_rollout_draws_the_part_in_the_picture_and_rows_sum_to_one(opened, model, part, n_maps) -> None:
    text = {"induction": "a b c a b", "translate-en-zh": "She is a doctor."}.get(model, "The cat sat.")
    app = opened_at(opened, "rollout", lang="en", model=model, text=text, **({"part": part} if part else {}))
    assert not app.exception and "av-alert" not in shown(app)
    (panel,) = panels_of(app)
    maps = [one for block in panel["blocks"] if block["kind"] == "maps" for one in block["maps"]]
    assert len(maps) == n_maps and len(app.latex) == {1: 2, 2: 3}[n_maps] + (part == "cross")
    for one in maps:
        np.testing.assert_allclose(panel["arrays"][one["values"]].sum(-1), 1.0, atol=1e-5)


def test_rollout_of_a_text_that_the_model_does_not_know_says_so_first(opened) -> None:
    app = opened_at(opened, "rollout", lang="en", text="猫坐在垫子上，因为它累了。")
    said = shown(app)
    assert "unknown to this model" in said[said.index("av-section") :]


def test_an_effect_is_measured_when_the_button_is_pressed_and_stands_beside_five_others(opened) -> None:
    app = opened_at(opened, "effect", lang="en", model="induction", text="a b c d a b", layer="2", head="1")
    say = strings("en")
    assert say("heads-effect-no-proof").split(".")[0] in shown(app) and panels_of(app) == []
    app.button(key="heads-effect-button").click().run()
    assert not app.exception and "av-alert" not in shown(app)
    (panel,) = panels_of(app)
    facts, prose, table = panel["blocks"]
    assert table["rows"][0][0] == "2.1" and len(table["rows"]) == 4  # the model has four heads
    assert table["marked"] == 0 and facts["facts"][0]["value"].endswith(table["rows"][0][2])
    assert prose["text"] in (say("heads-effect-larger", n=3), say("heads-effect-not-larger", n=3))


def test_a_model_that_predicts_nothing_is_compared_by_its_sentence_embedding(opened) -> None:
    app = opened_at(opened, "effect", lang="en")
    app.button(key="heads-effect-button").click().run()
    (panel,) = panels_of(app)
    assert float(panel["blocks"][0]["facts"][0]["value"]) == pytest.approx(0.8555, abs=2e-3)
    assert len(panel["blocks"][2]["rows"]) == 6
    app.session_state["heads-effect-way"] = "edge"
    app.run()
    assert panels_of(app) == []  # another change was not measured yet
    app.button(key="heads-effect-button").click().run()
    (panel,) = panels_of(app)
    assert panel["blocks"][0]["facts"][0]["value"].startswith("0.99")


def test_the_only_edge_of_a_row_cannot_be_cut_and_the_page_says_so(opened) -> None:
    app = opened_at(opened, "effect", lang="en", model="induction", text="a b c d a b", token="1")
    app.session_state["heads-effect-way"] = "edge"
    app.run()
    app.button(key="heads-effect-button").click().run()
    assert not app.exception and "cannot be cut" in shown(app)


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_why_there_names_the_head_that_wrote_the_previous_token_first_and_sums_to_the_score(opened, lang) -> None:
    say = strings(lang)
    app = opened_at(
        opened, "why", lang=lang, model="induction", text="a 1 k e u c v s a", layer="2", head="1", token="10"
    )
    assert not app.exception and "av-alert" not in shown(app)
    why, wrote = panels_of(app)
    facts, moved, keys, queries = why["blocks"]
    assert moved["text"].startswith(say("heads-why-moved", head="1.1", key="1", source="a₁", part="")[:8])
    for table in (keys, queries, wrote["blocks"][1]):
        *parts, total = table["bars"]
        assert sum(parts) == pytest.approx(total, abs=1e-4) and len(table["bars"]) == len(table["rows"])
        assert table["marked"] == len(parts)
    assert keys["rows"][0][0] == say("heads-why-head", head="1.1")
    assert facts["facts"][0]["value"] == keys["rows"][-1][1] == queries["rows"][-1][1]
    assert wrote["blocks"][1]["rows"][0][0].endswith(("2.1", "2.2"))


def test_the_numbers_on_the_page_are_those_of_the_run(opened) -> None:
    import attnviz as av

    trace = av.load("induction").trace("a 1 k e u c v s a")
    source = trace["decoder.1.self"].replay
    app = opened_at(
        opened, "why", lang="en", model="induction", text="a 1 k e u c v s a", layer="2", head="1", token="10"
    )
    expected = float(source.q[0, 9].double() @ source.k[0, 2].double()) * source.scale
    assert float(panels_of(app)[0]["blocks"][0]["facts"][0]["value"]) == pytest.approx(expected, abs=6e-4)


def test_a_head_of_the_sum_is_shown_above(opened) -> None:
    app = opened_at(
        opened, "why", lang="en", model="induction", text="a 1 k e u c v s a", layer="2", head="1", token="10"
    )
    app.button(key="heads-why-panel-1.1").click().run()
    said = link(app)
    assert not app.exception and (said["layer"], said["head"]) == ("1", "1")


def test_a_model_without_a_vocabulary_has_the_sum_of_its_scores_and_no_logits(opened) -> None:
    app = opened_at(opened, "why", lang="en")
    (panel,) = panels_of(app)
    assert len([block for block in panel["blocks"] if block["kind"] == "table"]) == 2
    assert "av-alert" not in shown(app)
