"""A model that reads one text and writes another, from a folder of the operator: its parts, and a target text."""

import pytest

from tests.pages.conftest import link, menu, shown, text_box
from tests.parity.tiny_models import eager_model, saved


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny BART as transformers saves it; it writes at most eight tokens."""
    return saved(eager_model("bart"), tmp_path_factory.mktemp("two") / "tiny-bart")


@pytest.fixture
def page(opened, operator, folder):
    """A factory: `page(part="encoder")` opens that model on the page of heads."""
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    return lambda **query: opened("heads", model=folder, text="Read this", **query)


@pytest.mark.parametrize("query", [{"part": "encoder"}, {"part": "decoder", "target": "ok then"}])
def test_a_link_opens_on_its_part_and_its_target(page, query):
    app = page(**query)
    assert not app.exception and query.items() <= link(app).items() and "av-card" not in shown(app)
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
