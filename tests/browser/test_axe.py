"""What axe finds on a page, in both themes; nothing on one with an error and an open list, nor on one of prose."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

CONTRAST = {"runOnly": ["color-contrast"]}  # all that another theme can change


def findings(page: Page, *, in_both_themes: bool = True) -> list[str]:
    """What axe finds on a page as it is, and what it finds of its colours in the other theme, which it then has."""
    found = Axe().run(page).response["violations"]
    if not in_both_themes:
        return _said(found)
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    themed = page.locator("[data-ready][data-theme]")
    if themed.count():
        expect(themed.first).to_have_attribute("data-theme", "light" if is_dark else "dark")
    page.wait_for_function("() => document.getAnimations().every((it) => it.playState !== 'running')")
    found += Axe().run(page, options=CONTRAST).response["violations"]
    return _said(found)


def _said(found: list[dict[str, Any]]) -> list[str]:
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:160]}" for rule in found for node in rule["nodes"]]


def test_axe_finds_nothing_on_heads_and_about(page_for):
    page = page_for("heads", query={"text": ""})
    expect(page.locator(".av-line")).to_be_visible()
    expect(page.locator("[data-ready]").first).to_be_visible()
    page.locator(".st-key-token-table button").click()
    expect(page.locator(".av-tokens")).to_be_visible()
    assert findings(page) == []
    page.goto(page.url.replace("/heads?", "/about?"))
    expect(page.locator(".av-prose").nth(3)).to_be_visible()
    assert findings(page) == []
