"""A text longer than the part that is drawn: what is hidden has its number, and window, cell and link agree."""

import pytest
import torch
from playwright.sync_api import Page, expect

from attnviz import views
from attnviz.explanation import chain, slice_chain
from attnviz.explanation.matrices import Chain
from attnviz.scratch.untrained import untrained
from tests.browser.conftest import centre
from tests.browser.dashboard import wait_for_link
from tests.browser.stepper import is_near, stepper

N = 95
WINDOW = 64
OVERPRINTED = """() => { const boxes = [...document.querySelectorAll('.over .lb')]
      .filter((it) => getComputedStyle(it).visibility === 'visible')
      .map((it) => [it.textContent, it.getBoundingClientRect()]);
    const rests = boxes.filter(([text]) => text.startsWith('+'));
    return rests.flatMap(([, a]) => boxes.filter(([text, b]) => !text.startsWith('+') && a.left < b.right - 2 &&
      b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3).map(([text]) => text)); }"""


@pytest.fixture(scope="module")
def trace():
    torch.manual_seed(0)
    return untrained().trace(" ".join(f"w{i}" for i in range(N)))


@pytest.fixture(scope="module")
def whole(trace) -> Chain:
    return chain(trace, "self")


@pytest.fixture
def weights(draw, trace, whole) -> Page:
    """The weights of the first 64 tokens, too many for numbers in the cells."""
    part = slice_chain(whole, {letter: (0, WINDOW) for letter in ("T_q", "T_k", "T")})
    return draw(views.stepper(part, trace, views.At("weights", 5, WINDOW - 1)))


def hidden_share(whole: Chain, row: int) -> float:
    return float(whole["weights"].result.values[row, WINDOW:].sum())


def test_what_is_hidden_of_a_row_has_its_number_by_mouse_by_keys_and_read_aloud(weights, whole):
    rests = weights.locator(".cell.rest")
    expect(rests).to_have_count(WINDOW)
    expect(weights.locator(".lb.on", has_text="w63")).to_be_visible()
    assert weights.evaluate(OVERPRINTED) == []  # their count is not printed over the last label
    weights.mouse.move(*centre(rests.nth(9)))
    hidden, words = weights.locator(".stepper .hidden-part"), f"{N - WINDOW} columns not drawn: "
    assert is_near(hidden.inner_text().removeprefix(words), hidden_share(whole, 9), 2)
    weights.mouse.move(5, 5)

    weights.locator(".surface").focus()
    weights.keyboard.press("ArrowDown")
    said = hidden.inner_text()
    assert is_near(said.removeprefix(words), hidden_share(whole, 6), 2)
    expect(weights.locator(".stepper [aria-live]")).to_contain_text(said)


def test_the_window_goes_on_by_keys_and_by_its_buttons_and_the_link_says_where_the_cell_is(page_for):
    words = " ".join(f"w{i}" for i in range(N))
    page = page_for("step", query={"on": "untrained-encoder", "say": words, "cell": "weights~5~5~1"}, size=(1440, 900))
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    page.locator(".surface").focus()
    page.keyboard.press("End")
    expect(page.locator(".strip .whose")).to_contain_text("[w4, w63]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mover").first).to_contain_text("32–95 / 95")
    expect(page.locator(".strip .whose")).to_contain_text("[w31, w64]")
    wait_for_link(page, cell="weights~32~65~1", window="32.1")
    expect(page.locator(".surface")).to_be_focused()

    page.locator(".mover button").first.click()
    expect(page.locator(".mover").first).to_contain_text("1–64 / 95")
    expect(page.locator(".strip .whose")).to_contain_text("[w31, w63]")
    wait_for_link(page, cell="weights~32~64~1")
    wait_for_link(page, window=None)

    page.goto(page.url.replace("weights%7E32%7E64%7E1", "weights%7E90%7E90%7E1"))  # a late cell opens its own window
    expect(page.locator(".strip .whose")).to_contain_text("[w89, w89]")
    expect(page.locator(".mover").first).to_contain_text("27–90 / 95")
