"""Home: a sentence with one head's curves at once, six examples, and four ways on with the same sentence."""

import re

from playwright.sync_api import expect

from tests.browser.dashboard import DOG, can_scroll, exact_head, submit, text_box, wait_for_link
from tests.browser.test_axe import findings

KEYS = "The keys to the old wooden cabinet are on the table."


def test_home_shows_real_attention_at_once(page_for, watch):
    page = page_for()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator(".home .reading")).to_contain_text("71%")
    expect(page.locator(".st-key-examples button")).to_have_count(6)
    expect(page.locator(".home .way")).to_have_count(4)
    assert not can_scroll(page)
    words = page.locator(".home .word")
    words.nth(3).hover()
    expect(page.locator(".home .reading")).to_contain_text("sat looks at")
    page.mouse.move(5, 5)
    expect(page.locator(".home .reading")).to_contain_text("it looks at")
    words.nth(5).focus()
    expect(page.locator(".home .reading")).to_contain_text("the looks at")
    page.keyboard.press("Enter")
    words.nth(6).focus()
    page.keyboard.press("Tab")
    expect(words.nth(5)).to_have_attribute("aria-pressed", "true")
    wait_for_link(page, word="6")
    page.reload()
    expect(page.locator(".home .reading")).to_contain_text("the looks at")
    expect(words.nth(5)).to_have_attribute("aria-pressed", "true")
    stops = []
    for _ in range(24):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.tagName"))
    assert "MAIN" not in stops and "SECTION" not in stops  # each stop is something to press
    page.locator(".st-key-example-agreement button").click()
    expect(page.locator(".home .reading")).to_contain_text("keys")
    expect(text_box(page)).to_have_value(KEYS)
    assert findings(page) == []
    assert watch.errors == []


def test_each_way_leads_on_with_the_sentence_and_back_again(page_for, watch):
    page = page_for()
    page.locator(".home .way[href^='heads']").click()
    exact_head(page, 6, 12)  # the head that was shown
    wait_for_link(page, layer="6", head="12", token="9")
    page.go_back()
    expect(page.locator(".home .reading")).to_contain_text("71%")
    submit(page, DOG)
    expect(page.locator(".home .word").nth(2)).to_contain_text("dog")
    for way, name, value in (
        ("heads", "text", DOG),
        ("compare", "both", DOG),
        ("train", "task", "induction"),
        ("step", "say", DOG),
    ):
        page.locator(f".home .way[href^='{way}']").click()
        expect(page).to_have_url(re.compile(f"/{way}"))
        wait_for_link(page, **{name: value})
        page.go_back()
        expect(page.locator(".home .word").nth(2)).to_contain_text("dog")
    assert watch.errors == []
