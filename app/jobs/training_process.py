"""The server's end of the process that trains: starts it, hears it, stops it, and ends it when it must."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from attnviz_app.train.request import Ask

from attnviz.core.errors import AttnvizError

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
START_SECONDS = 120.0  # beyond the time for training: to load torch and make the examples on a busy machine
STOP_SECONDS = 20.0  # to keep what was trained

Line = Mapping[str, Any]


class TrainingCrashed(AttnvizError):
    """The process that trained ended without a word."""


@dataclass(frozen=True)
class Sitting:
    """One process's worth of training: a run, or as much of it as the time allows."""

    ask: Ask
    folder: Path
    seconds: float  # how long this sitting may take
    seconds_before: float = 0.0  # of the sittings before it

    @property
    def is_going_on(self) -> bool:
        return self.seconds_before > 0

    def argument(self) -> str:
        """What the process is told."""
        plan = replace(self.ask.plan, max_seconds=self.seconds_before + self.seconds)
        told = {"task": self.ask.task, "folder": str(self.folder), "is_going_on": self.is_going_on}
        return json.dumps({**told, "plan": asdict(plan)})


class TrainingProcess:
    """A running sitting."""

    def __init__(self, sitting: Sitting):
        self._sitting = sitting
        command = [sys.executable, "-P", "-m", "attnviz_app.jobs.training_child", sitting.argument()]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **ONE_THREAD},
            start_new_session=True,  # Ctrl+C in the server's terminal is the server's; it then stops this one
        )
        self._limit = self._kill_after(sitting.seconds + START_SECONDS)

    @property
    def pid(self) -> int:
        return self._process.pid

    def listen(self, heard: Callable[[Line], None]) -> str:
        """Hand over each line until the process ends, and return how the training ended.

        Raises:
            TrainingCrashed: it ended without saying how.
            AttnvizError: what was asked for cannot be trained.
        """
        outcome = ""
        error: AttnvizError | None = None
        for line in self._output():
            if "outcome" in line:
                outcome = str(line["outcome"])
            if "error" in line:
                told = line["error"]
                error = AttnvizError(told["sentence"], id=told["id"], **told["arguments"])
            heard(line)
        code = self._process.wait()
        self._limit.cancel()
        self._close()
        if error is not None:
            raise error
        if not outcome:
            sentence = f"The process that trained ended unexpectedly (code {code}). Start the training again."
            raise TrainingCrashed(sentence, id="training-crashed", code=code)
        return outcome

    def stop(self) -> None:
        """Ask it to stop and to keep what was trained; end it if it does not."""
        self._close()
        self._kill_after(STOP_SECONDS)

    def kill(self) -> None:
        """End it now."""
        with suppress(OSError):
            self._process.kill()

    def _output(self) -> Iterator[Line]:
        """The objects it prints; a line that is none of ours is left out."""
        assert self._process.stdout is not None
        for text in self._process.stdout:
            with suppress(ValueError):
                line = json.loads(text)
                if isinstance(line, dict):
                    yield line

    def _close(self) -> None:
        """The end of its input: it then stops."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _kill_after(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self.kill)
        timer.daemon = True
        timer.start()
        return timer
