"""What axe finds on a page, in both themes; nothing, where a page is as it should be."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}  # all that another theme can change
# What opened has its colours, and pop-ups have those of the theme: the document has it a frame later than the app
IS_STILL = """(theme) => (document.documentElement.style.colorScheme || theme) === theme &&
  document.getAnimations().every((it) => it.playState !== 'running')"""


def findings(page: Page, *, in_both_themes: bool = True) -> list[str]:
    """What axe finds on a page as it is, and what it finds of its colours in the other theme, which it then has."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.wait_for_function(IS_STILL, arg="dark" if is_dark else "light")
    found = Axe().run(page).response["violations"]
    if not in_both_themes:
        return _said(found)
    theme = "light" if is_dark else "dark"
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    expect(page.locator(f"[data-ready][data-theme]:not([data-theme={theme}])")).to_have_count(0)
    page.wait_for_function(IS_STILL, arg=theme)
    found += Axe().run(page, options=CONTRAST).response["violations"]
    return _said(found)


def _said(found: list[dict[str, Any]]) -> list[str]:
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:160]}" for rule in found for node in rule["nodes"]]
