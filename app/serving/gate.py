"""The one gate in front of forward passes: few run at a time, some wait, the rest are told to come back."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from attnviz.core.errors import LimitError


class Busy(LimitError):
    """More people are waiting than the operator allows, or one waited longer than allowed."""


class Gate:
    """Lets `workers` threads in at a time and at most `queue_length` wait, none longer than `seconds`."""

    def __init__(self, *, workers: int, queue_length: int, seconds: float):
        self._slots = threading.BoundedSemaphore(workers)
        self._queue_length = queue_length
        self._seconds = seconds
        self.waiting = 0
        self.counts = {"passed": 0, "refused": 0}  # let in, and told to come back, since the start
        self.seconds = {"running": 0.0, "waiting": 0.0}  # how long they were in and waited, all together
        self._lock = threading.Lock()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for a slot and hold it inside the `with` block.

        Raises:
            Busy: the queue is full, or the wait took longer than allowed.
        """
        asked = time.perf_counter()
        if not self._slots.acquire(blocking=False):
            self._wait()
        entered = time.perf_counter()
        try:
            yield
        finally:
            self._slots.release()
            with self._lock:
                self.counts["passed"] += 1
                self.seconds["waiting"] += entered - asked
                self.seconds["running"] += time.perf_counter() - entered

    def _wait(self) -> None:
        with self._lock:
            if self.waiting >= self._queue_length:
                self.counts["refused"] += 1
                raise _busy(self.waiting)
            self.waiting += 1
        try:
            entered = self._slots.acquire(timeout=self._seconds)
        finally:
            with self._lock:
                self.waiting -= 1
                self.counts["refused"] += not entered
        if not entered:
            raise _busy(self.waiting)


def _busy(waiting: int) -> Busy:
    return Busy(id="busy", n=waiting)
