"""Step through: what is pressed and picked one after the other while the server is slow is all there in the end."""

import re

from playwright.sync_api import expect

from tests.browser.dashboard import settle, wait_for_link
from tests.browser.stepper import stepper
from tests.browser.wire import Wire

SETTLED_MS = 400  # a selection that rested this long was told
AT_START = {"on": "reverse", "say": "a b c d", "cell": "scores~2~2~1"}


def test_a_model_chosen_while_a_switch_is_on_its_way_is_chosen_and_the_switch_is_on(page_for, watch):
    wire = Wire()
    page = page_for("step", query={"on": "induction"}, before=wire.take)
    wire.hold()
    page.locator("[class*='st-key-step-guesses--'] label").click()
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="Reverse").click()
    wire.wait_until_answered()
    page.locator("[class*='st-key-size-box--'] label").click()
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, on="reverse", size="projector", guess="1")
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("Reverse"))
    expect(page.locator("[class*='st-key-step-guesses--'] input")).to_be_checked()
    assert watch.errors == []


def test_a_cell_picked_while_a_switched_run_is_on_its_way_stays_picked(page_for, watch):
    wire = Wire()
    page = page_for("step", query=AT_START, before=wire.take)
    expect(stepper(page)).to_have_attribute("data-step", "scores")
    wire.hold()
    page.locator(".whatif .switch", has_text="Divide by √Dh").click()
    page.locator(".surface").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(SETTLED_MS)
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(SETTLED_MS)
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, cell="scores~4~2~1")
    settle(page)
    page.locator(".surface").press("ArrowUp")
    wait_for_link(page, cell="scores~3~2~1")
    assert watch.errors == []
