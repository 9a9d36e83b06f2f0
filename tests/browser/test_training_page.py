"""Training on the dashboard: a real one from the page to the page of heads, a reload, a narrow window."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.conftest import press_keys, ready
from tests.browser.dashboard import (
    comes_to,
    dialog,
    figures,
    link,
    numbers_of,
    to_projector,
    turn_to,
    wait_for_link,
    wait_until_all_fits,
)
from tests.browser.layout import boxes


def press(page: Page, key: str) -> None:
    """Press a button of the page by its key."""
    page.locator(f".st-key-train-{key} button").click()


def is_inside(page: Page, width: int) -> bool:
    return all(it["left"] >= 0 and it["right"] <= width for it in boxes(page.get_by_test_id("stPopoverBody")))


def test_a_training_is_found_after_a_reload_stopped_and_what_it_kept_is_used_on_the_page_of_heads(page_for):
    page = page_for("train", query={"task": "reverse"})
    told = page.locator(".av-progress")  # the line over the picture
    press(page, "preset")
    expect(page.locator(".av-bar")).to_be_visible()
    expect(told).to_contain_text("of 1500")
    page.reload()
    ready(page)
    expect(told).to_contain_text("of 1500")
    box = page.locator("[class*='st-key-train-text--'] textarea")
    box.focus()
    box.evaluate("(node) => { node.dataset.same = 'yes' }")
    before = told.inner_text()
    expect(told).not_to_have_text(before)  # progress redraws nothing but its line
    expect(box).to_be_focused()
    assert box.evaluate("(node) => node.dataset.same") == "yes"

    press(page, "stop")
    expect(told).to_contain_text("what was trained is kept")
    expect(page.locator(".av-bar")).to_have_count(0)
    comes_to(lambda: bool(re.fullmatch(r"run-[0-9a-f]{10}", link(page).get("run", ""))), True)
    run = link(page)["run"]
    expect(page.locator(".which button")).to_have_count(2)
    expect(page.locator(".which button").nth(1)).to_contain_text("no positions")
    expect(page.locator(".which button").nth(1)).to_have_attribute("aria-pressed", "true")

    press(page, "use")
    wait_for_link(page, model=run, text="stressed")
    expect(page.get_by_test_id("stTopNav").locator("[aria-current=page]")).to_have_text("Heads")
    ready(page)
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("trained here: no positions"))


def test_nothing_scrolls_on_a_desktop_and_a_projector_axe_finds_nothing_and_a_telephone_shows_the_settings(page_for):
    page = page_for("train", size=(1280, 760))
    expect(page.locator(".av-foot")).to_be_visible()
    wait_until_all_fits(page)
    press(page, "change")
    expect(page.locator("[class*='st-key-train-steps--']")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function("(width) => document.querySelector('.st-key-train-row').clientWidth <= width", arg=width)
        press(page, "change")
        expect(page.locator("[class*='st-key-train-steps--']")).to_be_visible()
        comes_to(is_inside, True, page, width)  # it is placed once it has its size
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    tops = [page.locator(f".st-key-{part}").bounding_box()["y"] for part in ("train-change", "train-start", "stage")]
    assert tops[0] <= tops[1] < tops[2]  # what begins a training stands over the picture, for the Tab key too
    page.get_by_role("button", name="Play").focus()
    press_keys(page, "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab")
    expect(page.locator(".st-key-train-change button")).to_be_focused()
    to_projector(page)


def test_a_moment_and_its_axes_come_back_from_another_page_and_a_reload(page_for):
    page = page_for("train", query={"task": "induction"})
    loss, steps = (page.get_by_role("button", name=name) for name in ("axis for the loss", "axis for the steps"))
    loss.click()
    page.get_by_role("slider").press("Home")
    wait_for_link(page, log="both")
    moment = page.locator("[data-moment]").get_attribute("data-moment")

    def away() -> None:
        turn_to(page, "About")
        turn_to(page, "Training")

    for leaves in (away, page.reload, away):
        leaves()
        expect(page.locator("[data-moment]")).to_have_attribute("data-moment", moment)
        expect(loss).to_have_attribute("aria-pressed", "true")
    steps.click()
    wait_for_link(page, log="loss")


def test_all_curves_are_a_chart_over_its_numbers_whose_points_lead_to_their_moment_and_keep_the_axes(page_for):
    page = page_for("train", query={"task": "induction"})
    page.get_by_role("button", name="axis for the loss").click()
    page.get_by_role("button", name="Loss and all heads as a chart").click()
    chart = figures(page)
    expect(chart).to_have_count(1)
    loss, *heads = numbers_of(chart)
    assert len(heads) == 4 and all(0 <= share <= 1 for head in heads for share in head)
    chart.get_by_text("The numbers").click()
    rows = chart.locator("tbody tr")
    expect(rows).to_have_count(len(heads[0]))
    assert float(rows.nth(0).locator("td").nth(0).inner_text()) == round(loss[0], 2)
    assert findings(page) == []
    chart.locator(".scatterlayer .trace").last.locator("path.point").nth(6).click(force=True)
    expect(dialog(page)).to_have_count(0)
    expect(page.locator("[data-moment]")).to_have_attribute("data-moment", "47/1.1")
    wait_for_link(page, log="both")
    wait_for_link(page, update="47", layer="2", head="2")


def test_in_a_lesson_all_is_in_the_window_and_a_line_says_what_comes_where_the_curves_will_be(page_for):
    page = page_for("lessons", query={"lesson": "5", "step": "7"}, size=(1366, 768))
    line, curves = page.get_by_text("Predict first; then the curves are shown."), page.locator(".chart .line").first
    expect(line).to_be_visible()
    expect(curves).to_be_hidden()
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    expect(page.locator(".tool.curves")).to_be_hidden()
    expect(page.locator(".thumb").last).to_have_attribute("aria-pressed", "true")  # the head that the lesson speaks of
    wait_until_all_fits(page)
    page.get_by_role("radiogroup").locator("label").nth(1).click()
    expect(curves).to_be_visible()
    expect(line).to_be_hidden()
    expect(page.locator(".lesson")).to_contain_text("head 2.2 gives the answer")
    wait_until_all_fits(page)
