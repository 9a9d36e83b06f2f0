"""Training: what is on the screen when Train is pressed is what is trained, however fast it was put there."""

from playwright.sync_api import expect

from tests.browser.dashboard import settle, wait_for_link
from tests.browser.test_training_page import press
from tests.browser.wire import LATE_MS, SLOW_MS, Wire

TRAINED = "attnviz train sort --layers 2 --positions none --steps 50 --seed 0"  # by this command


def test_presses_one_right_after_the_other(page_for):
    wire = Wire()
    page = page_for("train", query={"task": "reverse"}, before=wire.take)
    box = page.locator("[class*='st-key-train-text--'] textarea").last
    with wire.late(LATE_MS[1]):
        page.get_by_role("combobox", name="Task").click()
        page.get_by_role("option", name="Sort").click()
        box.fill("bacad")
        box.press("Enter")
    wait_for_link(page, task="sort", text="bacad")
    expect(box).to_have_value("bacad")
    settle(page)  # the list of settings is that of this task

    press(page, "change")
    slider = page.locator("[class*='st-key-train-steps--']").get_by_role("slider")
    slider.focus()
    with wire.late(SLOW_MS):
        page.locator("[class*='st-key-train-positions--'] label").click()
        page.locator("[class*='st-key-train-layers--']").get_by_text("2", exact=True).click()
        slider.press("Home")
        page.keyboard.press("Escape")
        press(page, "start")
    expect(page.locator(".av-foot .av-end")).to_have_text(TRAINED)
    press(page, "change")
    expect(slider).to_have_attribute("aria-valuetext", "50")
