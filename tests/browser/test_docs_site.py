"""The docs as a site: it builds without a warning, tours and gallery run in it, no page asks for anything elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.live import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make docs` builds it; a cell that fails, a broken link and a name without a docstring end it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert built.returncode == 0, built.stderr[-2000:]
    return folder


def test_every_page_opens_from_the_disk_and_asks_nobody_else(site: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]  # which is for a server's root
    assert {path.stem for path in pages} == {"index", *(path.stem for path in DOCS.iterdir() if path.suffix != ".png")}
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth)"), path.name
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == [] and errors == []
    page.close()


def test_the_gallery_shows_what_its_entries_made(site: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto((site / "gallery.html").as_uri())
    entries, pictures = page.locator("article h2"), page.locator("article iframe")
    assert entries.count() == page.locator("article .highlight").count() - 1  # one prints
    assert pictures.count() + page.locator("article table.dataframe").count() == entries.count() - 1
    for frame in pictures.all():
        frame.content_frame.locator("[data-ready]").first.wait_for()
    page.close()


@pytest.mark.parametrize("name", ["tour", "tour.zh-CN"])
def test_a_tour_runs_from_a_text_to_a_finding(site: Path, chromium: Browser, name: str) -> None:
    page = chromium.new_page()
    page.goto((site / f"{name}.html").as_uri())
    printed = page.locator("article").inner_text()
    assert re.search(r"^\s*0\.71  encoder\.5\.self head 11$", printed, re.MULTILINE)  # what the text goes on with
    assert printed.index("encoder.3.self head 1\n") < printed.index("encoder.5.self head 4\n")  # in second place
    pictures = page.locator("article iframe")
    assert pictures.count() == 3
    for frame in pictures.all():
        frame.content_frame.locator("[data-ready]").first.wait_for()
    page.close()
