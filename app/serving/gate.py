"""The one gate in front of forward passes: few run at a time, some wait, the rest are told to come back."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attnviz.core.errors import LimitError

TOLD_AFTER = 1.0  # seconds of waiting after which a visitor is told of it

# What tells the visitor whom this thread serves how many wait; None where nobody would read it.
tell_waiting: ContextVar[Callable[[int], None] | None] = ContextVar("attnviz_tell_waiting", default=None)


class Busy(LimitError):
    """More people are waiting than the operator allows, or the wait is longer than allowed."""


class Gate:
    """Lets `workers` threads in at a time and at most `queue_length` wait, none longer than `seconds`."""

    def __init__(self, *, workers: int, queue_length: int, seconds: float):
        self._slots, self._workers = threading.BoundedSemaphore(workers), workers
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
            Busy: the queue is full, or the wait took longer than allowed, or would as things are.
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
            if self.waiting >= self._queue_length or self._expected() > self._seconds:
                self.counts["refused"] += 1
                raise _busy(self.waiting)
            self.waiting += 1
        try:
            untold = min(TOLD_AFTER, self._seconds)
            entered = self._slots.acquire(timeout=untold)
            if not entered and (tell := tell_waiting.get()):
                tell(self.waiting)
            entered = entered or self._slots.acquire(timeout=self._seconds - untold)
        finally:
            with self._lock:
                self.waiting -= 1
                self.counts["refused"] += not entered
        if not entered:
            raise _busy(self.waiting)

    def _expected(self) -> float:
        """Seconds until one more would enter, if those before take as long as all did until now."""
        return (self.waiting + 1) / self._workers * self.seconds["running"] / max(1, self.counts["passed"])


def _busy(waiting: int) -> Busy:
    return Busy(id="busy", n=waiting)
