"""Write on, on the Heads page: who has the menu, and when it cannot be pressed. What it does: tests/browser."""

from streamlit.testing.v1 import AppTest

import attnviz as av
from tests.pages.conftest import shown


def menus(page: AppTest) -> list:
    return [menu.proto for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on")]


def test_a_model_that_only_reads_has_no_such_menu(opened) -> None:
    assert menus(opened("heads", model="minilm-l6", text="A cat")) == []


def test_a_text_as_long_as_the_model_takes_cannot_go_on(opened) -> None:
    most = av.load("induction").card.max_tokens
    page = opened("heads", model="induction", text=" ".join("qwert"[at % 5] for at in range(most)))
    (menu,) = menus(page)
    assert menu.disabled and "as long as" in menu.help and "av-card" not in shown(page)
