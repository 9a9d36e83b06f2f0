"""Write on, on the Heads page: who has the menu, and when it cannot be pressed. What it does: tests/browser."""

import pytest
from attnviz_app.heads import generation
from streamlit.testing.v1 import AppTest

import attnviz as av
from attnviz.text import strings
from attnviz.trace.generation import Continued
from attnviz.training import TrainedModel
from tests.pages.conftest import queue, shown, text_box

NOTICES = ("notice-wrote-end", "notice-wrote-nothing")


def menus(page: AppTest) -> list:
    return [menu.proto for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on")]


def test_a_model_that_only_reads_has_no_such_menu(opened) -> None:
    assert menus(opened("heads", model="minilm-l6", text="A cat")) == []


def test_a_text_as_long_as_the_model_takes_cannot_go_on(opened) -> None:
    most = av.load("induction").card.max_tokens
    page = opened("heads", model="induction", text=" ".join("qwert"[at % 5] for at in range(most)))
    (menu,) = menus(page)
    assert menu.disabled and "as long as" in menu.help


@pytest.mark.parametrize(("written", "said"), [
    (Continued("a b c a", 4, 1, True), "notice-wrote-end"),
    (Continued("a b c", 4, 0, True), "notice-wrote-end"),
    (Continued("a b c", 4, 0, False), "notice-wrote-nothing"),
    (Continued("a b c a", 4, 1, False), None),
])  # fmt: skip
def test_a_model_that_ends_the_text_or_writes_nothing_says_so(opened, monkeypatch, written, said) -> None:
    monkeypatch.setattr(TrainedModel, "write_on", lambda *_: written)
    page = queue(opened("heads", model="induction", text="a b c"), generation.ask, 1)
    notices = {id: strings("en")(id, model=av.load("induction").card.name) for id in NOTICES}
    assert [id for id, notice in notices.items() if notice in shown(page)] == ([said] if said else [])
    assert text_box(page).value == written.text
