"""A cache shared by threads: bounded in bytes, and each value computed once when threads race for it."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Generic, TypeVar

from cachetools import LRUCache

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Keeps the values used last, never more than `limit` bytes of them."""

    def __init__(
        self, limit: int, size: Callable[[Value], int], on_leave: Callable[[Hashable, Value], None] | None = None
    ):
        """`on_leave` is told the key and the value that had to make room."""
        self._kept: LRUCache[Hashable, Value] = LRUCache(limit, getsizeof=size)
        self._on_leave = on_leave
        self._coming: dict[Hashable, Future[Value]] = {}
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """The bytes kept now."""
        return int(self._kept.currsize)

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """What is kept now."""
        with self._lock:
            return tuple(self._kept)

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
                continue  # the thread that was computing it was stopped; one of those who waited takes over
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
            left = [gone for value in values for gone in self._keep(key, value)]
        if self._on_leave is not None:
            for gone, value in left:
                self._on_leave(gone, value)

    def _keep(self, key: Hashable, value: Value) -> list[tuple[Hashable, Value]]:
        """Keep a value, and say which ones had to make room; one larger than all of it is handed over and not kept."""
        n_bytes, left = self._kept.getsizeof(value), []
        if n_bytes > self._kept.maxsize:
            return []
        while self._kept.currsize + n_bytes > self._kept.maxsize:
            left.append(self._kept.popitem())
        self._kept[key] = value
        return left

    def drop(self, is_unwanted: Callable[[Hashable], bool]) -> None:
        """Forget the values of some keys."""
        with self._lock:
            for key in [key for key in self._kept if is_unwanted(key)]:
                del self._kept[key]

    def clear(self) -> None:
        """Forget everything kept."""
        with self._lock:
            self._kept.clear()
