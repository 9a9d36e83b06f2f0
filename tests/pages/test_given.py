"""Two texts on the pages: a link has both, each has a box, and the form can be changed."""

import json

import pytest

from attnviz.text import strings
from attnviz.trace.tokens import Tokens
from tests.pages.conftest import headers, key, link, shown

PAIR = 'pair:["How old are you?", "I am six years old."]'


@pytest.mark.parametrize("page, box", [("", "text-box"), ("heads", "text-box"), ("step", "step-text")])
def test_two_texts_of_a_link_have_a_box_each_and_what_is_typed_is_in_the_link(opened, page, box):
    app = opened(page, lang="en", model="minilm-l6", text=PAIR)
    first, second = (app.text_area(key=key(app, f"{box}-{it}")) for it in ("first", "second"))
    assert (first.value, second.value) == ("How old are you?", "I am six years old.")
    second.set_value("I am\nseven.").run()
    assert link(app)["text"] == 'pair:["How old are you?", "I am\\nseven."]'


def test_the_picture_of_two_texts_says_which_each_token_belongs_to(opened):
    (header,) = headers(opened("heads", text=PAIR), "heads")
    groups = [token["group"] for token in header["tokens"]["source"]]
    assert groups == ["A"] * 7 + ["B"] * 7


def test_the_form_is_a_switch_where_the_model_reads_more_than_a_text(opened):
    app = opened("heads", lang="en", text="How old are you?\nI am six.")
    assert app.button_group(key=key(app, "text-box-form")).value == "text"
    app.button_group(key=key(app, "text-box-form")).set_value("pair").run()
    assert link(app)["text"] == "pair:" + json.dumps(["How old are you?\nI am six.", ""])
    assert "av-line" not in shown(app)  # until the second is there, the first is read alone
    app.text_area(key=key(app, "text-box-second")).set_value("Really?").run()
    (header,) = headers(app, "heads")
    assert {token["group"] for token in header["tokens"]["source"]} == {"A", "B"}
    app.button_group(key=key(app, "text-box-form")).set_value("text").run()
    assert link(app)["text"] == "How old are you?\nI am six.\nReally?"


def test_a_model_that_reads_one_text_says_so_and_keeps_the_picture_of_before(opened):
    app = opened("heads", lang="en", model="reverse", text='pair:["a b", "c"]', card=True)
    assert "reads one text and no second one" in shown(app)


@pytest.mark.parametrize(
    "page, box",
    [
        ("", "text-box"),
        ("heads", "text-box"),
        ("step", "step-text"),
        ("compare", "compare-text"),
    ],
)
def test_two_texts_have_a_button_that_shows_them(opened, page, box):
    app = opened(page, lang="en", model="minilm-l6", model2="minilm-l6", text=PAIR)
    app.text_area(key=key(app, f"{box}-first")).set_value("How are you?")
    app.button(key=f"{box}-show").click().run()
    assert link(app)["text"] == 'pair:["How are you?", "I am six years old."]'


def test_compare_shows_what_was_given_to_b_and_lets_it_be_changed(opened):
    app = opened("compare", lang="en", model="minilm-l6", model2="minilm-l6", text=PAIR)
    assert app.text_area(key=key(app, "compare-other-second")).value == "I am six years old."
    app.text_area(key=key(app, "compare-other-second")).set_value("I am ten years old.").run()
    assert link(app)["text"] == PAIR and link(app)["text2"] == 'pair:["How old are you?", "I am ten years old."]'
    (header,) = headers(app, "compare")
    assert [unit["group"] for unit in header["units"]] == ["A"] * 7 + ["B"] * 7
    assert [unit["text"] for unit in header["units"] if unit["text"].startswith("six")] == ["six / ten"]
    app.text_area(key=key(app, "compare-other-second")).set_value("I am six years old.").run()
    assert "text2" not in link(app)  # B reads A's again


def test_the_picture_of_home_says_which_text_each_word_is_of(opened):
    (header,) = headers(opened("", model="minilm-l6", text=PAIR), "home")
    assert [token["group"] for token in header["tokens"]] == ["A"] * 7 + ["B"] * 7


@pytest.mark.parametrize("page", ["", "heads", "step", "compare"])
def test_a_start_token_that_stands_there_twice_is_said_on_every_page(opened, monkeypatch, page):
    monkeypatch.setattr(Tokens, "starts_twice", property(lambda self: True))
    app = opened(page, lang="en", model="minilm-l6", model2="minilm-l6", text="How old?")
    assert strings("en")("notice-starts-twice", token="[CLS]") in shown(app)
