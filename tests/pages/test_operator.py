"""What an operator set is what a visitor gets; settings that cannot be served end as a card with a sentence."""

from streamlit import config

from attnviz.text import strings
from tests.pages.conftest import link, shown


def test_a_model_outside_the_allow_list_is_not_shown(opened, operator):
    operator.setenv("ATTNVIZ_MODE", "hosted")
    app = opened("heads", model="gpt2")
    assert "gpt2" in shown(app) and link(app)["model"] == "minilm-l6"


def test_the_character_limit_is_the_operators(opened, operator):
    operator.setenv("ATTNVIZ_MAX_CHARACTERS", "30")
    assert "this page reads at most 30" in shown(opened("heads", text="x" * 31))


def test_hosted_mode_with_a_folder_is_a_card(opened, operator):
    operator.setenv("ATTNVIZ_MODE", "hosted")
    operator.setenv("ATTNVIZ_MODELS", "/srv/model")
    app = opened()
    assert not app.exception
    assert strings("en")("error-settings-paths", path="/srv/model") in shown(app)
    assert not app.text_input


def test_a_bad_value_is_a_card_in_the_visitors_language(opened, operator):
    operator.setenv("ATTNVIZ_MAX_TOKENS", "many")
    body = shown(opened(lang="zh-TW"))
    assert "ATTNVIZ_MAX_TOKENS" in body and "many" in body and "Traceback" not in body


def test_local_mode_refuses_to_serve_a_network(opened, operator):
    config.set_option("server.address", "0.0.0.0")
    body = shown(opened())
    assert "local mode" in body and "--server.address 127.0.0.1" in body


def test_hosted_mode_serves_a_network(opened, operator):
    config.set_option("server.address", "0.0.0.0")
    operator.setenv("ATTNVIZ_MODE", "hosted")
    assert "av-foot" in shown(opened("heads"))
