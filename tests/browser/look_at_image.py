"""Waits for a server, opens three pages of it in Chromium, and prints how long each took; for scripts/test_image.sh."""

import http.client
import json
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from playwright.sync_api import sync_playwright

from tests.browser.live import launch, wait_until

LONG = "The cat sat on the mat because it was tired, and the dog lay beside it. " * 12


def main(url: str, *interrupt: str) -> None:
    started = time.perf_counter()
    for path in ("healthz", "readyz"):
        wait_until(lambda path=path: urllib.request.urlopen(f"{url}/{path}", timeout=5).status == 200, 120)
        print(f"{path}: {time.perf_counter() - started:.1f} s")
    if interrupt:  # ask for runs until the server is gone; the file says that the first was answered
        for n in range(1000):
            body = json.dumps({"model": "minilm-l6", "text": f"{n} {LONG}", "layer": 0, "head": 0}).encode()
            ask = urllib.request.Request(f"{url}/api/heads/exact", body, {"Content-Type": "application/json"})
            try:
                urllib.request.urlopen(ask, timeout=30).read()
            except (OSError, http.client.HTTPException):
                return print(f"gone in run {n}")
            Path(interrupt[0]).touch()
        raise RuntimeError("the server was not killed")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for page, ready in (("", "[data-ready]"), ("heads", "[data-ready]"), ("step", "[data-ready]")):
            started = time.perf_counter()
            tab = browser.new_page()
            tab.goto(f"{url}/{page}")
            tab.locator(ready).first.wait_for(timeout=60_000)
            print(f"page {page or 'home'}: {time.perf_counter() - started:.1f} s to the first picture")
            tab.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
