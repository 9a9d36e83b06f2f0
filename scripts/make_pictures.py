"""Make the pictures of README.md and docs/guide.md from the real pages, each when it has drawn, as `docs/*.png`.

    .venv/bin/python scripts/make_pictures.py

Needs what `make test` installs (Playwright and the system's Chromium).
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests' own way to start the dashboard is not part of the package

from tests.browser import live  # noqa: E402

PICTURES = {  # file: the link it shows, and what says that it is drawn
    "home.png": ("", "[data-ready]"),
    "step.png": (
        "step?model=translate-en-zh&text=She+does+not+want+to+buy+two+books.&matrix=raw&token=4&key=7",
        "[data-ready]",
    ),
    "heads.png": (
        "heads?model=smollm2-135m&text=When+Mary+and+John+went+to+the+store,+John+gave+a+drink+to"
        "&layer=24&head=1&token=14",
        "[data-ready][data-exact]",
    ),
    "compare.png": ("compare?model=minilm-l6&model2=untrained:minilm-l6", "text=Over 50 sentences"),
    "training.png": ("train?task=induction", "[data-ready]"),
    "lessons.png": ("lessons", "[data-ready]"),
}


def main() -> None:
    """Take the pictures at 1440 x 900, light."""
    with live.serve(environment={"ATTNVIZ_MODELS": ""}) as server, sync_playwright() as playwright:
        browser = live.launch(playwright)
        for name, (link, drawn) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en-US")
            page.goto(f"{server.url}/{link}")
            page.wait_for_selector(drawn, timeout=120_000)
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(8000)  # small pictures come after the page
            page.screenshot(path=ROOT / "docs" / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
