"""What the benchmarks do in a page: open it, type a sentence, wait for its picture."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import live
from tests.browser.conftest import new_picture, ready

SIZE = (1440, 900)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser the tests use."""
    with sync_playwright() as playwright:
        browser = live.launch(playwright)
        yield browser
        browser.close()


def blank(browser: Browser) -> Page:
    """A page of the size the claims are made for."""
    return browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})


def type_sentence(page: Page, text: str) -> float:
    """Put a new sentence in the box, press Enter, and return the seconds until its picture is painted."""
    before = ready(page).get_attribute("data-ready")
    box = page.locator("[class*='st-key-text-box--'] input").last
    box.fill(text)
    start = time.perf_counter()
    box.press("Enter")
    new_picture(page, before)
    return time.perf_counter() - start
