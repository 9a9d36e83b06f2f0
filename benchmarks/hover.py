"""Hover over the tokens of the lines view: from the pointer's event to the frame that shows it."""

from benchmarks.page import blank, chromium
from benchmarks.table import Row, p95
from tests.browser.conftest import address, ready
from tests.browser.live import serve

ROUNDS = 4
# A message posted from an animation frame is delivered after that frame was painted.
LISTEN = """() => {
  window.hovered = [];
  const channel = new MessageChannel();
  const pending = [];
  channel.port1.onmessage = () => window.hovered.push(performance.now() - pending.shift());
  document.addEventListener('pointermove', (event) => {
    requestAnimationFrame(() => { pending.push(event.timeStamp); channel.port2.postMessage(0); });
  }, true);
}"""
SENTENCES = {
    13: "The cat sat on the mat because it was tired.",
    64: " ".join(["one two three four five six seven eight nine ten"] * 6 + ["one two"]),
}


def measure() -> list[Row]:
    rows = []
    with serve() as server, chromium() as browser:
        for tokens, text in SENTENCES.items():
            page = blank(browser)
            page.goto(address(server.url, "heads", {"text": text}))
            ready(page, timeout_ms=60_000)
            page.evaluate(LISTEN)
            shown = page.locator("button.query")
            boxes = [box for box in (node.bounding_box() for node in shown.all()) if box and box["y"] + 9 < 780]
            for _ in range(ROUNDS):
                for box in boxes:
                    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                    page.evaluate("() => new Promise(requestAnimationFrame)")
            times = page.evaluate("() => window.hovered")
            rows.append(p95(f"hover to painted, {tokens} tokens", times, 33, "ms", "; one frame is 16.7 ms"))
            page.close()
    return rows
