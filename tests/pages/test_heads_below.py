"""What stands under the picture of the Heads page, without a browser: it opens on demand and chooses heads above."""

import pandas as pd
import pytest
from attnviz_app import heads_state

from attnviz.text import LANGUAGES, strings
from tests.pages.conftest import link, shown

OPEN = heads_state._OPEN


def opened_at(opened, section: str, **query: str):
    """The Heads page with a part open under the picture."""
    app = opened("heads", **query)
    app.session_state[OPEN] = section
    return app.run()


def table_of(app) -> pd.DataFrame:
    (element,) = app.dataframe
    return element.value


def test_nothing_is_measured_before_a_part_is_opened(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attnviz_app.surveys.Surveys.of", None)
    monkeypatch.setattr("attnviz_app.measured_heads.of_sentence", None)
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


@pytest.mark.parametrize("language", LANGUAGES)
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
    assert "unknown to this model" in said[said.index("av-section"):]


def test_a_model_of_three_parts_names_them_and_its_own_texts(opened) -> None:
    app = opened_at(opened, "numbers", lang="en", model="translate-en-zh", text="She is a doctor.")
    assert not app.exception and "Means over 200 texts of the task" in shown(app)
    assert set(table_of(app)["part"]) == {"Encoder", "Decoder", "Cross-attention"}


def test_a_head_that_is_chosen_under_the_picture_is_shown_in_it(opened) -> None:
    from attnviz_app import inputs
    from attnviz_app.heads_table import Place

    app = opened_at(opened, "numbers", lang="en", model="translate-en-zh", text="She is a doctor.", token="2")
    noted = inputs._Noted(heads_state.choose, (Place("encoder", 1, 3),), None)
    app.session_state[inputs._NOTED] = [noted]
    app.run()
    said = link(app)
    assert (said["part"], said["layer"], said["head"]) == ("encoder", "2", "4") and "token" not in said

