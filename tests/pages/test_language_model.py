"""Every page with a model that continues its text, here a tiny one of two layers that nobody measured
and whose weights do not go into our blocks."""

import pytest
from attnviz_app.compare import sides
from attnviz_app.open_model import panel
from attnviz_app.serving import runs as runs_module
from attnviz_app.settings import settings

from attnviz.text import strings
from attnviz.views.pack import unpack
from tests.pages.conftest import headers, link, menu, shown, stepper, turn_to
from tests.parity.tiny_models import eager_model, saved

SAY = strings("en")
FRANCE = "The capital of France is"
MARY = "When Mary and John went to the store, John gave a drink to"
TOKENS = len(FRANCE)  # each letter is one
UNTRAINED, OURS = "compare-to-untrained", "compare-to-ours"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return saved(eager_model("opt"), tmp_path_factory.mktemp("one") / "tiny-opt")


@pytest.fixture
def first(operator, folder):
    """That model stands first in the operator's list."""
    operator.setenv("ATTNVIZ_MODELS", f"{folder},minilm-l6,translate-en-zh,translate-zh-en")
    return folder


def heads(app) -> dict:
    (header,) = headers(app, "heads")
    return header


def test_heads_opens_on_a_beginning_at_the_row_that_writes_the_missing_word(opened, first):
    app = opened("heads")
    assert (link(app)["model"], link(app)["text"]) == (first, FRANCE)
    assert menu(app).options[0] == "tiny-opt"
    assert heads(app)["selection"]["token"] == TOKENS - 1
    assert heads(app)["is_open"]  # nobody measured which head the example is about
    assert not heads(opened("heads", model=first, text=FRANCE, head="2"))["is_open"]
    offered = list(app.get("menu_button")[0].proto.options)
    assert offered[0] == SAY("example-next-capital") and SAY("example-pronoun") not in offered
    assert link(turn_to(app, "heads"))["text"] == FRANCE


def test_home_shows_what_the_model_holds_for_likeliest_after_the_text(opened, first):
    (header,) = headers(opened("home"), "home")
    assert header["text"] == FRANCE and header["selection"]["token"] == TOKENS - 1
    assert header["steps"] == ["word", "arcs", "row", "score", "adds", "off"] and header["is_next"]
    shares = [one["share"] for one in header["candidates"]]
    assert len(shares) == 5 and shares == sorted(shares, reverse=True) and all(0 < share <= 1 for share in shares)
    assert header["compares"] == "texts" and "text2=The+capital+of+Italy+is" in header["links"]["compare"]
    encoder = headers(opened("home", model="minilm-l6"), "home")[0]
    assert encoder["candidates"] == [] and encoder["steps"] == ["arcs", "row", "score", "off"]


@pytest.mark.parametrize("page", ["home", "heads"])
def test_a_link_to_it_has_no_head_of_another_model(opened, operator, folder, page):
    """The first example of MiniLM is about head 12 of layer 6; this model has 4 heads in 2 layers."""
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    app = opened(page, model=folder)
    (header,) = headers(app, page)
    assert header["selection"]["layer"] < 2 and header["selection"]["head"] < 4
    assert SAY("notice-head", n=4, shown=4) not in shown(app)


def test_another_model_in_the_menu_brings_no_head_from_the_one_before(opened, operator, folder):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    app = opened("heads")
    before = heads(app)["selection"]
    assert (before["layer"], before["head"]) == (5, 11)
    app = menu(app).set_value(folder).run()
    now, text = heads(app)["selection"], link(app)["text"]
    (direct,) = headers(opened("heads", model=folder, text=text), "heads")
    assert [now[name] for name in ("layer", "head", "token")] == [
        direct["selection"][name] for name in ("layer", "head", "token")
    ]


def test_step_through_opens_on_it_at_the_same_row_and_stands_first_in_the_menu(opened, first):
    app = opened("step")
    assert link(app)["model"] == first and link(app)["text"] == FRANCE
    assert menu(app, "step-model").options[:3] == ["tiny-opt", SAY("open-model"), SAY("model-translate-en-zh")]
    assert unpack(stepper(app))[0]["picked"]["row"] == TOKENS - 1
    assert link(opened("step", lang="zh-CN"))["model"] == first


