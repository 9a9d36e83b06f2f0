"""Installed `make app` to the attention of a typed sentence on screen; the browser is already open."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from benchmarks.pages import blank, chromium, type_sentence
from benchmarks.table import Row
from tests.browser.conftest import ready
from tests.browser.live import ROOT, free_port, wait_for_health

RUNS = 3


def measure() -> list[Row]:
    subprocess.run(["make", "install"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with chromium() as browser:
        answered, first, typed = zip(*(_one_start(browser) for _ in range(RUNS)), strict=True)
    claims = (
        ("the server's answer", answered, None), ("the first picture", first, None),
        ("attention of a typed sentence on screen", typed, 10),
    )  # fmt: skip
    return [
        Row(f"make app to {what}", median(times), target, "s", f"median of {RUNS}, worst {max(times):.1f} s")
        for what, times, target in claims
    ]


def _one_start(browser: Browser) -> tuple[float, float, float]:
    """Seconds from the command to the server's answer, to the first picture, and to the typed sentence's picture."""
    port = free_port()
    log = Path(tempfile.mkdtemp()) / "server.log"
    start = time.perf_counter()
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["make", "app", f"PORT={port}"], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"}, start_new_session=True,
        )  # fmt: skip
    try:
        wait_for_health(f"http://127.0.0.1:{port}", process, log, 60)
        answered = time.perf_counter() - start
        page = blank(browser)
        page.goto(f"http://127.0.0.1:{port}")
        ready(page)
        first = time.perf_counter() - start
        type_sentence(page, "The old clock on the wall stopped when nobody was looking.")
        typed = time.perf_counter() - start
        page.close()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)
    return answered, first, typed
