"""A model that reads one text and writes another, from a folder of the operator: its parts, and a target text."""

from copy import deepcopy

import pytest

from attnviz.text import strings
from tests.pages.conftest import link, menu, shown, text_box
from tests.parity.tiny_models import byte_tokenizer, eager_model

SAY = strings("en")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny T5 as transformers saves it; it writes at most eight tokens."""
    module = deepcopy(eager_model("bart"))
    where = tmp_path_factory.mktemp("two") / "tiny-bart"
    module.save_pretrained(where)
    byte_tokenizer().save_pretrained(where)
    return where


@pytest.fixture
def page(opened, operator, folder):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    return opened("heads", model=str(folder), text="Read this")


@pytest.mark.parametrize("part", ["", "encoder", "decoder"])
def test_each_part_of_a_folder_with_two_stacks_is_shown(opened, operator, folder, part):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    page = opened("heads", model=str(folder), text="Read this", part=part)
    assert not page.exception and link(page)["part"] == (part or "cross") and "av-card" not in shown(page)


def test_a_target_text_replaces_what_the_model_writes_and_leaving_it_out_brings_that_back(page):
    assert "It writes" in shown(page)
    text_box(page, "target-box").set_value("ok then").run()
    assert link(page)["target"] == "ok then" and "It writes" not in shown(page)
    assert "<bdi>t</bdi>" in shown(page)  # the table of tokens holds the target's

    text_box(page, "target-box").set_value("").run()
    assert "target" not in link(page) and "It writes" in shown(page)


def test_a_target_that_is_too_long_is_said_and_stays_as_it_was_typed(page):
    text_box(page, "target-box").set_value("x" * 70).run()
    assert "The target text has 71 tokens" in shown(page)
    assert text_box(page, "target-box").value == "x" * 70 and "target" not in link(page)


def test_a_link_with_a_target_opens_on_it(opened, operator, folder):
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{folder}")
    page = opened("heads", model=str(folder), text="Read this", target="ok then", part="decoder")
    assert link(page) | {"lang": "en"} == link(page) and link(page)["target"] == "ok then"
    assert text_box(page, "target-box").value == "ok then"


def test_another_model_starts_without_the_target(page):
    text_box(page, "target-box").set_value("ok then").run()
    menu(page).set_value("minilm-l6").run()
    assert "target" not in link(page) and not [box for box in page.text_input if box.key.startswith("target-box")]
