"""Trace files that people upload: read once, checked, and forgotten with the session that opened them.

A file may come from anyone: `trace.container` believes no size and no shape, and what a page relies on beyond that
`trace.untrusted` checks. Nothing of it is written to disk.
"""

import hashlib
import threading
from weakref import WeakValueDictionary

from attnviz_app.serving.runs import check_characters, runs
from attnviz_app.serving.text_limits import MOST
from attnviz_app.settings import Settings, one_of_process

from attnviz.core.errors import LimitError, TooLong, TraceFileError
from attnviz.trace.trace import Trace
from attnviz.trace.untrusted import refuse_impossible

PREFIX = "file:"  # of the name of a side
MOST_BYTES = 16 * 1024**2  # of one file; app/.streamlit/config.toml lets no larger one through
ALL_BYTES = 256 * 1024**2  # of the traces of all visitors together


class TraceFiles:
    """The traces that are open now. It holds none of them: a trace lives as long as a session does."""

    def __init__(self, limits: Settings):
        self._limits = limits
        self._open: WeakValueDictionary[str, Trace] = WeakValueDictionary()
        self._lock = threading.Lock()

    def opened(self, content: bytes, path: str) -> tuple[str, Trace]:
        """The trace in a file, and the name it has as a side.

        Raises:
            TraceFileError: it is cut short, or no trace, or says what cannot be.
            LimitError: the file is too large, or too many are open.
            TooLong: more characters or tokens than the operator allows.
        """
        if len(content) > MOST_BYTES:
            size, most = round(len(content) / 2**20, 1), MOST_BYTES >> 20
            raise LimitError(
                id="trace-file-too-large", size=size, most=most,
            )  # fmt: skip
        name = PREFIX + hashlib.sha256(content).hexdigest()[:16]
        if (known := self._open.get(name)) is not None:
            return name, known
        trace = Trace.from_bytes(content, path)
        refuse_impossible(trace, path)
        self._check_length(trace)
        with self._lock:
            if self.nbytes + trace.nbytes > ALL_BYTES:
                raise LimitError(
                    id="trace-files-full"
                )  # fmt: skip
            self._open[name] = trace
        return name, trace

    @property
    def nbytes(self) -> int:
        return sum(trace.nbytes for trace in self._open.values())

    def get(self, name: str) -> Trace:
        """The trace of a side, while the session that opened it is there."""
        trace = self._open.get(name)
        if trace is None:
            raise TraceFileError(id="trace-file-gone")
        return trace

    def _check_length(self, trace: Trace) -> None:
        tokens, limit = trace.tokens, self._limits.max_tokens or MOST
        check_characters(tokens.source.source, self._limits.max_characters)
        n = max(len(text) for text in (tokens.source, tokens.target) if text is not None)
        if n > limit:
            raise TooLong(id="too-long", n=n, limit=limit)


def is_file(name: str) -> bool:
    return name.startswith(PREFIX)


def traced(name: str, text: str) -> Trace:
    """What a side of a comparison does with a text; of a file, what it did with its own."""
    return trace_files().get(name) if is_file(name) else runs().trace(name, text)


@one_of_process
def trace_files(limits: Settings) -> TraceFiles:
    return TraceFiles(limits)
