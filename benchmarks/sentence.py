"""A new sentence, from Enter to its picture painted, on the Home and the Heads page of a warm server."""

from benchmarks.page import blank, chromium, type_sentence
from benchmarks.people import WORDS
from benchmarks.table import Row, p95
from tests.browser.conftest import ready
from tests.browser.live import serve


def measure() -> list[Row]:
    rows = []
    with serve() as server, chromium() as browser:
        for name, path, target in (("Home", "", 0.6), ("Heads", "heads", 0.3)):
            page = blank(browser)
            page.goto(f"{server.url}/{path}")
            ready(page)
            seconds = [
                type_sentence(page, f"On the {name} page the {noun} was older than the people who talked about it.")
                for noun in WORDS
            ]
            page.close()
            rows.append(p95(f"a new sentence to painted, {name} page", seconds, target, "s"))
    return rows
