"""The Heads page: what travels when it is opened, and from a key that picks another head to its exact numbers."""

from playwright.sync_api import Page, Response

from benchmarks.page import blank, chromium, listen, painted
from benchmarks.table import Row, p95
from tests.browser.conftest import address, ready
from tests.browser.live import serve

MB = 1e6
ROUNDS = 20
TEXTS = {
    64: {"text": " ".join(["one two three four five six seven eight nine ten"] * 6 + ["one two"])},
    4096: {"model": "untrained-decoder", "text": "a " * 4095},
}
TARGETS_MB = {64: 0.6, 4096: None}
TARGETS_MS = {64: 150, 4096: 250}


def measure() -> list[Row]:
    rows = []
    with serve() as server, chromium() as browser:
        for tokens, asked in TEXTS.items():
            page = blank(browser)
            told: list[int] = []
            page.on("websocket", lambda socket, to=told: socket.on("framereceived", lambda it: to.append(len(it))))
            page.goto(address(server.url, "heads", asked))
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
