"""The dashboard's window: a browser of the Chromium family in app mode, with a profile that is deleted when it ends."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path

from attnviz.cli.network import is_taken

PATHS = {
    "darwin": [f"/Applications/{name}.app/Contents/MacOS/{name}"
               for name in ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")],
    "win32": [str(Path(os.environ.get(folder, ""), program))
              for program in (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")
              for folder in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")],
}.get(sys.platform, ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "microsoft-edge",
                     "brave-browser", "vivaldi"])  # fmt: skip
LOOK_SECONDS = 0.2  # between two looks at server and window
END_SECONDS = 5  # that the browser's processes may take to end


def browser() -> str | None:
    """The program that can open a window without tabs; None where there is none."""
    return next((program for path in PATHS if (program := shutil.which(path))), None)


def run_in_window(server: Sequence[str], environment: Mapping[str, str], port: int) -> int:
    """Run the server until its window is closed, or a signal ends both; without such a browser, until a signal does.

    Returns: 0 for a window that was closed, else the server's exit code.
    """
    for name in ("SIGTERM", "SIGHUP"):  # as Ctrl+C does, they end both on the way out
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    profile = tempfile.mkdtemp(prefix="attnviz-window-")
    serving, shown = subprocess.Popen(server, env=environment), None
    try:
        while serving.poll() is None and not is_taken(port):
            time.sleep(LOOK_SECONDS)
        if serving.poll() is None:
            shown = _opened(f"http://127.0.0.1:{port}", profile)
        while serving.poll() is None and shown is not None and shown.poll() is None:
            time.sleep(LOOK_SECONDS)
        if shown is not None and serving.poll() is None:
            if shown.returncode == 0:
                return 0
            print(f"The browser ended with {shown.returncode}. The server goes on until Ctrl+C.", file=sys.stderr)
        return serving.wait()
    finally:
        for process in filter(None, (shown, serving)):
            process.terminate()
            process.wait()
        _remove(profile)


def _remove(profile: str) -> None:
    """The browser's own processes end a moment after it, and write into its profile until then."""
    last = time.monotonic() + END_SECONDS
    while Path(profile).exists() and time.monotonic() < last:
        shutil.rmtree(profile, ignore_errors=True)
        time.sleep(LOOK_SECONDS)


def _opened(url: str, profile: str) -> subprocess.Popen[bytes] | None:
    """The window, if there is one to wait for."""
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        return None  # nobody sees a window there; the server has printed its address
    program = browser()
    if program is None:
        webbrowser.open(url)
        return None
    options = (f"--app={url}", f"--user-data-dir={profile}", "--window-size=1440,960", "--no-first-run",
               "--no-default-browser-check")  # fmt: skip
    return subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
