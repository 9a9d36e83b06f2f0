"""What the benchmarks do in a page: open it, type a sentence, wait for its picture."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import live
from tests.browser.conftest import new_picture, ready

SIZE = (1440, 900)
# From Enter to the frame after which the first view shows another picture.
LISTEN = """() => {
  const find = (root) => root.querySelector('[data-ready]')
    ?? [...root.querySelectorAll('*')].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  let view = find(document);
  const before = view.dataset.ready;
  window.painted = new Promise((done) => document.addEventListener('keydown', ({timeStamp}) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - timeStamp);
    const look = () => {
      if (!view?.isConnected) view = find(document);
      if (view?.dataset.ready && view.dataset.ready !== before) channel.port2.postMessage(null);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, {capture: true, once: true}));
}"""


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
    """Put a new sentence in the box, press Enter, and return the seconds until its picture is painted.

    The page measures itself: between its looks Playwright reads the whole page, in the page's own thread.
    """
    before = ready(page).get_attribute("data-ready")
    box = page.locator("[class*='st-key-text-box--'] input").last
    box.fill(text)
    page.evaluate(LISTEN)
    box.press("Enter")
    milliseconds: float = page.evaluate("() => window.painted")
    new_picture(page, before)
    return milliseconds / 1000
