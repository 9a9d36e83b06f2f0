"""Runs a download in a thread of its own and reports its bytes in the caller's, where a page can be drawn."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from tqdm import tqdm

from attnviz.core.progress import OnProgress

POLL_SECONDS = 0.1
THREAD = "attnviz-download"


class SilentBar(tqdm):
    """A progress bar that prints nothing."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(disable=True)


def run_download(download: Callable[[type[tqdm]], str], total: int, on_progress: OnProgress | None) -> str:
    """Run a download of the hub's client, which is called with a progress bar's class; `total` bytes will come.

    An exception here, such as Ctrl-C, ends the download at its next bytes.
    """
    bars: list[Any] = []
    is_stopped = threading.Event()

    class ByteCount(SilentBar):
        """Counts bytes. The client has several bars: of files, of bytes that came, of bytes that were written."""

        def __init__(self, *args: object, unit: str = "it", **settings: object) -> None:
            super().__init__()
            self.came = 0
            if unit == "B":
                bars.append(self)

        def update(self, n: float | None = 1) -> None:
            if is_stopped.is_set():
                raise RuntimeError("the download was stopped")
            self.came += int(n or 0)

    pool, is_done = ThreadPoolExecutor(1, THREAD), False
    running = pool.submit(download, ByteCount)
    try:
        while not is_done:
            is_done = bool(wait([running], POLL_SECONDS).done)
            if on_progress is not None and total and bars:
                on_progress(min(max(bar.came for bar in bars), total), total)
    finally:
        is_stopped.set()
        pool.shutdown(wait=False)
    return running.result()
