"""The real dashboard and the real browser, for tests and benchmarks.

`serve()` starts `streamlit run app/main.py` on a free port; `browser()` starts the system's Chromium with no way out to
the network. Nothing here knows what is on a page.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from attnviz_app.settings import SHIPPED
from playwright.sync_api import Browser, Playwright

from tests.tools import chromium_path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ",".join(SHIPPED[1:])  # without the language model, which may be on this machine or not
RUN = (str(Path(sys.executable).with_name("streamlit")), "run", "app/main.py")
NO_WINDOWS = "chromium-headless-shell"  # the same engine, which takes a fifth less of the processor
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",  # letters as wide as where windows are shown
    # Whatever a page asks of another host fails, instead of depending on the machine's network.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def launch(playwright: Playwright) -> Browser:
    """Chromium, headless and with no way to another host; the one without windows where it is installed."""
    path = (None if os.environ.get("CHROMIUM") else shutil.which(NO_WINDOWS)) or chromium_path()
    return playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Server:
    """A running dashboard."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def log_text(self) -> str:
        """What the server has printed so far."""
        return self.log.read_text(errors="replace")


@contextmanager
def serve(
    *, environment: Mapping[str, str] | None = None, options: tuple[str, ...] = (), start_s: float = 60, port: int = 0,
    command: tuple[str, ...] = RUN, cwd: Path = ROOT,
) -> Iterator[Server]:  # fmt: skip
    """The dashboard on a port of 127.0.0.1, a free one unless it is given, stopped at the end of the block.

    Args:
        environment: added to this process's own, for instance `{"ATTNVIZ_MAX_TOKENS": "64"}`. The models are the same
            on every machine unless it names others; with `{"ATTNVIZ_MODELS": ""}` they are those that ship.
        options: further options of `streamlit run`.
        start_s: how long the server may take to answer its health check, in seconds.
        command: what starts it, in the folder `cwd`.
    Raises:
        RuntimeError: the server stopped or did not answer in time; the text ends with its log.
    """
    port = port or free_port()
    log = Path(tempfile.mkdtemp(prefix="attnviz-server-")) / "server.log"
    address = ("--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, *address, *options], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "ATTNVIZ_MODELS": MODELS, **(environment or {})},
        )  # fmt: skip
    server = Server(f"http://127.0.0.1:{port}", process, log)
    try:
        wait_for_health(server.url, process, log, start_s)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(log.parent, ignore_errors=True)


def wait_for_health(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float) -> None:
    """Return as soon as the server at `url` answers; raise with its log if it stops or stays silent."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server stopped with {process.returncode}:\n{log.read_text(errors='replace')}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"the server did not answer within {seconds:.0f} s:\n{log.read_text(errors='replace')}")


def wait_until(holds: Callable[[], bool], seconds: float) -> None:
    """Return as soon as it holds; an address that does not answer yet, or with an error, is one that does not."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(OSError):
            if holds():
                return
        time.sleep(0.2)
    raise TimeoutError(f"not within {seconds:.0f} s")
