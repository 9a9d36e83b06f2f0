"""`attnviz app`: a window that ends with its server, and the other way round; the page can be installed."""

import os
import signal
import subprocess
import sys
import urllib.request
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.live import CHROMIUM_FLAGS, free_port, wait_until
from tests.tools import chromium_path

BROWSER = f"""#!/bin/sh
exec "$CHROMIUM" --headless=new --remote-debugging-port=0 '{"' '".join(CHROMIUM_FLAGS)}' "$@"
"""
# The window before a server that starts in a moment, where what matters is how the two end.
PLAIN = """import os, sys
from attnviz.cli.window import run_in_window
port = sys.argv[1]
sys.exit(run_in_window([sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1"], os.environ, int(port)))
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For temporary files; its path is short, as a browser's socket in it needs."""
    return tmp_path_factory.mktemp("w")


@pytest.fixture
def started(tmp_path: Path, folder: Path):
    """A factory: what a shell in a terminal starts, by default `attnviz app`, with this browser alone; its port."""
    running: list[subprocess.Popen[str]] = []

    def start(browser: str, plain: bool = False) -> tuple[subprocess.Popen[str], int]:
        port, programs = free_port(), tmp_path / "bin"
        programs.mkdir()
        (programs / "google-chrome").write_text(browser)
        (programs / "google-chrome").chmod(0o755)
        environment = {**os.environ, "CHROMIUM": chromium_path(), "PATH": f"{programs}:{os.environ['PATH']}",
                       "DISPLAY": ":0", "TMPDIR": str(folder)}  # fmt: skip
        command = [sys.executable, *(["-c", PLAIN] if plain else ["-m", "attnviz.cli", "app", "--port"]), str(port)]
        heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in the background is deaf to Ctrl+C
        running.append(subprocess.Popen(command, env=environment, start_new_session=True, text=True, preexec_fn=heard,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))  # fmt: skip
        return running[0], port

    yield start
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def window_in(folder: Path, playwright: Playwright) -> tuple[Browser, Page]:
    """The window, once its page is there."""
    told = "attnviz-window-*/DevToolsActivePort"
    wait_until(lambda: any(file.read_text().count("\n") for file in folder.glob(told)), 60)
    port = next(folder.glob(told)).read_text().splitlines()[0]
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    context = browser.contexts[0]
    return browser, context.pages[0] if context.pages else context.wait_for_event("page")


def nothing_is_left(process: subprocess.Popen[str], folder: Path) -> None:
    def has_ended() -> bool:
        try:
            os.killpg(process.pid, 0)  # server, browser and all that they started are of one group
        except ProcessLookupError:
            return True
        return False

    wait_until(has_ended, 20)
    assert list(folder.glob("attnviz-window-*")) == []


@pytest.mark.parametrize(("how", "code"), [("closed", 0), ("Ctrl+C", 130), ("told to end", 143)])
def test_window_and_server_end_together_and_leave_nothing(started, playwright, folder, how, code):
    process, port = started(BROWSER, plain=how != "Ctrl+C")
    browser, page = window_in(folder, playwright)
    page.wait_for_url(f"http://127.0.0.1:{port}/**")
    if how == "closed":
        browser.new_browser_cdp_session().send("Browser.close")
    elif how == "told to end":
        process.terminate()
    else:
        expect(page).to_have_title("Home · AttnViz")
        page.wait_for_selector("link[rel=manifest]", state="attached")
        assert page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        os.killpg(process.pid, signal.SIGINT)
    assert process.wait(30) == code
    nothing_is_left(process, folder)


def test_where_the_browser_fails_the_server_goes_on_and_says_so(started, folder: Path) -> None:
    process, port = started("#!/bin/sh\nexit 1\n", plain=True)
    assert process.stderr is not None
    lines = iter(process.stderr.readline, "")
    assert any("The browser ended with 1. The server goes on until Ctrl+C." in line for line in lines)
    assert urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).status == 200
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(30) == -signal.SIGINT  # which `attnviz app` turns into 130
    nothing_is_left(process, folder)
