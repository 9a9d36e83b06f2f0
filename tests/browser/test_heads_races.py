"""Heads: what a person does while answers are on their way is not lost; picture, link and boxes agree in the end."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ready
from tests.browser.dashboard import CAT, DOG, KEYS, box, exact_head, link, settle, submit, text_box, wait_for_link
from tests.browser.wire import LATE_MS, Wire


def head(page, layer, head):
    """The button of a head, from 1."""
    return page.locator(".grid button").nth((layer - 1) * 12 + head - 1)


def test_what_is_picked_while_a_picture_is_on_its_way_is_picked_in_it(page_for, server):
    wire = Wire()
    page = page_for("healthz", before=wire.take, wait=False)
    for late_ms in LATE_MS:
        page.goto(f"{server.url}/heads")
        ready(page)
        with wire.late(late_ms):
            submit(page, DOG)
            head(page, 6, 12).focus()
            page.keyboard.press("ArrowUp")
            page.keyboard.press("ArrowLeft")
        wait_for_link(page, text=DOG, layer="5", head="11")
        expect(page.locator(".query").nth(2)).to_contain_text("dog")
        exact_head(page, 5, 11)
        expect(head(page, 5, 11)).to_be_focused()
        with wire.late(late_ms):
            submit(page, CAT)
            page.locator(".query").nth(2).click()  # a word of the sentence before
            head(page, 1, 1).click()
            head(page, 2, 2).click()
        expect(page.locator(".query").nth(2)).to_contain_text("cat")
        exact_head(page, 2, 2)
        wait_for_link(page, text=CAT, layer="2", head="2")
        assert link(page)["token"] != "3"
        with wire.late(late_ms):
            page.locator(".st-key-example-menu button").first.click()
            page.get_by_role("menuitem", name="Verb far from").click()
            head(page, 1, 3).click()
        expect(text_box(page)).to_have_value(KEYS)
        exact_head(page, 4, 2)  # its own
        wait_for_link(page, text=KEYS, layer="4", head="2")
        with wire.late(late_ms):
            head(page, 1, 4).click()
            page.locator(".st-key-text-box-show button").click()  # the sentence that is shown, once more
            page.locator(".query").nth(2).click()
        settle(page)
        exact_head(page, 1, 4)
        wait_for_link(page, text=KEYS, layer="1", head="4", token="3")


@pytest.mark.parametrize("late_ms", LATE_MS)
def test_what_is_chosen_in_two_boxes_one_after_the_other_counts_in_both(page_for, late_ms):
    wire = Wire()
    page = page_for("", before=wire.take)
    with wire.late(late_ms):
        wire.begun(page.locator(".st-key-example-agreement button").click)
        box(page, "size-box").locator("label").click()
    wait_for_link(page, text=KEYS, size="projector")
    expect(text_box(page)).to_have_value(KEYS)
    expect(page.locator(".home .told-of")).to_contain_text("keys")
    with wire.late(late_ms):
        wire.begun(page.locator(".st-key-example-repeats button").click)
        submit(page, DOG)  # in the box of before
        box(page, "size-box").locator("label").click()
    wait_for_link(page, size=None, text=DOG)
    expect(text_box(page)).to_have_value(DOG)
    page.get_by_test_id("stTopNav").get_by_role("link", name="Heads").click()
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    dog = page.evaluate("navigation.currentEntry.index")
    with wire.late(late_ms):
        page.get_by_role("combobox", name="Model").click()
        page.get_by_role("option", name="Reverse").click()
        submit(page, "drawer")
        box(page, "language-box").get_by_text("繁體中文").click()
    wait_for_link(page, model="reverse", text="drawer", lang="zh-TW", layer="1", head="2")
    expect(text_box(page)).to_have_value("drawer")
    expect(box(page, "model-box").locator("input")).to_have_value(re.compile("倒序"))
    expect(page.locator(".av-quiet")).to_have_count(0)
    with wire.late(late_ms):
        submit(page, "deliver")
        page.wait_for_timeout(100)
        # Back: one entry, or two where the example of that model was answered before the text that was typed
        page.evaluate("dog => history.go(dog - navigation.currentEntry.index)", dog)
    settle(page)
    wait_for_link(page, text=DOG)
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    expect(text_box(page)).to_have_value(DOG)


def test_what_is_asked_for_again_behind_others_is_drawn_and_has_numbers_that_were_on_their_way_before(page_for):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    wire.hold()
    for text in ("Birds sing.", "Fish swim.", "Dogs bark.", CAT):
        submit(page, text)
        wire.wait_until_answered()
    wire.release()
    expect(page.locator(".query").nth(2)).to_contain_text("cat")

    held = []
    page.route("**/api/heads/exact", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/heads/exact"):
        head(page, 1, 4).click()
    submit(page, DOG)
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    exact_head(page, 1, 4)
    held[0].continue_()
    settle(page)
