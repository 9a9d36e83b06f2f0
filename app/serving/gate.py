"""The one gate in front of forward passes: few run at a time, some wait, the rest are told to come back."""

from __future__ import annotations

import threading
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
        self._waiting = 0
        self._lock = threading.Lock()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for a slot and hold it inside the `with` block.

        Raises:
            Busy: the queue is full, or the wait took longer than allowed.
        """
        if not self._slots.acquire(blocking=False):
            self._wait()
        try:
            yield
        finally:
            self._slots.release()

    def _wait(self) -> None:
        with self._lock:
            if self._waiting >= self._queue_length:
                raise _busy(self._waiting)
            self._waiting += 1
        try:
            entered = self._slots.acquire(timeout=self._seconds)
        finally:
            with self._lock:
                self._waiting -= 1
        if not entered:
            raise _busy(self._waiting)


def _busy(waiting: int) -> Busy:
    sentence = f"The server is busy and {waiting} people are waiting. Try again in a few seconds."
    return Busy(sentence, id="busy", n=waiting)
