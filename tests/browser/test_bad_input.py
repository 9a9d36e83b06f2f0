"""Bad input in the real browser: nothing executes, the last good picture and the typed text both stay."""

from playwright.sync_api import expect

from tests.browser.dashboard import DOG, show, submit, text_box

REFUSED = {
    "": "There is no text",
    "   ": "There is no text",
    "word " * 2000: "10,000 characters are too many",
    "\u200b\u200d": "drops every character of this text",
}
DRAWN = (
    "😀🎉👩‍👩‍👧‍👦",
    "שלום עולם, مرحبا",
    "a\x00b\x07\u200b\u202eevil\u2066",
    "![x](http://x.example/y.png)",
    "</script><img src=x onerror=alert(1)>",
)


def test_texts_that_cannot_be_shown_leave_the_picture_and_the_typed_text_and_strange_ones_are_text(page_for, watch):
    page = page_for("heads")
    revision = show(page, DOG)
    for text, words in REFUSED.items():
        submit(page, text)
        expect(page.locator(".av-line")).to_contain_text(words)
        expect(text_box(page)).to_have_value(text)
        expect(page.locator("[data-ready]").first).to_have_attribute("data-ready", revision)
        expect(page.locator(".query").nth(2)).to_contain_text("dog")
    for text in DRAWN:
        show(page, text)
        expect(page.locator(".av-line")).to_have_count(0)
    expect(page.locator(".query").filter(has_text="alert")).to_have_count(1)
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_contain_text("alert")
    assert page.locator(".av-tokens img, .attnviz img").count() == 0
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert watch.errors == []


def test_a_link_that_was_corrected_is_said_also_in_a_tab_that_was_here_before(page_for, server):
    page = page_for("heads")
    page.goto(f"{server.url}/heads?model=nope")
    expect(page.locator(".av-line")).to_contain_text("no model named nope")
    page.wait_for_timeout(1500)  # the browser has said by then what it kept, and the page was drawn again
    expect(page.locator(".av-line")).to_contain_text("no model named nope")
