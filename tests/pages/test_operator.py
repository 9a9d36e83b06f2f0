"""What an operator sets is what a visitor gets: settings, models of a hub (a stand-in's) and of a folder."""

import pytest
from attnviz_app.host import url
from attnviz_app.settings import say_once, settings
from attnviz_app.shell import panels
from streamlit import config
from transformers import AutoModelForCausalLM

from attnviz.pretrained.loading import hub
from attnviz.pretrained.on_this_computer import lm_studio
from attnviz.text import strings
from tests.gguf_files import CASES, metadata_of, tensors_of, write
from tests.pages.conftest import headers, link, menu, shown, text_box
from tests.parity.tiny_models import eager_model, eager_module
from tests.parity.tiny_models import saved as saved_at
from tests.unit.pretrained.loading.test_hub import REPO, saved, stand_in
from tests.unit.pretrained.on_this_computer import trees

__all__ = ["saved", "stand_in"]  # fixtures
SAY = strings("en")


@pytest.mark.parametrize("mode", ["local", "hosted"])
def test_a_model_of_ollama_or_lm_studio_may_be_one_of_the_operators(opened, operator, tmp_path, mode):
    _, kind, sizes, _ = CASES["llama"]
    module = eager_module(kind, sizes, AutoModelForCausalLM)
    made = write(tmp_path / "tiny.gguf", "llama", metadata_of("llama"), tensors_of("llama", module)).read_bytes()
    trees.ollama(tmp_path / "ollama", "registry.ollama.ai/library/mine/latest", made)
    trees.lm_studio(tmp_path / "studio", "me/tiny/tiny.gguf", made)
    operator.setenv("OLLAMA_MODELS", str(tmp_path / "ollama"))
    operator.setattr(lm_studio, "FOLDER", str(tmp_path / "studio"))
    operator.setenv("ATTNVIZ_MODE", mode)
    for name in ("ollama:mine:latest", "lmstudio:me/tiny"):
        operator.setenv("ATTNVIZ_MODELS", f"{name},minilm-l6")
        settings.cache_clear()
        config.set_option("server.address", "127.0.0.1" if mode == "local" else "0.0.0.0")
        app = opened("heads")
        assert link(app)["model"] == name and menu(app).options[0] == name.partition(":")[2].rpartition("/")[2]


def test_hosted_mode_alone_serves_a_network_and_shows_no_other_model(opened, operator):
    config.set_option("server.address", "0.0.0.0")
    body = shown(opened(card=True))
    assert "local mode" in body and "--server.address 127.0.0.1" in body
    operator.setenv("ATTNVIZ_MODE", "hosted")
    settings.cache_clear()
    app = opened("heads", model="gpt2")
    assert "av-foot" in shown(app) and "gpt2" in shown(app) and link(app)["model"] == "minilm-l6"


@pytest.mark.parametrize(("mode", "name"), [("local", ""), ("hosted", "192.0.2.7")])
def test_a_picture_knows_this_machines_name_in_its_network_where_others_reach_it(opened, operator, mode, name):
    operator.setattr(url, "network_address", lambda: "192.0.2.7")
    operator.setenv("ATTNVIZ_MODE", mode)
    settings.cache_clear()
    config.set_option("server.address", "127.0.0.1" if mode == "local" else "0.0.0.0")
    (header,) = headers(opened("heads", model="minilm-l6"), "heads")
    assert header["link"]["network"] == name


