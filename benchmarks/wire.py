"""What the Heads page carries over its websocket from the server, uncompressed, for a text of 64 tokens."""

from __future__ import annotations

from benchmarks.hover import SENTENCES
from benchmarks.page import blank, chromium
from benchmarks.table import Row
from tests.browser.conftest import address, ready
from tests.browser.live import serve

MB = 1e6


def measure() -> list[Row]:
    with serve() as server, chromium() as browser:
        page = blank(browser)
        frames: list[int] = []

        def size_of(payload: str | bytes) -> None:
            frames.append(len(payload if isinstance(payload, bytes) else payload.encode()))

        page.on("websocket", lambda socket: socket.on("framereceived", size_of))
        page.goto(address(server.url, "heads", {"text": SENTENCES[64]}))
        ready(page, timeout_ms=60_000)
        tokens = page.locator("button.query").count()
        opened, count = sum(frames), len(frames)
        page.locator("button.query").first.hover()
        page.keyboard.press("ArrowLeft")  # another head: only its exact numbers may follow
        page.wait_for_load_state("networkidle")
        page.locator("[data-exact]").first.wait_for()
        page.close()
    return [
        Row(f"Heads page on the wire, {tokens} tokens, all heads", opened / MB, 0.6, "MB", f"{count} frames"),
        Row("the largest of its messages", max(frames) / MB, None, "MB"),
        Row("another head's exact numbers after it", (sum(frames) - opened) / MB, None, "MB"),
    ]
