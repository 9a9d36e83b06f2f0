"""A link opened in another browser shows the same picture."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, exact_head, show, text_box, wait_for_link


def test_the_copied_link_shows_the_same_picture_in_another_browser(page_for, server):
    page = page_for("heads", permissions=["clipboard-read", "clipboard-write"])
    show(page, DOG)
    page.locator(".grid button").nth(3 * 12 + 1).click()
    exact_head(page, 4, 2)
    page.locator(".query").nth(2).click()
    wait_for_link(page, layer="4", head="2", token="3")
    page.locator(".st-key-link button").click()
    expect(page.locator(".st-key-link button")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    reading = page.locator(".reading").inner_text()

    other = page_for(copied.removeprefix(f"{server.url}/"))
    exact_head(other, 4, 2)
    assert other.locator(".reading").inner_text() == reading
    expect(text_box(other)).to_have_value(DOG)
    assert urlsplit(other.url).path == "/heads"


def test_going_back_shows_the_head_before(page_for):
    page = page_for("heads")
    page.locator(".grid button").nth(0).click()
    exact_head(page, 1, 1)
    wait_for_link(page, layer="1", head="1")
    page.go_back()
    wait_for_link(page, layer="6", head="12")
    exact_head(page, 6, 12)


def test_a_released_token_stays_released_in_a_link_after_a_reload_and_on_another_page(page_for):
    page = page_for("heads")
    page.locator(".query").nth(2).click()
    wait_for_link(page, token="3")
    page.keyboard.press("Escape")
    wait_for_link(page, token="none")
    page.reload()
    ready(page)
    wait_for_link(page, token="none")
    expect(page.locator(".reading")).to_contain_text("On average")
    page.go_back()
    wait_for_link(page, token="3")
    expect(page.locator(".reading")).to_contain_text("cat")
