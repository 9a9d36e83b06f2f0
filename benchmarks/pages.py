"""What a person waits for in a page (a new sentence, another head, a step), and what travels."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from statistics import median

import numpy as np
from playwright.sync_api import Browser, Page, Response, sync_playwright

from benchmarks.people import WORDS
from benchmarks.table import Row, p95
from tests.browser import live
from tests.browser.conftest import address, new_picture, ready
from tests.browser.dashboard import text_box

MB, KB = 1e6, 1e3
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
    box = text_box(page).last
    box.fill(text)
    listen(page, "keydown", "[data-ready]", "data-ready")
    box.press("Enter")
    (milliseconds,) = painted(page, 1)
    new_picture(page, before)
    return milliseconds / 1000


def measure() -> list[Row]:
    with live.serve() as server, chromium() as browser:
        return [*new_sentences(server.url, browser), *other_heads(server.url, browser), *steps(server.url, browser)]


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


TEXTS = {
    64: {"text": " ".join(["one two three four five six seven eight nine ten"] * 6 + ["one two"])},
    4096: {"model": "untrained-decoder", "text": "a " * 4095},
}
TARGETS_MB = {64: 0.6, 4096: None}
TARGETS_MS = {64: 150, 4096: 250}


def other_heads(url: str, browser: Browser) -> list[Row]:
    """What travels when the Heads page is opened, and from a key that picks another head to its exact numbers."""
    rows = []
    for tokens, asked in TEXTS.items():
        page = blank(browser)
        told: list[int] = []
        page.on("websocket", lambda socket, to=told: socket.on("framereceived", lambda it: to.append(len(it))))
        page.goto(address(url, "heads", asked))
        ready(page)
        rows.append(Row(f"Heads page told, {tokens} tokens, all heads", sum(told) / MB, TARGETS_MB[tokens], "MB"))
        n_told = len(told)
        answers = _picks(page)
        rows.append(p95(f"a pick to exact numbers, {tokens} tokens", painted(page, 1), TARGETS_MS[tokens], "ms"))
        note = f"{len(told) - n_told} messages of the script"
        rows.append(Row(f"another head's exact numbers, {tokens} tokens", max(answers) / MB, None, "MB", note))
        page.close()
    return rows


def _picks(page: Page) -> list[int]:
    """Walk over heads with the arrow keys; returns the bytes of every answer."""
    answers: list[Response] = []
    page.on("response", lambda response: answers.append(response) if "/api/heads/exact" in response.url else None)
    heads = page.locator(".heads")
    page.locator(".grid [tabindex='0']").first.focus()
    for key in ["ArrowLeft"] * 12 + ["ArrowUp"] * 6:  # into the corner
        page.keyboard.press(key)
    page.wait_for_timeout(1000)
    listen(page, "keydown", ".heads[data-exact]", "data-head")
    is_right = True
    for n in range(1, ROUNDS + 1):
        before = heads.get_attribute("data-head")
        page.keyboard.press("ArrowRight" if is_right else "ArrowLeft")
        if heads.get_attribute("data-head") == before:  # the end of a row of heads
            is_right = not is_right
            page.keyboard.press("ArrowDown")
            if heads.get_attribute("data-head") == before:
                break
        painted(page, n)
        page.wait_for_timeout(150)
    return [len(response.body()) for response in answers]


SENTENCE = "She does not want to buy two books ."  # 9 tokens and the mark at the end
SENTENCES = {"translate-en-zh": SENTENCE, "minilm-l6": "The cat sat on the mat today."}  # 10 tokens each
TABS = ("self", "heads", "block", "decoder")


def steps(url: str, browser: Browser) -> list[Row]:
    """Of Step through: what travels for 10 tokens, and the time from a key or a switch to the frame that shows it."""
    rows = []
    for model, tab in product(SENTENCES, TABS):
        page = blank(browser)
        answers: list[Response] = []
        page.on("response", lambda it, to=answers: to.append(it) if "/api/step/" in it.url else None)
        page.goto(address(url, "step", {"model": model, "text": SENTENCES[model], "tab": tab}))
        ready(page)
        page.wait_for_timeout(500)
        claim = f"Step through, its picture, {model}, tab {tab}"
        rows.append(Row(claim, max(len(it.body()) for it in answers) / KB, 150, "kB", "10 tokens"))
        page.close()
    page = blank(browser)
    page.goto(
        address(url, "step", {"model": "translate-en-zh", "text": SENTENCE, "matrix": "raw", "token": "2", "key": "2"})
    )
    ready(page)
    page.wait_for_timeout(500)
    keys = ["ArrowRight", "ArrowLeft"] * (ROUNDS // 2)
    stepped = ("keydown", ".stepper", "data-step")
    rows.append(_row(page, "a step to painted", stepped, lambda at: page.keyboard.press(keys[at])))
    switch = page.locator(".whatif .switch", has_text="Causal mask")
    drawn = ("pointerup", ".stepper", "data-ready")
    rows.append(_row(page, "a what-if to painted", drawn, lambda at: switch.click()))
    return rows


def _row(page: Page, claim: str, listened: tuple[str, str, str], act: Callable[[int], None]) -> Row:
    listen(page, *listened)
    for at in range(ROUNDS):
        act(at)
        times = painted(page, at + 1)
        page.wait_for_timeout(100)
    note = f"median of {len(times)}; p95 {np.percentile(times, 95, method='inverted_cdf'):.0f} ms"
    return Row(f"Step through, {claim}", median(times), 100, "ms", note)
