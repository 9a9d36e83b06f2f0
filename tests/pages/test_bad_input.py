"""Bad input and hostile links: a sentence or a picture; the last good one and the typed text are both kept."""

import pytest
from attnviz_app.heads import state
from attnviz_app.serving import runs
from attnviz_app.serving.gate import Busy

from attnviz.engine.messages import EngineError
from attnviz.text import strings
from tests.pages.conftest import link, menu, queue, shown, text_box, turn_to
from tests.pages.test_pages import DOG, type_text

ANOTHER = strings("en")("notice-not-this-text")
CAT, BOOK = strings("en")("example-pronoun-text"), "She did not buy this book yesterday."
WIDE = strings("en")("error-too-long-here", n=392, limit=256)

BOX = {  # of a page: that of its text, and one that can be shown
    "heads": ("text-box", DOG), "step": ("step-text", "I like cats."),
    "train": ("train-text", "banana"), "compare": ("compare-text", "a b c"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def limits(operator):
    """The same on every computer, whatever its memory is."""
    operator.setenv("ATTNVIZ_MAX_TOKENS", "256")
    operator.setenv("ATTNVIZ_MAX_CHARACTERS", "2000")


@pytest.mark.parametrize(("page", "query", "bad"), [
    ("heads", {}, {
        "": "There is no text", "   \t ": "There is no text", "word " * 390: WIDE,
        "x" * 10_000: "10,000 characters are too many: the pages read at most 2,000.",
        "\u200b\u200d\u2060": "drops every character of this text",
    }),
    ("step", {"model": "translate-en-zh"}, {
        "I like hippopotamus.": "hippopotamus", "word " * 4000: "characters are too many", "   ": "There is no text",
    }),
    ("train", {"task": "reverse"}, {"a ß": "ß"}),
    ("compare", {"model": "reverse", "model2": "minilm-l6"}, {"a b " * 40: "80 tokens"}),
])  # fmt: skip
def test_a_refused_text_stays_typed_beside_the_last_good_one_until_a_good_one_comes(opened, page, query, bad):
    app, (box, good) = opened(page, **query), BOX[page]
    text_box(app, box).set_value(good).run()
    for text, words in bad.items():
        text_box(app, box).set_value(text).run()
        for _ in range(2):
            assert words in shown(app) and ANOTHER in shown(app)
            assert (link(app)["text"], text_box(app, box).value) == (good, text)
            app.run()
    text_box(app, box).set_value(good).run()
    assert ANOTHER not in shown(app) and link(app)["text"] == good


def test_a_text_that_was_refused_on_heads_is_so_on_home_too_and_answered_there(opened):
    app = turn_to(type_text(opened("heads"), " "), "home")
    assert text_box(app).value == " " and "There is no text" in shown(app)
    assert ANOTHER not in shown(type_text(app, DOG)) and link(app)["text"] == DOG


@pytest.mark.parametrize(("page", "query", "example"), [
    *(("heads", {"text": text}, CAT) for text in ("", "x" * 12_000, "\ufffd\ufffd")),
    *(("step", {"model": "translate-en-zh", "text": text}, BOOK) for text in ("cats " * 60, "word " * 4000)),
    ("step", {"model": "untrained-encoder", "text": "   "}, CAT),
    ("train", {"task": "reverse", "text": "a ß"}, "stressed"),
])  # fmt: skip
def test_of_a_link_with_a_refused_text_the_example_is_shown_until_a_good_one_comes(opened, page, query, example):
    app, (box, good) = opened(page, **query), BOX[page]
    assert ANOTHER in shown(app)
    assert (link(app)["text"], text_box(app, box).value) == (example, query["text"])
    text_box(app, box).set_value(good).run()
    assert ANOTHER not in shown(app) and link(app)["text"] == good


WRONG = [  # in a link, what is said of it
    ("heads", {"layer": "99", "head": "-3", "key": "99"}, "This model has 6 layers; showing layer 6."),
    ("heads", {"layer": "abc", "lang": "xx", "size": "<b>\x00"}, "“layer=abc” in this link cannot be read"),
    ("heads", {"model": "../../etc/<img src=x>", "token": "٣", "size": "9" * 400},
     "etc/&lt;img src=x&gt;; showing MiniLM-L6: English sentences instead"),
    ("step", {"model": "someone/<b>gpt9", "text": BOOK},
     "someone/&lt;b&gt;gpt9; showing English → Chinese, simplified instead"),
    ("compare", {"model": "induction", "model2": "untrained:nowhere"},
     "untrained:nowhere; showing Induction: symbols that repeat, step 0 instead"),
]  # fmt: skip
MODEL = {"heads": "model-box", "step": "step-model", "compare": "compare-a"}


@pytest.mark.parametrize(("page", "query", "words"), WRONG)
def test_a_link_that_asks_too_much_is_corrected_with_a_sentence_until_another_is_asked(opened, page, query, words):
    app = opened(page, **query).run()
    assert words in shown(app)
    assert words not in shown(menu(app, MODEL[page]).set_value("reverse").run())


def test_half_a_surrogate_pair_becomes_a_question_mark_and_unknown_tokens_are_counted_in_the_table(opened):
    app = queue(opened("heads"), state.HEADS.open, {"text": "猫坐在垫子上，因为它累了。\ud800"})
    assert link(app)["text"] == "猫坐在垫子上，因为它累了。?"
    assert shown(app).count("<td>yes</td>") == 9


@pytest.mark.parametrize("fault", [Busy(id="busy", n=3), EngineError(id="engine-away")])
def test_what_passes_keeps_the_picture_and_offers_to_try_again(opened, monkeypatch, fault):
    app = opened("heads")
    trace = runs.Runs.trace

    def busy(self, name, text, target=""):
        if text == DOG:
            raise fault
        return trace(self, name, text, target)

    monkeypatch.setattr(runs.Runs, "trace", busy)
    type_text(app, DOG)
    assert strings("en").error(fault) in shown(app) and ANOTHER in shown(app)
    monkeypatch.setattr(runs.Runs, "trace", trace)
    app.button(key="error-retry").click().run()
    assert ANOTHER not in shown(app) and link(app)["text"] == DOG


def test_a_fault_of_ours_ends_as_a_card_and_its_log_holds_no_text(opened, monkeypatch, caplog):
    def fail(self, name, text, target=""):
        raise RuntimeError(f"broken by {text}")

    monkeypatch.setattr(runs.Runs, "trace", fail)
    app = opened("heads", card=True, text="a secret sentence")
    assert "the fault is ours" in shown(app) and "RuntimeError" in shown(app)
    assert "secret" not in shown(app) and "secret" not in caplog.text
    assert app.button(key="error-retry")


LONG = "word " * 300


def test_one_click_shows_the_first_part_of_a_text_that_is_too_long_until_another_is_typed(opened):
    app = opened("heads", text=LONG)
    app.button(key="cut-show").click().run()

    part = link(app)["text"]
    assert LONG.startswith(part) and len(part.split()) == 254
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
    app = opened("home", card=True)
    assert "This did not work" in shown(app) and ANOTHER not in shown(app)  # no last picture
    app.button(key="cut-show").click().run()
    assert "Only the first 6 of" in shown(app) and "av-card" not in shown(app)
