"""Models that a person has are opened from the page: by keyboard, cancelled, refused, and kept over a restart."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from transformers import AutoModelForCausalLM

from tests.browser import live
from tests.browser.axe import findings
from tests.browser.conftest import ready
from tests.browser.dashboard import DOG, box, link, settle, show, text_box, wait_for_link
from tests.browser.local_http import answers, held_back
from tests.gguf_files import CASES, metadata_of, tensors_of, write
from tests.parity.tiny_models import eager_model, eager_module
from tests.parity.tiny_models import saved as saved_at
from tests.unit.pretrained.hub_stand_in import URL, StandIn
from tests.unit.pretrained.on_this_computer import trees

REPO = "someone/tiny"


class SlowHub(StandIn):
    """A hub that holds the rest of a file of weights back."""

    def __init__(self, folder: Path) -> None:
        super().__init__(REPO, folder)
        self.go = threading.Event()

    def parts(self, path: Path, whole: bytes) -> Iterator[bytes]:
        return held_back(whole, self.go) if path.suffix == ".safetensors" else iter([whole])


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a person has: a folder and a GGUF file of their own, and what Ollama keeps."""
    home = tmp_path_factory.mktemp("computer")
    saved_at(eager_model("gpt2"), home / "tiny-gpt2")
    _, kind, sizes, _ = CASES["llama"]
    module = eager_module(kind, sizes, AutoModelForCausalLM)
    made = write(home / "tiny.gguf", "llama", metadata_of("llama"), tensors_of("llama", module))
    trees.ollama(home / "ollama", "registry.ollama.ai/library/mine/latest", made.read_bytes())
    trees.ollama(home / "ollama", "registry.ollama.ai/library/eyes/latest", trees.gguf("clip"))
    return home


@contextmanager
def dashboard(computer: Path, hub: str = "http://127.0.0.1:9") -> Iterator[str]:
    own = {"XDG_CONFIG_HOME": str(computer / "config"), "OLLAMA_MODELS": str(computer / "ollama"),
           "HF_HUB_CACHE": str(computer / "hub"), "HF_ENDPOINT": hub, "HF_HUB_OFFLINE": "0",
           "NO_PROXY": "127.0.0.1"}  # fmt: skip
    with live.serve(environment=own) as running:
        yield running.url


def menu(page: Page) -> Locator:
    return box(page, "model-box").locator("input")


def dialog(page: Page) -> Locator:
    """Open the dialog by the second entry of the menu, with the keyboard alone."""
    settle(page)
    menu(page).focus()
    for key in ("ArrowDown", "Home", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    opened = page.get_by_role("dialog")
    expect(opened).to_contain_text("On this computer")
    return opened


def name(page: Page, asked: str) -> None:
    field = page.get_by_role("dialog").get_by_label("Name, folder or file")
    field.fill(asked)
    field.press("Enter")


def test_a_folder_a_file_and_a_model_of_ollama_are_opened_and_are_there_after_a_restart(
    page: Page, computer: Path
) -> None:
    folder, file = str(computer / "tiny-gpt2"), str(computer / "tiny.gguf")
    with dashboard(computer) as url:
        page.goto(url)
        ready(page)
        dialog(page)
        assert findings(page) == []
        name(page, folder)
        expect(page.get_by_role("dialog")).to_have_count(0)
        wait_for_link(page, model=folder)
        expect(menu(page)).to_have_value("tiny-gpt2")
        page.goto(f"{url}/heads")
        ready(page)
        dialog(page)
        name(page, file)
        wait_for_link(page, model=file)
        opened = dialog(page)
        expect(opened).to_contain_text("1 that cannot be opened")
        opened.get_by_role("button", name="ollama:mine:latest", exact=True).press("Enter")
        wait_for_link(page, model="ollama:mine:latest")
        settle(page)
    with dashboard(computer) as url:
        page.goto(f"{url}/heads")
        ready(page)
        settle(page)
        menu(page).focus()
        page.keyboard.press("ArrowDown")
        options = page.get_by_role("option")
        expect(options.filter(has_text="tiny-gpt2")).to_have_count(1)
        expect(options.filter(has_text="mine:latest")).to_have_count(1)
        options.filter(has_text=re.compile(r"tiny\.gguf")).click()
        wait_for_link(page, model=file)


@pytest.mark.parametrize("path", ["", "compare"])
def test_a_page_says_that_its_first_model_is_still_coming(page: Page, computer: Path, path: str) -> None:
    hub = SlowHub(computer / "tiny-gpt2")
    own = {"HF_HUB_CACHE": str(computer / f"coming-{path}"), "HF_HUB_OFFLINE": "0", "NO_PROXY": "127.0.0.1",
           "ATTNVIZ_MODELS": REPO}  # fmt: skip
    with answers(hub.answer, URL) as address, live.serve(environment={**own, "HF_ENDPOINT": address}) as running:
        page.goto(f"{running.url}/{path}")
        expect(page.locator(".av-wait p")).to_be_visible()
        expect(page.locator(".av-wait p")).to_contain_text("tiny")
        hub.go.set()
        ready(page)
        expect(page.locator(".av-wait")).to_have_count(0)


def test_a_download_is_cancelled_and_what_fails_is_a_sentence_and_the_page_stays_as_it_was(
    page: Page, computer: Path
) -> None:
    hub = SlowHub(computer / "tiny-gpt2")
    with answers(hub.answer, URL) as address, dashboard(computer, address) as url:
        page.goto(f"{url}/heads")
        ready(page)
        show(page, DOG)
        before = link(page)
        opened = dialog(page)
        name(page, REPO)
        expect(opened).to_contain_text(re.compile(r"Fetching tiny: \S+ of \S+ MB"))
        opened.get_by_role("button", name="Cancel").press("Enter")
        expect(opened.locator(".st-key-opening")).to_have_count(0)
        expect(opened).to_contain_text("On this computer")

        name(page, str(computer / "nothing"))
        expect(opened.get_by_role("alert")).to_contain_text("There is no file or folder")
        name(page, "ollama:another:1b")
        expect(opened.get_by_role("alert")).to_contain_text("Ollama has no model another:1b")
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)
        expect(text_box(page)).to_have_value(DOG)
        expect(menu(page)).to_have_value("MiniLM-L6: English sentences")
        assert link(page) == before
        hub.go.set()
