"""Bad input and hostile links: a sentence or a picture; the last good one and the typed text are both kept."""

import pytest
from attnviz_app.heads import state
from attnviz_app.serving import runs
from attnviz_app.serving.gate import Busy

from attnviz.engine.messages import EngineError
from attnviz.text import strings
from tests.pages.conftest import link, menu, queue, shown, text_box, turn_to
from tests.pages.test_pages import DOG, type_text
from tests.parity.tiny_models import eager_model, saved

KEPT = strings("en")("notice-last-good")
EXAMPLE = strings("en")("notice-example")


BAD = {
    "": "There is no text",
    "   \t ": "There is no text",
    "x" * 10_000: "10,000 characters are too many: this page reads at most 2,000.",
    "word " * 390: strings("en")("error-too-long", n=392, limit=256),
    "\u200b\u200d\u2060": "drops every character of this text",
}


def test_a_text_that_cannot_be_shown_gets_a_sentence_and_keeps_picture_and_text_until_a_good_one_comes(opened):
    app = type_text(opened("heads"), DOG)
    for text, words in BAD.items():
        type_text(app, text)
        assert not app.exception
        assert words in shown(app) and KEPT in shown(app)
        assert link(app)["text"] == DOG
        assert text_box(app).value == text
        assert "barked" in shown(app)
    turn_to(app, "home")
    assert text_box(app).value == text and words in shown(app)
    type_text(app, "A dog.")
    assert KEPT not in shown(app) and link(app)["text"] == "A dog."


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"layer": "99", "head": "-3", "key": "99"}, "This model has 6 layers; showing layer 6."),
        ({"layer": "abc", "lang": "xx", "size": "<b>\x00"}, "“layer=abc” in this link cannot be read"),
        (
            {"model": "../../etc/<img src=x>", "token": "٣", "size": "9" * 400},
            "etc/&lt;img src=x&gt;; showing minilm-l6 instead",
        ),
    ],
)
def test_a_link_that_asks_too_much_is_corrected_with_a_sentence_until_something_else_is_asked(opened, query, words):
    app = opened("heads", **query).run()
    assert not app.exception and "av-card" not in shown(app)
    assert words in shown(app)
    assert words not in shown(type_text(app, DOG))


@pytest.mark.parametrize(("text", "language"), [("", "en"), ("x" * 12_000, "zh-CN"), ("\ufffd\ufffd", "zh-TW")])
def test_a_first_visit_with_a_bad_text_shows_the_example_and_says_so_until_a_good_one_comes(opened, text, language):
    app = opened("heads", text=text, lang=language)
    assert strings(language)("notice-example") in shown(app)
    assert strings(language)("notice-last-good") not in shown(app)
    type_text(app, DOG)
    assert link(app)["text"] == DOG and strings(language)("notice-example") not in shown(app)


def test_half_a_surrogate_pair_becomes_a_question_mark_and_unknown_tokens_are_counted_in_the_table(opened):
    app = queue(opened("heads"), state.HEADS.open, {"text": "猫坐在垫子上，因为它累了。\ud800"})
    assert not app.exception and link(app)["text"] == "猫坐在垫子上，因为它累了。?"
    assert shown(app).count("<td>yes</td>") == 9


@pytest.mark.parametrize("fault", [Busy("Busy.", id="busy", n=3), EngineError("Away.", id="engine-away")])
def test_what_passes_keeps_the_picture_and_offers_to_try_again(opened, monkeypatch, fault):
    app = opened("heads")
    trace = runs.Runs.trace

    def busy(self, name, text, target=""):
        if text == DOG:
            raise fault
        return trace(self, name, text, target)

    monkeypatch.setattr(runs.Runs, "trace", busy)
    type_text(app, DOG)
    assert strings("en").error(fault) in shown(app) and EXAMPLE in shown(app)
    monkeypatch.setattr(runs.Runs, "trace", trace)
    app.button(key="error-retry").click().run()
    assert EXAMPLE not in shown(app) and link(app)["text"] == DOG


def test_a_fault_of_ours_ends_as_a_card_and_its_log_holds_no_text(opened, monkeypatch, caplog):
    def fail(self, name, text, target=""):
        raise RuntimeError(f"broken by {text}")

    monkeypatch.setattr(runs.Runs, "trace", fail)
    app = opened("heads", text="a secret sentence")
    assert not app.exception
    assert "the fault is ours" in shown(app) and "RuntimeError" in shown(app)
    assert "secret" not in shown(app) and "secret" not in caplog.text
    assert app.button(key="error-retry")


LONG = "word " * 300


def test_one_click_shows_the_first_part_of_a_text_that_is_too_long_until_another_is_typed(opened):
    app = opened("heads", text=LONG)
    app.button(key="cut-show").click().run()

    part = link(app)["text"]
    assert not app.exception and LONG.startswith(part) and len(part.split()) == 254
    assert "Only the first 256 of 302 tokens are shown." in shown(app)
    assert text_box(app).value == LONG
    assert not [button for button in app.button if button.key == "cut-show"]

    turn_to(app, "home")
    assert text_box(app).value == LONG and "Only the first 256 of 302" in shown(app)

    type_text(app, DOG)
    assert "Only the first" not in shown(app) and link(app)["text"] == DOG

    type_text(app, "word " * 1000)  # too many characters
    app.button(key="cut-show").click().run()
    assert "Only the first 1,269 of 5,000 characters are shown." in shown(app)

    menu(turn_to(app, "heads")).set_value("reverse").run()  # which reads no text in part
    type_text(app, "a " * 200)
    assert not [button for button in app.button if button.key == "cut-show"]


def test_the_first_part_is_offered_where_there_is_no_picture_yet(opened, operator):
    operator.setenv("ATTNVIZ_MAX_TOKENS", "6")
    app = opened("home")
    assert "This did not work" in shown(app) and KEPT not in shown(app)  # a card, and no last picture
    app.button(key="cut-show").click().run()

    assert not app.exception and "Only the first 6 of" in shown(app)


def test_a_switch_to_a_model_that_takes_less_keeps_the_text_and_offers_its_first_part(opened, operator, tmp_path):
    folder = saved(eager_model("bart"), tmp_path / "short")  # 64 positions
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    text = "The keys to the cabinet that stands in the old hall are on the table."
    app = type_text(opened("heads"), text)
    menu(app).set_value(folder).run()

    assert f"{len(text)} tokens are too many for short, which takes 64" in shown(app)
    app.button(key="cut-show").click().run()
    assert link(app)["model"] == folder and link(app)["text"] == text[:64]
    assert "Only the first 64 of 69 tokens are shown." in shown(app)
    assert text_box(app).value == text
