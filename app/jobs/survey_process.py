"""The server's end of the process that measures heads: starts it, hears it, and ends it."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Protocol

from attnviz.core.errors import AttnvizError

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
START_SECONDS = 240.0  # beyond the time for measuring: to load torch and a model on a busy machine

Progress = Callable[[int, int], None]


class SurveyCrashed(AttnvizError):
    """The process that measured ended without a word."""


@dataclass(frozen=True)
class Measuring:
    """What is to be measured. The sentences travel on the process's input: they may be a person's own."""

    model: str
    trained: str  # the folder of a model that was trained here; "" for one of the catalogue or a hub
    device: str
    dtype: str
    language: str  # of a bundled set; "" where the sentences are given
    sentences: tuple[str, ...] | None
    is_own: bool  # a person's own: written nowhere
    folder: str  # where tables are kept
    seconds: float


class Process(Protocol):
    """What the queue needs of a process."""

    def listen(self, heard: Progress) -> bytes: ...
    def kill(self) -> None: ...


class SurveyProcess:
    """A running one."""

    def __init__(self, asked: Measuring):
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "attnviz_app.jobs.survey_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **ONE_THREAD},
            start_new_session=True,  # Ctrl+C in the server's terminal is the server's; it then ends this one
        )
        self._limit = threading.Timer(asked.seconds + START_SECONDS, self.kill)
        self._limit.daemon = True
        self._limit.start()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(asdict(asked)) + "\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        return self._process.pid

    def listen(self, heard: Progress) -> bytes:
        """Hand on how far it is until it ends, and return the survey as it was packed.

        Raises:
            AttnvizError: what kept the model from being measured.
            SurveyCrashed: it ended without saying.
        """
        found, error = b"", None
        assert self._process.stdout is not None and self._process.stdin is not None
        try:
            for text in self._process.stdout:
                line = json.loads(text) if text.startswith("{") else {}
                if "done" in line:
                    heard(int(line["done"]), int(line["total"]))
                if "error" in line:
                    told = line["error"]
                    error = AttnvizError(told["sentence"], id=told["id"], **told["arguments"])
                found = base64.b64decode(line["survey"]) if "survey" in line else found
            code = self._process.wait()
        finally:
            self._limit.cancel()
            with suppress(OSError):
                self._process.stdin.close()
        if error is not None:
            raise error
        if not found:
            sentence = f"The process that measured the heads ended unexpectedly (code {code}). Try again later."
            raise SurveyCrashed(sentence, id="survey-crashed", code=code)
        return found

    def kill(self) -> None:
        """End it now."""
        with suppress(OSError):
            self._process.kill()
