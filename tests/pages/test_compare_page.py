"""The Compare page without a browser: any two sides, one text or two, and sentences where it cannot be."""

import time

import pytest
from attnviz_app import compare_state
from attnviz_app.similar import similarities

import attnviz as av
from attnviz.text import LANGUAGES, strings
from attnviz.views.pack import unpack
from tests.pages.conftest import link, shown

TEXT = "The cat sat on the mat."


def pictures(app) -> list[dict]:
    payloads = [element.proto.bytes for element in app.get("bidi_component") if element.proto.bytes]
    return [{**header, "arrays": arrays} for header, arrays in map(unpack, payloads) if header["view"] == "compare"]


def measured(a: str, b: str) -> None:
    """Wait until two models are compared over their sentences."""
    for _ in range(600):
        if not similarities().of(a, b).is_coming:
            return
        time.sleep(0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_first_a_model_stands_beside_its_shape_without_training(opened, language: str) -> None:
    app = opened("compare", lang=language)
    say = strings(language)
    assert not app.exception and "av-card" not in shown(app)
    (picture,) = pictures(app)
    assert picture["b"]["name"] == say("compare-side-untrained", model=say("model-minilm-l6"))
    assert say("compare-alike") in shown(app).replace("&#x27;", "'")
    assert link(app)["lang"] == language


def test_our_blocks_with_the_same_weights_stand_on_a_fixed_scale(opened) -> None:
    (picture,) = pictures(opened("compare", a="ours:minilm-l6", b="minilm-l6", both=TEXT))
    assert picture["scale"] == 1e-5 and picture["are_tokens"]
    assert 0 < picture["selection"]["pair"]["largest"] < 1e-5


def test_over_many_sentences_the_page_the_library_and_the_shell_say_the_same(opened) -> None:
    """Two tokenizers: what the small model reads is compared by words."""
    measured("reverse", "minilm-l6")
    app = opened("compare", a="reverse", b="minilm-l6", both="a b c")
    assert not app.exception and pictures(app)[0]["similarity"]["source"] == "many"
    table = app.dataframe[0].value
    from attnviz.analysis.compare import common_sentences, similarity

    models = av.load("reverse"), av.load("minilm-l6")
    matches = similarity(*models, common_sentences(*models)).matches()
    assert table["js"].tolist() == pytest.approx(
        matches["js"].tolist(), abs=1e-6
    )  # threads add in other orders
    assert table["side"].tolist() == ["A"] * 4 + ["B"] * 72 and (table["partner"] == "–").sum() == 68


def test_two_sentences_of_one_model_show_the_heads_that_move(opened) -> None:
    app = opened("compare", a="minilm-l6", b="minilm-l6", both=TEXT, other="The dog sat on the mat.")
    assert not app.exception and not pictures(app)
    said = shown(app)
    assert "One word is swapped: cat for dog" in said and "<ins>dog</ins>" in said
    table = app.dataframe[0].value
    assert len(table) == 72 and table["moved"].is_monotonic_decreasing


def test_two_sentences_of_two_models_say_why_not(opened) -> None:
    app = opened("compare", a="minilm-l6", b="untrained:minilm-l6", both=TEXT, other="A dog.")
    assert strings("en")("compare-two-texts-two-models") in shown(app) and not pictures(app)


def test_a_text_that_one_side_cannot_read_keeps_the_last_picture(opened) -> None:
    app = opened("compare", a="reverse", b="minilm-l6", both="a b c")
    app.text_input(compare_state.TEXT).set_value("a b " * 40).run()
    assert not app.exception and "av-card" not in shown(app)
    (picture,) = pictures(app)
    assert picture["text"] == "a b c" and 'role="alert"' in shown(app)
    assert link(app)["both"] == "a b c"


def test_sides_are_swapped_and_the_baseline_is_one_click_away(opened) -> None:
    app = opened("compare", a="reverse", b="minilm-l6", both="a b c", pair="1.1-6.12")
    app.button(compare_state.SWAP).click().run()
    assert link(app)["a"] == "minilm-l6" and link(app)["pair"] == "6.12-1.1"
    app.button(compare_state.BASELINE).click().run()
    assert link(app)["b"] == "untrained:minilm-l6" and not app.exception


@pytest.mark.parametrize("query", [{"a": "nothing"}, {"pair": "99.99-99.99"}, {"both": " " * 50},
                                   {"both": "<script>alert(1)</script>", "other": "x" * 100_000}])  # fmt: skip
def test_a_hostile_link_is_a_page(opened, query: dict[str, str]) -> None:
    app = opened("compare", **query)
    assert not app.exception and "<script>" not in shown(app)


def test_both_heads_are_silenced_beside_five_others(opened) -> None:
    app = opened("compare", a="reverse", b="reverse", both="a b c", pair="1.1-2.1")
    app.button(compare_state.EFFECT_START).click().run()
    assert not app.exception and "av-alert" not in shown(app)
    payloads = [element.proto.bytes for element in app.get("bidi_component") if element.proto.bytes]
    assert sum(unpack(payload)[0]["view"] == "panel" for payload in payloads) == 2


def test_a_small_model_beside_a_pretrained_one_opens_with_a_text_of_several_words(opened) -> None:
    app = opened("compare", a="reverse", b="minilm-l6")
    (picture,) = pictures(app)
    assert "av-card" not in shown(app) and len(picture["units"]) > 2


def test_one_word_is_no_comparison(opened) -> None:
    app = opened("compare", a="reverse", b="minilm-l6", both="stressed")
    assert strings("en")("error-one-word") in shown(app)
    assert " " in pictures(app)[0]["text"]


def test_two_models_without_a_text_in_common_are_compared_by_kinds(opened) -> None:
    app = opened("compare", a="translate-zh-en", b="translate-en-zh", lang="zh-TW")
    assert not app.exception and not pictures(app) and 'role="status"' in shown(app)
    assert app.dataframe[0].value.shape == (8, 3)
