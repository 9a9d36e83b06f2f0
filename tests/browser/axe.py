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
    if page.locator(".stApp").count():
        settle(page)
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.wait_for_function(IS_STILL, arg="dark" if is_dark else "light")
    found = Axe().run(page).response["violations"]
    if not in_both_themes:
        return _said(found)
    theme = "light" if is_dark else "dark"
    n_views, n_said = (
        page.locator("[data-ready][data-theme]").count(),
        len(before := page.locator(PLOTTED).evaluate_all(INKS)),
    )
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    expect(page.locator(f"[data-ready][data-theme={theme}]")).to_have_count(n_views)

    def are_in_it() -> bool:
        inks = page.locator(PLOTTED).evaluate_all(INKS)
        return len(inks) == n_said and set(inks).isdisjoint(before)

    comes_to(are_in_it, True)  # charts of plotly's have their colours from the server
    page.wait_for_function(IS_STILL, arg=theme)
    found += Axe().run(page, options=CONTRAST).response["violations"]
    return _said(found)


def _said(found: list[dict[str, Any]]) -> list[str]:
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:160]}" for rule in found for node in rule["nodes"]]
