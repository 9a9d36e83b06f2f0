"""What every page stands on: its own fonts, and nothing fetched from anybody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PageFactory, Watch

# The theme that a page is opened in, and the one that the system then turns to.
PAGES = (("", ("light", "dark")), ("heads", ("dark", "light")), ("about", ("light", "dark")))
BACKGROUND = {"light": "rgb(250, 250, 247)", "dark": "rgb(16, 19, 23)"}


@pytest.mark.parametrize(("path", "themes"), PAGES)
def test_a_page_follows_the_theme_of_the_system_asks_no_other_host_and_reports_no_error(
    page_for: PageFactory, watch: Watch, path: str, themes: tuple[str, str]
) -> None:
    page = page_for(path, theme=themes[0], wait=path != "about")
    for theme in themes:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.get_by_role("link", name="About").first.wait_for()
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", BACKGROUND[theme])
    assert len(watch.requests) > 10  # the watch is awake
    assert watch.foreign == []
    assert watch.errors == []


def test_text_is_set_in_inter_served_by_ourselves_and_digits_can_be_of_one_width(
    page_for: PageFactory, watch: Watch
) -> None:
    page = page_for("heads")
    loaded = page.evaluate(
        "document.fonts.ready.then(() => [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family))"
    )
    assert "Inter" in loaded
    assert [url for url in watch.requests if url.endswith("/app/static/fonts/Inter.woff2")]
    family = page.locator("[data-ready]").first.evaluate("(root) => getComputedStyle(root).fontFamily")
    assert family.startswith("Inter")

    # Of one width with tnum and of two without: the feature survived the cut of the font.
    widths = page.evaluate(
        """() => ['"tnum" 1', '"tnum" 0'].map((features) => ['1111', '8888'].map((text) => {
          const probe = document.createElement('span');
          probe.style.cssText = `font: 400 40px Inter; position: absolute; font-feature-settings: ${features}`;
          probe.textContent = text;
          document.body.append(probe);
          const {width} = probe.getBoundingClientRect();
          probe.remove();
          return width;
        }))"""
    )
    assert widths[0][0] == widths[0][1]
    assert widths[1][0] < widths[1][1]
