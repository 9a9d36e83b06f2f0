"""No page asks another host for anything; the `watch` fixture fails the test that does."""

from playwright.sync_api import expect

from tests.browser.dashboard import DOG, show, turn_to


def test_every_page_is_served_by_this_server_alone(page_for, watch):
    page = page_for(theme="dark")
    show(page, DOG)
    turn_to(page, "Heads")
    expect(page.locator("[data-ready]").first).to_be_visible()
    page.locator(".st-key-example-menu button").first.click()
    page.keyboard.press("Escape")
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_be_visible()
    page.keyboard.press("Escape")
    turn_to(page, "About")
    expect(page.locator(".av-prose").last).to_be_visible()
    page.get_by_test_id("stMainMenuButton").click()
    assert len(watch.requests) > 10
    assert watch.foreign == []
