"""The server's end of a child process: starts it, hears it, stops it, and ends it when it must."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from attnviz.core.errors import AttnvizError

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
START_SECONDS = 240.0  # beyond the time of the work: to load torch and a model on a busy machine
STOP_SECONDS = 20.0  # to keep what is worth keeping

Line = Mapping[str, Any]


@dataclass
class ProcessCrashed(Exception):
    """A child process ended without saying why; all that is known is its exit code."""

    code: str | int


class ChildProcess:
    def __init__(self, asked: Mapping[str, Any]) -> None:
        """`asked` is what the process reads; see child.py. Its "seconds" are how long the work may take."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "attnviz_app.jobs.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, encoding="utf-8", env={**os.environ, **ONE_THREAD},
            start_new_session=True,  # Ctrl+C in the server's terminal is the server's; it then stops this one
        )  # fmt: skip
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._limit = self._kill_after(asked["seconds"] + START_SECONDS)
        with suppress(OSError):
            self._stdin.write(json.dumps(asked) + "\n")
            self._stdin.flush()

    def listen(self, heard: Callable[[Line], None]) -> Any:
        """Hand over each line until the process ends, and return its result.

        Raises:
            AttnvizError: what the process was asked for cannot be done.
            ProcessCrashed: it ended without saying so.
        """
        result, error = None, None
        try:
            for line in self._lines():
                if "result" in line:
                    result = line["result"]
                elif "error" in line:
                    told = line["error"]
                    error = AttnvizError(id=told["id"], **told["arguments"])
                else:
                    heard(line)
            code = self._process.wait()
        finally:
            self._limit.cancel()
            self._close_input()
        if error is not None:
            raise error
        if result is None:
            raise ProcessCrashed(code)
        return result

    def stop(self) -> None:
        """Ask it to stop and to keep what is worth keeping; end it if it does not."""
        self._close_input()
        self._kill_after(STOP_SECONDS)

    def kill(self) -> None:
        with suppress(OSError):
            self._process.kill()

    def _lines(self) -> Iterator[Line]:
        """The objects it prints; a line that is none of ours is left out."""
        for text in self._stdout:
            with suppress(ValueError):
                line = json.loads(text)
                if isinstance(line, dict):
                    yield line

    def _close_input(self) -> None:
        with suppress(OSError):
            self._stdin.close()

    def _kill_after(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self.kill)
        timer.daemon = True
        timer.start()
        return timer
