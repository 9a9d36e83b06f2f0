"""What an operator set is what a visitor gets; settings that cannot be served end as a card with a sentence."""

import pytest
from attnviz_app.settings import say_once, settings
from streamlit import config

from attnviz.text import strings
from tests.pages.conftest import link, shown


def test_hosted_mode_alone_serves_a_network_and_shows_no_other_model(opened, operator):
    config.set_option("server.address", "0.0.0.0")
    body = shown(opened())
    assert "local mode" in body and "--server.address 127.0.0.1" in body
    operator.setenv("ATTNVIZ_MODE", "hosted")
    settings.cache_clear()
    app = opened("heads", model="gpt2")
    assert "av-foot" in shown(app) and "gpt2" in shown(app) and link(app)["model"] == "minilm-l6"


@pytest.mark.parametrize(
    "variables",
    [{"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": "/srv/model"}, {"ATTNVIZ_MODE": "public"}],
    ids=["folder", "unknown mode"],
)
def test_visitors_of_a_hosted_server_read_no_variable_and_no_path(opened, operator, caplog, variables):
    say_once.cache_clear()
    for name, value in variables.items():
        operator.setenv(name, value)
    app = opened(lang="zh-CN")
    assert not app.exception and not app.text_input
    assert strings("zh-CN")("error-not-served") in shown(app)
    assert "ATTNVIZ_" not in shown(app) and "/srv" not in shown(app)
    assert "ATTNVIZ_" in caplog.text
    app.run()
    assert len([record for record in caplog.records if "ATTNVIZ_" in record.getMessage()]) == 1


def test_a_bad_value_is_a_card_in_the_visitors_language(opened, operator):
    operator.setenv("ATTNVIZ_MAX_TOKENS", "many")
    body = shown(opened(lang="zh-TW"))
    assert "ATTNVIZ_MAX_TOKENS" in body and "many" in body and "Traceback" not in body
