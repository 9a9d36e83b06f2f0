"""Closer looks on Step through: mouse, keyboard and link open them, Escape closes them, their numbers are Python's."""

import pytest
from attnviz_app.step.looks.head_blocks import farthest_head
from playwright.sync_api import Locator, Page, expect

import attnviz as av
from attnviz.explanation.closer_looks.scaling import scaling_rows
from attnviz.explanation.closer_looks.two_heads import head_difference
from attnviz.text import figure
from tests.browser.conftest import ready
from tests.browser.dashboard import link, wait_for_link
from tests.browser.stepper import stepper, to_step
from tests.browser.test_axe import findings


@pytest.fixture
def opened(page_for):
    """A factory: `opened(look="cost")` opens the page with that link."""

    return lambda **query: page_for("step", query=query)


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def panel(page: Page) -> Locator:
    """The dialog's first panel, once it is painted."""
    shown = dialog(page).locator(".panel[data-ready]").first
    expect(shown).to_be_visible()
    return shown


def test_a_look_is_opened_by_mouse_and_by_keyboard_and_closed_by_escape_where_the_reader_was(opened, watch):
    page = opened(cell="weights~2~3~1")
    for _ in range(2):
        page.get_by_role("button", name="Why divide by √dₖ").click()
        expect(panel(page).locator(".chart")).to_have_count(3)
        wait_for_link(page, look="why-scale")
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)
        page.wait_for_function("() => !new URLSearchParams(location.search).has('look')")
    expect(stepper(page)).to_have_attribute("data-step", "weights")
    assert link(page)["cell"] == "weights~2~3~1"

    to_step(page, "context")
    page.get_by_role("button", name="What it costs").focus()
    page.keyboard.press("Enter")
    expect(panel(page).locator(".chart")).to_have_count(2)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('[role=dialog]').scrollWidth <= 390")
    assert panel(page).evaluate("(e) => e.scrollWidth <= e.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    for key in ("ArrowRight", "Space", "0"):
        page.keyboard.press(key)
    expect(stepper(page)).to_have_attribute("data-step", "context")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("button", name="What it costs")).to_be_focused()
    assert watch.errors == []


def test_a_link_shows_its_look_and_the_arrows_walk_the_points_of_a_chart(opened):
    page = opened(look="why-scale")
    panel(page)
    expect(dialog(page).get_by_role("heading", name="Why divide by √dₖ")).to_be_visible()
    assert findings(page) == []
    chart = panel(page).locator(".chart").first
    for _ in ("the button that closes", "the menu of the chart", "the chart"):
        page.keyboard.press("Tab")
    expect(chart.locator(".surface")).to_be_focused()
    widest, next_widest = scaling_rows(seed=0)[-1], scaling_rows(seed=0)[-2]
    expect(chart.locator(".reading")).to_contain_text(figure(widest.raw.spread))
    page.keyboard.press("ArrowLeft")
    expect(chart.locator(".reading .here")).to_have_text(f"q·k {figure(next_widest.raw.spread)}")
    page.keyboard.press("ArrowDown")
    said = f"Head width dₖ 256, q·k ÷ √dₖ: {figure(next_widest.scaled.spread)}"
    expect(chart.locator("[aria-live]")).to_have_text(said)
    page.goto(page.url + "&tab=decoder")  # which has no such look
    ready(page)
    expect(dialog(page)).to_have_count(0)
    page.wait_for_function("() => !new URLSearchParams(location.search).has('look')")


def test_the_cells_of_maps_are_walked_together_as_pythons_numbers_and_another_head_is_chosen_and_compared(opened):
    page = opened(tab="heads", look="two-heads", on="translate-en-zh", say="She reads books.")
    maps = panel(page).locator(".maps").first.locator(".map")
    expect(maps).to_have_count(3)
    maps.first.locator(".stop").focus()
    for key in ("Home", *["ArrowUp"] * 5, "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    record = av.load("translate-en-zh").trace("She reads books.")["encoder.0.self"]
    other = farthest_head(record, 0)
    weights = [float(record.weights(head)[1, 1]) for head in (0, other)]
    shown = [float(maps.nth(at).locator(".reading b").inner_text().replace("\u2212", "-")) for at in range(3)]
    assert shown == pytest.approx([*weights, weights[0] - weights[1]], abs=6e-4)
    expect(maps.first.locator("[aria-live]")).to_contain_text("Query reads · Key reads: ")
    expect(maps.nth(1).locator("[aria-live]")).to_be_empty()  # one voice at a time
    box = maps.first.locator(".stop").bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    expect(maps.first.locator(".reading")).to_contain_text("Query She · Key She")
    page.mouse.move(box["x"] - 60, box["y"] - 40)
    expect(maps.first.locator(".reading")).to_contain_text("Query reads · Key reads")

    dialog(page).get_by_role("combobox").first.click()
    page.get_by_test_id("stSelectboxVirtualDropdown").get_by_role("option", name="2", exact=True).click()
    expect(panel(page).locator(".map .name").first).to_contain_text("Head 2")
    moved = head_difference(record, 1, other).mean_moved
    expect(panel(page).locator(".facts .value").first).to_have_text(f"{moved:.0%}")
