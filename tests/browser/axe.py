"""What axe finds on a page, in both themes; nothing, where a page is as it should be."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.dashboard import comes_to, settle

PLOTTED = ".js-plotly-plot:visible :is(.xtick, .ytick) text"
INKS = "all => all.map((one) => getComputedStyle(one).fill)"
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}  # all that another theme can change
# What opened has its colours, and pop-ups have those of the theme: the document has it a frame later than the app
IS_STILL = """(theme) => (document.documentElement.style.colorScheme || theme) === theme &&
  document.getAnimations().every((it) => it.playState !== 'running')"""


def findings(page: Page, *, in_both_themes: bool = True) -> list[str]:
    """What axe finds on a page as it is, and what it finds of its colours in the other theme, which it then has."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    here, other = ("dark", "light") if is_dark else ("light", "dark")
    _wait_until_drawn(page, here)
    found = Axe().run(page).response["violations"]
    if not in_both_themes:
        return _said(found)
    before = page.locator(PLOTTED).evaluate_all(INKS)
    page.emulate_media(color_scheme=other)  # type: ignore[arg-type]

    def have_charts_followed() -> bool:
        inks = page.locator(PLOTTED).evaluate_all(INKS)
        return len(inks) == len(before) and set(inks).isdisjoint(before)

    comes_to(have_charts_followed, True)  # they have their colours from the server
    _wait_until_drawn(page, other)
    found += Axe().run(page, options=CONTRAST).response["violations"]
    return _said(found)


def _wait_until_drawn(page: Page, theme: str) -> None:
    if page.locator(".stApp").count():
        settle(page)
    expect(page.locator("[data-busy]")).to_have_count(0)  # which is dim
    expect(page.locator(f".attnviz[data-layout]:not([data-ready][data-theme={theme}]):visible")).to_have_count(0)
    page.wait_for_function(IS_STILL, arg=theme)


def _said(found: list[dict[str, Any]]) -> list[str]:
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:160]}" for rule in found for node in rule["nodes"]]
