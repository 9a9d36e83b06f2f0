"""Bad input in the real browser: nothing executes, and what is wrong with a link is said."""

from playwright.sync_api import expect

from tests.browser.dashboard import show

DRAWN = (
    "😀🎉👩‍👩‍👧‍👦",
    "שלום עולם, مرحبا",
    "a\x00b\x07\u200b\u202eevil\u2066",
    "![x](http://x.example/y.png)",
    "</script><img src=x onerror=alert(1)>",
)


def test_strange_texts_are_text(page_for, watch):
    page = page_for("heads")
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
