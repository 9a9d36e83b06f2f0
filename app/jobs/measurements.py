"""What is measured beside the pages: kept in memory and on disk, both bounded, and a queue of what is still missing."""

import tempfile
import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic

from attnviz_app.jobs.process import ProcessCrashed
from attnviz_app.jobs.queue import Asked, Found, Job, Queue, State
from attnviz_app.serving.runs import Runs
from cachetools import LRUCache

from attnviz.analysis.file_cache import make_room
from attnviz.core.errors import AttnvizError, LimitError

WAITING = 8  # measurements that may wait while one goes on
RETRY_SECONDS = 300.0  # after a failure, until somebody may ask again


class Stopped(ProcessCrashed):
    """Work in the queue's own thread ends: nobody waits for it any more, or the server stops."""


class Measurements(Generic[Asked, Found]):
    """Measurements of one kind, one at a time. Safe to share between threads."""

    def __init__(
        self, name: str, runs: Runs, folder: Path | None, *, pattern: str, folder_bytes: int, memory_bytes: int,
        size: Callable[[Found], int], full: Callable[[int], LimitError], crashed: Callable[[str | int], AttnvizError],
    ) -> None:  # fmt: skip
        """
        Args:
            folder: where files are kept; without one, in a folder that goes with the process.
            pattern: of the files, of which at most `folder_bytes` stay.
            size: the bytes of what was measured, of which at most `memory_bytes` stay in memory.
            full, crashed: see Queue.
        """
        self._runs = runs
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix=f"attnviz-{name}-")
        self._folder = folder or Path(self._temporary.name if self._temporary else "")
        self._pattern, self._folder_bytes = pattern, folder_bytes
        self._cached: LRUCache[Hashable, Found] = LRUCache(memory_bytes, getsizeof=size)
        self._lock = threading.Lock()
        self.queue: Queue[Asked, tuple[int, int]] = Queue(
            f"attnviz-{name}", self._measure, full=full, crashed=crashed, retry_seconds=RETRY_SECONDS
        )

    def _measure(self, job: Job[Asked, tuple[int, int]]) -> State:
        raise NotImplementedError

    def _teller(self) -> Callable[[int, int], None]:
        """What work in this thread tells how much is done, of how much; it raises `Stopped` once it is to end."""
        stopped = threading.Event()
        self.queue.stops_by(stopped.set)

        def tell(done: int, total: int) -> None:
            if stopped.is_set():
                raise Stopped(0)
            self.queue.tell((done, total))

        return tell

    def _known(self, key: Hashable) -> Found | None:
        with self._lock:
            found: Found | None = self._cached.get(key)
        return found

    def _keep(self, key: Hashable, found: Found) -> None:
        with self._lock:
            self._cached[key] = found

    @property
    def nbytes(self) -> int:
        """Of those in memory."""
        return int(self._cached.currsize)

    def _make_room(self) -> None:
        make_room(self._folder, self._pattern, self._folder_bytes)

    def close(self, wait: float = 0.0) -> None:
        """End the measurement, as the server stops, and remove a folder that goes with the process."""
        self.queue.close(wait)
        if self._temporary is not None:
            self._temporary.cleanup()
