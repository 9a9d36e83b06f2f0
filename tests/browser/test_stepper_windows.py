"""A text longer than the part that is drawn: what is hidden has its number, and window, cell and link agree."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from attnviz.explanation import chain
from attnviz.scratch.untrained import untrained
from tests.browser.conftest import spot
from tests.browser.dashboard import wait_for_link
from tests.browser.layout import overlapping
from tests.browser.stepper import is_near

N = 95
WORDS = " ".join(f"w{i}" for i in range(N))
WINDOW = 64


@pytest.fixture(scope="module")
def hidden_share() -> Callable[[int], float]:
    """What a row gives the tokens behind the first window."""
    weights = chain(untrained().trace(WORDS), "self")["weights"].result.values  # [T_q, T_k]
    return lambda row: float(weights[row, WINDOW:].sum())


def test_what_is_hidden_of_a_row_has_its_number_and_the_window_goes_on_by_keys_buttons_and_link(page_for, hidden_share):
    query = {"model": "untrained-encoder", "text": WORDS, "matrix": "weights", "token": "6", "key": str(WINDOW)}
    page = page_for("step", query=query, size=(1440, 900))
    rests, hidden = page.locator(".cell.rest"), page.locator(".stepper .hidden-part")
    expect(rests).to_have_count(WINDOW)
    expect(page.locator(".lb.on", has_text="w63")).to_be_visible()
    over = overlapping(page.locator(".over .lb:visible"), 2, 3)
    assert [pair for pair in over if "+" in pair] == []  # their count is not printed over the last label
    words = f"{N - WINDOW} columns not drawn: "
    page.mouse.move(*spot(rests.nth(9)))
    assert is_near(hidden.inner_text().removeprefix(words), hidden_share(9), 2)
    page.mouse.move(5, 5)
    page.locator(".surface").focus()
    page.keyboard.press("ArrowDown")
    assert is_near(hidden.inner_text().removeprefix(words), hidden_share(6), 2)
    expect(page.locator(".stepper [aria-live]")).to_contain_text(hidden.inner_text())

    page.keyboard.press("End")
    expect(page.locator(".strip .whose")).to_contain_text("[w6, w63]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mover").first).to_contain_text("32–95 / 95")
    expect(page.locator(".strip .whose")).to_contain_text("[w31, w64]")
    wait_for_link(page, matrix="weights", token="32", key="65", window="32.1")
    expect(page.locator(".surface")).to_be_focused()

    page.locator(".mover button").first.click()
    expect(page.locator(".mover").first).to_contain_text("1–64 / 95")
    expect(page.locator(".strip .whose")).to_contain_text("[w31, w63]")
    wait_for_link(page, matrix="weights", token="32", key="64", window=None)

    here = page.evaluate("location.href")  # `page.url` may lag behind
    page.goto(here.replace("token=32", "token=90").replace("key=64", "key=90"))  # a late cell opens its own window
    expect(page.locator(".strip .whose")).to_contain_text("[w89, w89]")
    expect(page.locator(".mover").first).to_contain_text("27–90 / 95")