def test_step_through_takes_a_text_of_a_model_of_a_folder(opened, operator, folder):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,translate-en-zh,{folder}")
    app = opened("step", tab="heads", model=folder, text="Rome is in")
    assert {"model": folder, "text": "Rome is in", "tab": "heads"}.items() <= link(app).items()
    assert stepper(app)


def test_compare_opens_on_two_texts_and_offers_no_variant_that_cannot_be_made(opened, first):
    app = opened("compare")
    assert {"model": first, "model2": first, "text": MARY}.items() <= link(app).items()
    assert link(app)["text2"] == SAY("example-pair-next-name-other")
    buttons = {button.key for button in app.button}
    assert UNTRAINED not in buttons and OURS not in buttons
    assert sum("tiny-opt" in side for side in menu(app, "compare-b").options) == 1
    app = opened("compare", model=first, model2=f"untrained:{first}", text=MARY)
    assert link(app)["model2"] == first and len(headers(app, "compare")) == 1
    app = opened("compare", model="minilm-l6", text="The cat sat.")
    assert link(app)["model2"] == "untrained:minilm-l6"  # which has one
    assert {UNTRAINED, OURS} <= {button.key for button in app.button}


def test_compare_takes_a_typed_text_to_another_model(opened, first):
    app = opened("heads", text="Rome is in")
    app = turn_to(app, "compare")
    assert {"model": first, "model2": "minilm-l6", "text": "Rome is in"}.items() <= link(app).items()


@pytest.mark.parametrize("is_loaded", [False, True])
def test_a_model_has_its_untrained_twin_whether_it_is_in_memory_or_not(
    operator, folder, smollm2, monkeypatch, is_loaded
):
    operator.setenv("ATTNVIZ_MODELS", f"{folder},smollm2-135m,minilm-l6")
    models = (
        {name: runs_module.runs().model(name) for name in (folder, "smollm2-135m", "minilm-l6")} if is_loaded else {}
    )
    monkeypatch.setattr(runs_module.Runs, "loaded", lambda self, name: models.get(name))
    twins = [sides.baseline(name) for name in ("smollm2-135m", "minilm-l6", folder)]
    assert twins == ["untrained:smollm2-135m", "untrained:minilm-l6", None]


def test_without_the_model_that_ships_the_pages_open_on_the_next_and_say_how_it_comes(opened, operator, monkeypatch):
    operator.delenv("ATTNVIZ_MODELS")
    monkeypatch.setattr(runs_module, "is_here", lambda name: name != "smollm2-135m")
    monkeypatch.setattr(panel, "begin", lambda name: None)  # tests/pages/test_first_use.py has it fetched
    app = opened("heads")
    assert link(app)["model"] == "minilm-l6" and SAY("model-smollm2-135m") not in menu(app).options
    assert "SmolLM2-135M is not on this computer yet" in shown(app)
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6")
    settings.cache_clear()
    assert "attnviz check" not in shown(opened("heads"))


def test_every_page_opens_on_the_language_model_that_ships(opened, operator, smollm2):
    operator.delenv("ATTNVIZ_MODELS")
    app = opened("home")
    assert link(app)["model"] == "smollm2-135m" and headers(app, "home")[0]["candidates"][0]["text"] == "Paris"
    app = opened("heads")
    picked = {"text": FRANCE, "layer": "24", "head": "5", "token": "5"}
    assert picked.items() <= link(app).items()
    assert menu(app).options[0] == SAY("model-smollm2-135m")
    app = opened("step")
    assert {"model": "smollm2-135m", "text": FRANCE}.items() <= link(app).items()
    header = unpack(stepper(app))[0]
    assert (header["controls"]["site"], header["controls"]["head"]) == ("decoder.23.self", 4)
    assert (header["picked"]["row"], header["picked"]["key"]) == (4, 3)  # is -> France
    app = opened("compare")
    assert {"model": "smollm2-135m", "model2": "smollm2-135m", "text": MARY}.items() <= link(app).items()