@pytest.mark.parametrize("variables", [
    {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": "/srv/model"}, {"ATTNVIZ_MODE": "public"},
], ids=["folder", "unknown mode"])  # fmt: skip
def test_visitors_of_a_hosted_server_read_no_variable_and_no_path(opened, operator, caplog, variables):
    say_once.cache_clear()
    for name, value in variables.items():
        operator.setenv(name, value)
    app = opened(card=True, lang="zh-CN")
    assert not app.text_input
    assert strings("zh-CN")("error-not-served") in shown(app)
    assert "ATTNVIZ_" not in shown(app) and "/srv" not in shown(app)
    assert "ATTNVIZ_" in caplog.text
    app.run()
    assert len([record for record in caplog.records if "ATTNVIZ_" in record.getMessage()]) == 1


def test_a_bad_value_is_a_card_in_the_visitors_language(opened, operator):
    operator.setenv("ATTNVIZ_MAX_TOKENS", "many")
    body = shown(opened(card=True, lang="zh-TW"))
    assert "ATTNVIZ_MAX_TOKENS" in body and "many" in body and "Traceback" not in body


def test_a_model_of_a_hub_is_fetched_with_progress_and_shown(opened, operator, stand_in, monkeypatch):
    lines: list[str] = []  # every line that stood over the hatched field
    escape = panels.escape
    monkeypatch.setattr(panels, "escape", lambda text, *rest: lines.append(text) or escape(text, *rest))
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{REPO}")
    page = opened("heads", model=REPO, text="Read this")

    assert link(page)["model"] == REPO
    called = REPO.rpartition("/")[2]  # as in the menu
    fetching = [line for line in lines if line.startswith(f"Fetching {called}: ")]
    assert len(fetching) > 3 and fetching[-1].split(": ")[1].split(" of ")[0] in fetching[-1].split(" of ")[1]
    assert f"{hub.endpoint()}/{REPO}" in shown(page)  # where its numbers come from


def test_a_model_of_a_hub_that_was_not_fetched_yet_is_a_side_of_a_comparison(opened, operator, stand_in):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,reverse,{REPO}")
    page = opened("compare", model=REPO, model2="minilm-l6", text="Read this now")
    assert headers(page, "compare")[0]["a"]["name"].endswith(REPO.split("/")[1]) and link(page)["model"] == REPO


@pytest.mark.parametrize(("mode", "id"), [("local", "error-not-on-hub"), ("hosted", "error-model-not-served")])
def test_a_model_that_does_not_come_is_said_and_only_to_the_operator_where_from(
    opened, operator, stand_in, caplog, mode, id
):
    operator.setenv("ATTNVIZ_MODE", mode)
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6,someone/else")
    page = opened("heads", model="someone/else", text="Read this")

    said = SAY(id, model="someone/else", name="someone/else", endpoint=hub.endpoint())
    assert said in shown(page) and "av-foot" in shown(page)  # and the picture stays
    assert (hub.endpoint() in shown(page)) is (mode == "local")
    assert hub.endpoint() in (caplog.text if mode == "hosted" else shown(page))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny BART as transformers saves it; it takes 64 tokens, and writes at most eight."""
    return saved_at(eager_model("bart"), tmp_path_factory.mktemp("two") / "tiny-bart")


@pytest.fixture
def page(opened, operator, folder):
    """A factory: `page(part="encoder")` opens that model on the page of heads."""
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    return lambda **query: opened("heads", **{"model": folder, "text": "Read this", **query})


@pytest.mark.parametrize("query", [{"part": "encoder"}, {"part": "decoder", "target": "ok then"}])
def test_a_link_opens_on_its_part_and_its_target(page, query):
    app = page(**query)
    assert query.items() <= link(app).items()
    assert text_box(app, "target-box").value == query.get("target", "")


def test_a_target_replaces_what_the_model_writes_unless_it_is_too_long_until_it_is_left_out_or_the_model_another(page):
    app = page()
    assert link(app)["part"] == "cross" and "It writes" in shown(app)
    text_box(app, "target-box").set_value("x" * 70).run()
    assert "The target text has 71 tokens" in shown(app)
    assert text_box(app, "target-box").value == "x" * 70 and "target" not in link(app)
    for without in (lambda: text_box(app, "target-box").set_value(""), lambda: menu(app).set_value("minilm-l6")):
        text_box(app, "target-box").set_value("ok then").run()
        assert link(app)["target"] == "ok then" and "It writes" not in shown(app)
        assert "<bdi>t</bdi>" in shown(app)  # the table of tokens holds the target's
        without().run()
        assert "target" not in link(app)
        assert ("It writes" in shown(app)) is (link(app)["model"] != "minilm-l6")
    assert not [box for box in app.text_input if box.key.startswith("target-box")]


def test_a_switch_to_a_model_that_takes_less_keeps_the_text_and_offers_its_first_part(page, folder):
    text = "The keys to the cabinet that stands in the old hall are on the table."
    app = page(model="minilm-l6", text=text)
    menu(app).set_value(folder).run()
    assert f"{len(text)} tokens are too many for tiny-bart, which takes 64" in shown(app)
    app.button(key="cut-show").click().run()
    assert link(app)["model"] == folder and link(app)["text"] == text[:64]
    assert "Only the first 64 of 69 tokens are shown." in shown(app)
    assert text_box(app).value == text
