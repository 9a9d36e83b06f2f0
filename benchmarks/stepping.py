"""Step through: what travels for 10 tokens, and the time from a key or a switch to the frame that shows it."""

from collections.abc import Callable
from itertools import product
from statistics import median

import numpy as np
from playwright.sync_api import Page, Response

from benchmarks.page import blank, chromium, listen, painted
from benchmarks.table import Row
from tests.browser.conftest import address, ready
from tests.browser.live import serve

SENTENCE = "She does not want to buy two books ."  # 9 tokens and the mark at the end
SENTENCES = {"translate-en-zh": SENTENCE, "minilm-l6": "The cat sat on the mat today."}  # 10 tokens each
ROUNDS = 20
TABS = ("self", "heads", "block", "decoder")
KB = 1e3


def measure() -> list[Row]:
    rows = []
    with serve() as server, chromium() as browser:
        for model, tab in product(SENTENCES, TABS):
            page = blank(browser)
            answers: list[Response] = []
            page.on("response", lambda it, to=answers: to.append(it) if "/api/step/" in it.url else None)
            page.goto(address(server.url, "step", {"on": model, "say": SENTENCES[model], "tab": tab}))
            ready(page)
            page.wait_for_timeout(500)
            claim = f"Step through, its picture, {model}, tab {tab}"
            rows.append(Row(claim, max(len(it.body()) for it in answers) / KB, 150, "kB", "10 tokens"))
            page.close()
        page = blank(browser)
        page.goto(address(server.url, "step", {"on": "translate-en-zh", "say": SENTENCE, "cell": "raw~2~2~1"}))
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
