"""What the benchmarks do in a page: open it, type a sentence, wait for its picture."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import live
from tests.browser.conftest import new_picture, ready

SIZE = (1440, 900)
# From an event to the frame after which what it names has changed: a message posted from a frame comes after its paint.
LISTEN = """([event, selector, attribute]) => {
  const find = (root) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  const seen = () => find(document)?.getAttribute(attribute);
  const channel = new MessageChannel();
  window.painted = [];
  window.listening?.abort();
  window.listening = new AbortController();
  let began = null, before = null;
  channel.port1.onmessage = () => {
    if (began !== null) window.painted.push(performance.now() - began);
    began = null;
  };
  const look = () => {
    if (began === null) return;
    const now = seen();
    if (now && now !== before) channel.port2.postMessage(0); else requestAnimationFrame(look);
  };
  document.addEventListener(event, ({timeStamp}) => {
    [began, before] = [timeStamp, seen()];
    requestAnimationFrame(look);
  }, {capture: true, signal: window.listening.signal});
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = live.launch(playwright)
        yield browser
        browser.close()


def blank(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})


def listen(page: Page, event: str, selector: str, attribute: str) -> None:
    """Measure from now on the time from each such event to the frame in which the attribute is another.

    The page measures itself: between its looks Playwright reads the whole page, in the page's own thread.
    """
    page.evaluate(LISTEN, [event, selector, attribute])


def painted(page: Page, n: int) -> list[float]:
    """Milliseconds of each event since `listen`, once `n` are painted."""
    page.wait_for_function(f"() => window.painted.length >= {n}")
    times: list[float] = page.evaluate("() => window.painted")
    return times


def type_sentence(page: Page, text: str) -> float:
    """Put a new sentence in the box, press Enter, and return the seconds until its picture is painted."""
    before = ready(page).get_attribute("data-ready")
    box = page.locator("[class*='st-key-text-box--'] input").last
    box.fill(text)
    listen(page, "keydown", "[data-ready]", "data-ready")
    box.press("Enter")
    (milliseconds,) = painted(page, 1)
    new_picture(page, before)
    return milliseconds / 1000
