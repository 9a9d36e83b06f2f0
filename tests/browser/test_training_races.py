"""Training: what is on the screen when Train is pressed is what is trained, however fast it was put there."""

from playwright.sync_api import expect

from tests.browser.dashboard import link, wait_for_link
from tests.browser.test_training_page import TRAINING_MS, press, said
from tests.browser.wire import Wire


def test_train_pressed_right_after_changes_trains_what_the_screen_says(page_for, watch):
    wire = Wire()
    page = page_for("train", query={"task": "reverse"}, before=wire.take)
    press(page, "change")
    slider = page.locator("[class*='st-key-train-steps--']").get_by_role("slider")
    expect(slider).to_be_visible()
    wire.hold()
    page.locator("[class*='st-key-train-positions--'] label").click()
    page.locator("[class*='st-key-train-layers--']").get_by_text("2", exact=True).click()
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    press(page, "start")
    wire.wait_until_answered()
    wire.release()
    expect(said(page)).to_contain_text("50 steps", timeout=TRAINING_MS)
    expect(page.locator(".which button").nth(1)).to_contain_text("50 steps", timeout=TRAINING_MS)
    expect(page.locator(".which button").nth(1)).to_contain_text("no positions")
    expect(page.locator(".which button").nth(1)).to_contain_text("2 layers")
    press(page, "change")
    expect(slider).to_have_attribute("aria-valuetext", "50")
    assert watch.errors == []


def test_a_task_and_a_text_at_once(page_for, watch):
    wire = Wire()
    page = page_for("train", query={"task": "reverse"}, before=wire.take)
    wire.hold()
    page.get_by_role("combobox", name="Task").click()
    page.get_by_role("option", name="Sort").click()
    box = page.locator("[class*='st-key-train-text--'] input")
    box.fill("bacad")
    box.press("Enter")
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, task="sort", input="bacad")
    expect(box).to_have_value("bacad")
    assert link(page)["task"] == "sort"
    assert watch.errors == []
