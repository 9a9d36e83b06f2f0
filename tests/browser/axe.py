"""What axe finds on a page, in both themes; nothing, where a page is as it should be."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}  # all that another theme can change


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
