"""Heads: what a person does while the server is at work is not lost, and picture, link and boxes agree in the end."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.dashboard import DOG, choose_example, exact_head, link, settle, submit, text_box, wait_for_link
from tests.browser.wire import Wire

SETTLED_MS = 400  # a selection that rested this long was told
KEYS = "The keys to the old wooden cabinet are on the table."
PRESS_MS = 80  # how long a person holds a button down


def head(page, layer, head):
    """The button of a head, from 1."""
    return page.locator(".grid button").nth((layer - 1) * 12 + head - 1)


@pytest.mark.parametrize("rest_ms", [0, SETTLED_MS])
def test_a_head_picked_while_a_sentence_is_drawn_is_the_one_it_opens_at(page_for, watch, rest_ms):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    before = page.locator("[data-ready]").get_attribute("data-ready")
    wire.hold()
    submit(page, DOG)
    head(page, 6, 12).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(rest_ms)
    wire.release()
    wait_for_link(page, text=DOG, layer="5", head="11")
    expect(exact_head(page, 5, 11)).not_to_have_attribute("data-ready", before)
    expect(head(page, 5, 11)).to_be_focused()
    page.keyboard.press("ArrowUp")
    exact_head(page, 4, 11)
    wait_for_link(page, layer="4", head="11")
    assert watch.errors == []


def test_a_word_pinned_while_another_sentence_is_drawn_is_not_pinned_in_it(page_for, watch):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    wire.hold()
    submit(page, DOG)
    page.locator(".query").nth(2).click()
    page.wait_for_timeout(SETTLED_MS)
    wire.wait_until_answered()
    wire.release()
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    page.wait_for_timeout(SETTLED_MS)
    assert link(page)["token"] != "3"
    reading = page.locator(".reading").inner_text()
    page.reload()
    exact_head(page, 6, 12)
    expect(page.locator(".reading")).to_have_text(reading)
    assert watch.errors == []


@pytest.mark.parametrize("rest_ms", [0, SETTLED_MS])
def test_an_example_opens_at_its_own_head_whatever_is_picked_before_it_comes(page_for, watch, rest_ms):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    wire.hold()
    choose_example(page, "Verb far from")
    head(page, 1, 3).click()
    page.wait_for_timeout(rest_ms)
    wire.release()
    expect(text_box(page)).to_have_value(KEYS)
    exact_head(page, 4, 2)
    wait_for_link(page, layer="4", head="2")
    page.wait_for_timeout(SETTLED_MS)
    exact_head(page, 4, 2)
    wait_for_link(page, layer="4", head="2")
    assert watch.errors == []


def test_a_head_picked_right_before_another_page_is_opened_is_picked_there(page_for, watch):
    page = page_for("heads")
    head(page, 2, 7).click()
    for name in ("About", "Heads"):
        page.get_by_test_id("stTopNav").get_by_role("link", name=name).click(delay=PRESS_MS)
        settle(page)
    exact_head(page, 2, 7)
    wait_for_link(page, layer="2", head="7")
    assert watch.errors == []


def test_what_is_pinned_stays_where_the_shown_sentence_is_asked_for_again(page_for, watch):
    page = page_for("heads")
    page.locator(".query").nth(2).click()
    wait_for_link(page, token="3")
    page.locator(".st-key-text-box-show button").click()
    settle(page)
    assert link(page)["token"] == "3"
    assert watch.errors == []


def test_two_heads_one_after_the_other_while_the_server_is_slow(page_for, watch):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    wire.hold()
    head(page, 1, 1).click()
    page.wait_for_timeout(SETTLED_MS)
    head(page, 2, 2).click()
    page.wait_for_timeout(SETTLED_MS)
    wire.release()
    exact_head(page, 2, 2)
    wait_for_link(page, layer="2", head="2")
    assert watch.errors == []


def test_a_model_and_a_sentence_at_once(page_for, watch):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    wire.hold()
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="Reverse").click()
    submit(page, "drawer")
    wire.wait_until_answered()
    wire.release()
    wait_for_link(page, model="reverse", text="drawer", layer="1", head="2")
    expect(page.locator(".title").first).to_contain_text("Reverse")
    expect(text_box(page)).to_have_value("drawer")
    expect(page.locator(".av-quiet")).to_have_count(0)
    assert watch.errors == []


@pytest.mark.parametrize("rest_ms", [0, SETTLED_MS])
def test_an_example_stays_where_another_box_is_changed_before_it_comes(page_for, watch, rest_ms):
    wire = Wire()
    page = page_for("", before=wire.take)
    wire.hold()
    page.locator(".st-key-example-agreement button").click()
    page.wait_for_timeout(rest_ms)
    page.locator("[class*='st-key-size-box--'] label").click()
    wire.wait_until_answered()
    wire.release()
    expect(text_box(page)).to_have_value(KEYS)
    wait_for_link(page, text=KEYS, size="projector")
    expect(page.locator(".home .reading")).to_contain_text("keys")
    page.locator("[class*='st-key-size-box--'] label").click()
    page.wait_for_function("() => !new URLSearchParams(location.search).has('size')")
    assert link(page)["text"] == KEYS
    submit(page, DOG)
    wait_for_link(page, text=DOG)
    assert watch.errors == []


def test_the_model_menu_speaks_the_language_of_the_page(page_for, watch):
    page = page_for("heads")
    menu = page.get_by_role("combobox", name="Model")
    menu.click()
    page.get_by_role("option", name="Reverse").click()
    wait_for_link(page, model="reverse")
    page.locator("[class*='st-key-language-box--']").get_by_text("繁體中文").click()
    wait_for_link(page, lang="zh-TW", model="reverse")
    expect(page.locator("[class*='st-key-model-box--'] input")).to_have_value(re.compile("倒序"))
    assert watch.errors == []


def test_going_back_while_a_sentence_is_drawn_shows_what_the_link_says(page_for, watch):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    first = link(page)["text"]
    submit(page, DOG)
    wait_for_link(page, text=DOG)
    wire.hold()
    submit(page, "Birds sing.")
    page.wait_for_timeout(PRESS_MS)
    page.go_back()
    wire.wait_until_answered()
    wire.release()
    expect(text_box(page)).to_have_value(link(page)["text"])
    wait_for_link(page, text=first)
    expect(page.locator(".query").nth(2)).to_contain_text("cat")
    assert watch.errors == []


def test_a_sentence_asked_for_again_behind_three_others_is_drawn(page_for, watch):
    wire = Wire()
    page = page_for("heads", before=wire.take)
    first = link(page)["text"]
    wire.hold()
    for text in ("Birds sing.", "Fish swim.", "Dogs bark.", first):
        submit(page, text)
        wire.wait_until_answered()
    wire.release()
    expect(page.locator(".query").nth(2)).to_contain_text("cat")
    submit(page, DOG)
    expect(page.locator(".query").nth(2)).to_contain_text("dog")
    assert watch.errors == []


def test_a_list_from_a_file_takes_the_place_of_the_one_before_it(page_for, watch):
    page = page_for("heads")
    page.locator("[class*='st-key-heads-section--']").get_by_text("Own sentences").click()
    box = page.locator("[class*='st-key-heads-own-text--'] textarea")
    for text in ("The dog sat.", "Birds sing.", "The dog sat."):
        page.locator(".st-key-heads-own-file input").set_input_files(
            {"name": "list.txt", "mimeType": "text/plain", "buffer": text.encode()}
        )
        expect(box).to_have_value(text)
        page.locator(".st-key-heads-own-start button").click()
    assert watch.errors == []
