"""A cache shared by all sessions: bounded in bytes, and each value computed once when sessions race for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Keeps the values used last, never more than `limit` bytes of them."""

    def __init__(self, limit: int, size: Callable[[Value], int]):
        self._kept: LRUCache[Hashable, Value] = LRUCache(limit, getsizeof=size)
        self._coming: dict[Hashable, Future[Value]] = {}
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """The bytes kept now."""
        return int(self._kept.currsize)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value of `key`; computed by the first who asks while the others wait for it.

        Raises: what `compute` raises, to everyone who was waiting; nothing is kept then.
        """
        while True:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
                coming = self._coming.get(key)
                if coming is None:
                    mine: Future[Value] = Future()
                    self._coming[key] = mine
                    break
            try:
                return coming.result()
            except CancelledError:
                continue  # the session that was computing it was stopped; one of those who waited takes over
        try:
            value = compute()
        except Exception as error:
            self._finish(key)
            mine.set_exception(error)
            raise
        except BaseException:
            self._finish(key)
            mine.cancel()
            raise
        self._finish(key, value)
        mine.set_result(value)
        return value

    def _finish(self, key: Hashable, *values: Value) -> None:
        with self._lock:
            del self._coming[key]
            for value in values:
                if self._kept.getsizeof(value) <= self._kept.maxsize:  # a larger one is handed over and not kept
                    self._kept[key] = value

    def clear(self) -> None:
        """Forget everything kept."""
        with self._lock:
            self._kept.clear()
