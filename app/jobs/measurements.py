"""What is measured beside the pages, in threads of low priority: results kept in memory, and a queue.

The models are in memory already, and stay there once. Work on one text that takes many runs is measured here too.
"""

import os
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic

from attnviz_app.jobs.queue import Job, Measured, Queue, Result, State
from attnviz_app.settings import Settings, one_of_process
from cachetools import LRUCache

from attnviz.core.errors import AttnvizError, LimitError

WAITING = 8  # measurements that may wait while one goes on
RETRY_SECONDS = 300.0  # after a failure, until somebody may ask again
NICE = 10  # of 19: every page goes first
CLOSE_SECONDS = 10.0  # a sentence and the loading of a model end in less
MANY_RUNS = 64  # results of many runs that are remembered, of all visitors together
Tell = Callable[[int, int], None]  # is told how much is done, and of how much
Work = Callable[[Tell], Result]


class Stopped(Exception):
    """Nobody waits for this work any more, or the server stops."""


class Measurements(Generic[Result]):
    """Measurements of one kind, one at a time. Safe to share between threads."""

    def __init__(self, name: str, memory_bytes: int, size: Callable[[Result], int]) -> None:
        """
        Args:
            size: the bytes of what was measured, of which at most `memory_bytes` stay in memory.
        """
        self._cached: LRUCache[Hashable, Result] = LRUCache(memory_bytes, getsizeof=size)
        self._lock = threading.Lock()
        self.queue: Queue[Work[Result], tuple[int, int]] = Queue(
            f"attnviz-{name}", self._measure, retry_seconds=RETRY_SECONDS,
            full=lambda n: LimitError(id="measurements-full", n=n),
            crashed=lambda code: AttnvizError(id="measurement-failed", code=code),
        )  # fmt: skip

    def ask(self, key: Hashable, work: Work[Result], n: int = 0, *, starts: bool = True) -> Measured[Result]:
        """What came of the work of that name, or how far it is, of `n`; begun if `starts`."""
        known, job = self.known(key), self.queue.job(key)
        if known is not None:
            return Measured(known)
        if starts:
            try:
                job = self.queue.put(key, work, (0, n), most=WAITING)
            except LimitError as error:
                return Measured(error=error)
        if job is None or not (job.is_active or job.error):
            return Measured(None, 0, n)
        return Measured(None, *job.progress, job.error)

    def known(self, key: Hashable) -> Result | None:
        with self._lock:
            result: Result | None = self._cached.get(key)
        return result

    def keep(self, key: Hashable, result: Result) -> None:
        with self._lock:
            self._cached[key] = result

    def _measure(self, job: Job[Work[Result], tuple[int, int]]) -> State:
        if sys.platform == "linux":  # there a thread has a priority of its own: pages come first
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        stopped = threading.Event()
        self.queue.stops_by(stopped.set)

        def tell(done: int, total: int) -> None:
            if stopped.is_set():
                raise Stopped
            self.queue.tell((done, total))

        try:
            self.keep(job.key, job.asked(tell))
        except Stopped:
            return "left"
        return "finished"

    @property
    def nbytes(self) -> int:
        return int(self._cached.currsize)

    def close(self) -> None:
        """Wait for its end: a thread that computes would bring the process down with it."""
        self.queue.close(CLOSE_SECONDS)


@one_of_process
def many_runs(limits: Settings) -> Measurements[Any]:
    """Work on one text, such as silencing every head."""
    return Measurements("many-runs", MANY_RUNS, lambda result: 1)
