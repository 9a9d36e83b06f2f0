"""The log of a hosted server: one line of JSON each, nothing that a visitor typed, and no line without end.

Only Python's own record factory sees what every library logs, Streamlit's loggers among them, which have handlers of
their own. What may quote a visitor is left out: the message of an error, and what but numbers other libraries
put into theirs.
"""

import json
import logging
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

QUIET_SECONDS = 60.0  # in which one place in the code writes one line, and what else it says is counted
DROPPED = -1  # a level below that of every handler
FRAMES = 12  # of a stack, the innermost
log = logging.getLogger(__name__)


class OneLine:
    """A record factory for `logging.setLogRecordFactory`."""

    def __init__(self, made: Callable[..., logging.LogRecord]) -> None:
        self._made, self._lock = made, threading.Lock()
        self._written: dict[tuple[object, ...], tuple[float, int]] = {}  # by place: when last, how many not since then

    def __call__(self, *arguments: Any, **keywords: Any) -> logging.LogRecord:
        record = self._made(*arguments, **keywords)
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        stack = [] if error is None else traceback.extract_tb(error.__traceback__)[-FRAMES:]
        at = [f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}" for frame in stack]
        is_ours = record.name.startswith("attnviz")
        is_filled = is_ours or all(isinstance(value, int | float) for value in record.args or ())
        counts = record.levelno >= logging.WARNING or not is_ours
        repeated = self._repeated((record.pathname, record.lineno, type(error), *at[-1:])) if counts else 0
        said = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage() if error is None and is_filled else str(record.msg),
            **({} if error is None else {"error": type(error).__name__, "at": at}),
            **({"repeated": repeated} if repeated else {}),
        }
        record.msg, record.args, record.exc_info = json.dumps(said, ensure_ascii=False), (), None
        if repeated is None:
            record.levelno = DROPPED
        return record

    def _repeated(self, place: tuple[object, ...]) -> int | None:
        """How often the place had something to say since its last line; None where it has to be quiet."""
        now = time.monotonic()
        with self._lock:
            last, n = self._written.get(place, (float("-inf"), 0))
            is_quiet = now - last < QUIET_SECONDS
            self._written[place] = (last, n + 1) if is_quiet else (now, 0)
        return None if is_quiet else n


def failure(error: Exception) -> traceback.FrameSummary:
    """Write an error's kind and place, and return the place; its message may hold a visitor's text."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    kind = type(error).__name__
    log.error("%s at %s:%s in %s", kind, place.filename, place.lineno, place.name, stacklevel=2)
    return place


def write_single_lines() -> None:
    """Make it the log of this process; called again when the server has its loggers, whose formats go."""
    before = logging.getLogRecordFactory()
    if not isinstance(before, OneLine):
        logging.setLogRecordFactory(OneLine(before))
    for logger in logging.root.manager.loggerDict.values():
        for handler in getattr(logger, "handlers", ()):
            handler.setFormatter(None)  # the message alone
