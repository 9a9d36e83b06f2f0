"""Make the README's picture from the real page: starts the dashboard, waits until it has drawn, takes `docs/heads.png`.

    .venv/bin/python scripts/make_pictures.py

Needs what `make test` installs (Playwright and the system's Chromium).
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests' own way to start the dashboard is not part of the package

from tests.browser import live  # noqa: E402


def main() -> None:
    """Take the picture at 1440 x 900, light."""
    with live.serve() as server, sync_playwright() as playwright:
        browser = live.launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en-US")
        page.goto(f"{server.url}/heads")
        page.wait_for_selector("[data-ready][data-exact]", timeout=120_000)
        page.evaluate("document.fonts.ready")
        page.screenshot(path=ROOT / "docs" / "heads.png")
        browser.close()


if __name__ == "__main__":
    main()
