"""A cache shared by all sessions: bounded in bytes, and each value computed once when sessions race for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
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
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            coming = self._coming.get(key)
            is_first = coming is None
            if coming is None:
                coming = self._coming[key] = Future()
        if not is_first:
            return coming.result()
        try:
            value = compute()
        except BaseException as error:
            self._finish(key)
            # A session that was stopped must not stop the ones that waited for it.
            coming.set_exception(error if isinstance(error, Exception) else RuntimeError("the first session was stopped"))
            raise
        self._finish(key, value)
        coming.set_result(value)
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
