"""Who of those who wait still has the dashboard open: a closed browser must not keep its place in a queue.

A person is gone when none of their sessions has been open for a while; a reload or a lost connection is no leaving.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from streamlit import runtime

GRACE_SECONDS = 60.0
PEOPLE, SESSIONS = 10_000, 8  # remembered, and of each of them


def is_connected(session: str) -> bool:
    """Whether a browser shows this session now; without a server, as in a test of a page, it does."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


class Presence:
    """The sessions of each person. Safe to share between threads."""

    def __init__(
        self, is_open: Callable[[str], bool] = is_connected, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Ask `is_open` about a session, and `clock` for the time in seconds."""
        self._is_open = is_open
        self._clock = clock
        self._sessions: OrderedDict[str, deque[str]] = OrderedDict()
        self._missing_since: dict[str, float] = {}
        self._lock = threading.Lock()

    def saw(self, person: str, session: str) -> None:
        """Note that a page of this person runs in this session."""
        with self._lock:
            own = self._sessions.setdefault(person, deque(maxlen=SESSIONS))
            if session not in own:
                own.append(session)
            self._sessions.move_to_end(person)
            self._missing_since.pop(person, None)
            while len(self._sessions) > PEOPLE:
                forgotten, _ = self._sessions.popitem(last=False)
                self._missing_since.pop(forgotten, None)

    def is_gone(self, person: str) -> bool:
        """Whether this person has had no page open for a while. One who was never seen is not known to be gone."""
        with self._lock:
            sessions = tuple(self._sessions.get(person, ()))
        if not sessions or any(map(self._is_open, sessions)):
            with self._lock:
                self._missing_since.pop(person, None)
            return False
        with self._lock:
            now = self._clock()
            return now - self._missing_since.setdefault(person, now) > GRACE_SECONDS
