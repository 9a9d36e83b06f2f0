"""What a class sees of a step: names beside exponents, which part is looked at, a presenter's view."""

import pytest
from playwright.sync_api import expect

import attnviz as av
from attnviz import views
from attnviz.explanation import chain
from tests.browser.conftest import ready
from tests.browser.dashboard import link, wait_for_link
from tests.browser.stepper import stepper, to_step

OVERLAPS = """() => [...document.querySelectorAll('.lb .factor')].map((factor) => {
    const [a, b] = [factor, factor.nextElementSibling].map((it) => it.getBoundingClientRect());
    return a.right > b.left || Math.abs(a.bottom - b.bottom) > b.height; })"""


@pytest.fixture(scope="module")
def translated():
    return av.load("translate-en-zh").trace("She did not buy this book.")


def test_the_power_of_ten_of_a_bias_stands_beside_its_name_and_not_on_it(draw, translated):
    page = draw(views.stepper(chain(translated, "self", "encoder.0.self"), translated, views.At("q")))
    for name in ("q", "k"):
        to_step(page, name)
        assert page.evaluate(OVERLAPS) == [False]


def test_a_clicker_steps_a_picked_cell_stands_out_a_presenter_fills_the_window_and_waiting_is_hatched(page_for):
    page = page_for("step", query={"cell": "weights~2~3~1"})
    page.keyboard.press("Tab")  # to the main part, as Streamlit offers
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="To the picture")).to_be_focused()
    page.keyboard.press("Enter")
    surface = page.locator(".surface")
    expect(surface).to_be_focused()
    page.keyboard.press("PageDown")
    expect(stepper(page)).not_to_have_attribute("data-step", "weights")
    page.keyboard.press("PageUp")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    page.keyboard.press("Escape")

    cell = page.locator('.matrix[data-key="result"] .cell').nth(3)
    for shown in ("surface dimmed", "surface"):  # picked, and let go of
        page.mouse.click(*centre(cell))
        page.mouse.move(5, 5)
        expect(surface).to_have_class(shown)

    small = page.locator(".matrix .cell").first.bounding_box()
    page.get_by_role("button", name="Presenter’s view").click()
    wait_for_link(page, present="1")
    page.reload()
    ready(page)
    box = stepper(page).bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1440, 900)
    assert page.locator(".matrix .cell").first.bounding_box()["height"] > small["height"]
    expect(page.locator(".stepper .side")).to_be_hidden()
    assert page.evaluate("() => document.elementFromPoint(700, 20).closest('header')") is None
    page.keyboard.press("Escape")
    page.wait_for_function("() => !new URLSearchParams(location.search).has('present')")
    expect(page.locator(".stepper .side")).to_be_visible()
    assert link(page)["cell"].startswith("weights~")

    height = "(field) => field.getBoundingClientRect().height"
    field = page.locator(".attnviz-mount").first  # hatched from when the page has room for a picture until it has one
    assert field.evaluate(height) == 0
    stepper(page).evaluate("(picture) => picture.remove()")
    assert field.evaluate(height) > 200
    assert "gradient" in field.evaluate("(field) => getComputedStyle(field).backgroundImage")


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
