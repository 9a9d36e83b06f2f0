"""What a person waits for in a page: a new sentence, a step, a what-if."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.people import WORDS
from benchmarks.table import Row, p95
from tests.browser import live
from tests.browser.conftest import address, new_picture, ready

ROUNDS = 20
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


def measure() -> list[Row]:
    with live.serve() as server, chromium() as browser:
        return [*new_sentences(server.url, browser), *steps(server.url, browser)]


def new_sentences(url: str, browser: Browser) -> list[Row]:
    """From Enter to the picture painted, on the Home and the Heads page of a warm server."""
    rows = []
    for name, path, target in (("Home", "", 0.6), ("Heads", "heads", 0.3)):
        page = blank(browser)
        page.goto(f"{url}/{path}")
        ready(page)
        seconds = [
            type_sentence(page, f"On the {name} page the {noun} was older than the people who talked about it.")
            for noun in WORDS
        ]
        page.close()
        rows.append(p95(f"a new sentence to painted, {name} page", seconds, target, "s"))
    return rows


def steps(url: str, browser: Browser) -> list[Row]:
    """Of Step through: the time from a key or a switch to the frame that shows it."""
    page = blank(browser)
    asked = {"on": "translate-en-zh", "say": "She does not want to buy two books .", "cell": "raw~2~2~1"}
    page.goto(address(url, "step", asked))
    ready(page)
    page.wait_for_timeout(500)
    keys = ["ArrowRight", "ArrowLeft"] * (ROUNDS // 2)
    stepped = ("keydown", ".stepper", "data-step")
    switch = page.locator(".whatif .switch", has_text="Causal mask")
    drawn = ("pointerup", ".stepper", "data-ready")
    return [
        _row(page, "a step to painted", stepped, lambda at: page.keyboard.press(keys[at])),
        _row(page, "a what-if to painted", drawn, lambda at: switch.click()),
    ]


def _row(page: Page, claim: str, listened: tuple[str, str, str], act: Callable[[int], None]) -> Row:
    listen(page, *listened)
    for at in range(ROUNDS):
        act(at)
        times = painted(page, at + 1)
        page.wait_for_timeout(100)
    note = f"median of {len(times)}; p95 {np.percentile(times, 95, method='inverted_cdf'):.0f} ms"
    return Row(f"Step through, {claim}", median(times), 100, "ms", note)
