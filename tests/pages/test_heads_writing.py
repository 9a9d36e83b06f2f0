"""Write on, on the Heads page: the text grows and the row of the newest token is pinned; encoders have no such menu."""

from streamlit.testing.v1 import AppTest

import attnviz as av
from tests.pages.conftest import link, shown, text_box

TEXT = "q w e r t q w e"


def write_on(page: AppTest, n: int) -> AppTest:
    page.session_state["attnviz.heads-write-asked"] = ("induction", text_box(page).value, n)
    return page.run()


def test_the_text_goes_on_with_the_likeliest_tokens_and_the_newest_row_is_pinned(opened) -> None:
    page = opened("heads", model="induction", text=TEXT)
    menu = next(menu for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on"))
    assert menu.proto.label == "Continue the text" and list(menu.proto.options)[:2] == ["1 token", "4 tokens"]
    write_on(page, 4)
    whole = f"{TEXT} {av.load('induction').generate(TEXT, 4)}"
    assert not page.exception and text_box(page).value == whole == link(page)["text"]
    assert link(page)["token"] == "12"  # <start>, eight letters and three of the four: this row wrote the fourth
    assert heads_written(page) == 9

    write_on(page, 1)
    assert heads_written(page) == 9  # all that the model wrote stays marked


def heads_written(page: AppTest) -> int | None:
    kept = page.session_state["attnviz.heads-written"]
    return kept.get(("induction", text_box(page).value))


def test_a_model_that_only_reads_has_no_such_menu(opened) -> None:
    page = opened("heads", model="minilm-l6", text="A cat")
    assert not [menu for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on")]


def test_a_text_as_long_as_the_model_takes_cannot_go_on(opened) -> None:
    most = av.load("induction").card.max_tokens
    page = opened("heads", model="induction", text=" ".join("qwert"[at % 5] for at in range(most)))
    menu = next(menu for menu in page.get("menu_button") if menu.proto.id.endswith("heads-write-on"))
    assert menu.proto.disabled and "as long as" in menu.proto.help and "av-card" not in shown(page)
