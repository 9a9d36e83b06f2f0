"""The queue of models and lists whose heads are to be measured: one at a time, a few wait, failures are remembered."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from attnviz_app.jobs.survey_process import Measuring, Process, SurveyCrashed

from attnviz.core.errors import AttnvizError, LimitError

WAITING = 8  # models and lists that may wait while one is measured
FAILURES = 64  # remembered
AGAIN_SECONDS = 300.0  # after a failure, until somebody may ask again
Key = tuple[str, ...]  # the model, its revision, and which sentences
log = logging.getLogger(__name__)


class SurveysFull(LimitError):
    """More models and lists wait than are taken."""


@dataclass(frozen=True)
class Job:
    """How far a measurement is."""

    asked: Measuring
    done: int = 0  # texts measured
    total: int = 0
    error: AttnvizError | None = None  # why it failed
    ended: float = 0.0  # when it did

    @property
    def is_stale(self) -> bool:
        """Whether it failed so long ago that it may be tried again."""
        return self.ended > 0 and time.monotonic() - self.ended > AGAIN_SECONDS


class SurveyQueue:
    """The jobs of one server. Safe to share between threads."""

    def __init__(self, start: Callable[[Measuring], Process], keep: Callable[[Key, bytes], None]):
        """`start` begins a measurement; `keep` is handed what came of it, and may raise an AttnvizError."""
        self.start = start
        self._keep = keep
        self._jobs: OrderedDict[Key, Job] = OrderedDict()
        self._queue: list[Key] = []
        self._process: Process | None = None
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None

    def __contains__(self, key: Key) -> bool:
        return key in self._jobs

    def wanted(self, key: Key, asked: Measuring, total: int) -> Job:
        """The job of that key; a new one if there is none.

        Raises:
            SurveysFull: too many wait.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is not None and not job.is_stale:
                return job
            if len(self._queue) >= WAITING:
                n = len(self._queue)
                raise SurveysFull(f"{n} models wait to be measured. Try again later.", id="surveys-full", n=n)
            job = self._jobs[key] = Job(asked, total=total)
            self._queue.append(key)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="attnviz-surveys", daemon=True)
                self._worker.start()
            self._changed.notify_all()
            return job

    def give_up(self, name: str, which: str) -> None:
        """Forget a list of a model that nobody waits for any more, unless it is being measured already."""
        with self._changed:
            for key in [key for key in self._queue if key[0] == name and key[-1] == which]:
                self._queue.remove(key)
                del self._jobs[key]

    def close(self) -> None:
        """End the process, as the server stops."""
        if self._process is not None:
            self._process.kill()

    # ------------------------------------------------------------------------------------------------- the one worker

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._queue:
                    self._changed.wait()
                key = self._queue.pop(0)
            try:
                self._measure(key)
            except AttnvizError as error:
                self._failed(key, error)
            except Exception as error:
                log.exception("heads could not be measured")
                name = type(error).__name__
                sentence = f"The heads could not be measured ({name}). Try again later."
                self._failed(key, SurveyCrashed(sentence, id="survey-crashed", code=name))

    def _measure(self, key: Key) -> None:
        started = time.monotonic()
        process = self.start(self._jobs[key].asked)
        with self._changed:
            self._process = process

        def heard(done: int, total: int) -> None:
            with self._changed:
                self._jobs[key] = replace(self._jobs[key], done=done, total=total)

        try:
            came = process.listen(heard)
        finally:
            with self._changed:
                self._process = None
        self._keep(key, came)
        with self._changed:
            del self._jobs[key]
        log.info("measured the heads of %s in %.0f s", key[0], time.monotonic() - started)

    def _failed(self, key: Key, error: AttnvizError) -> None:
        with self._changed:
            self._jobs[key] = replace(self._jobs[key], error=error, ended=time.monotonic())
            over = [key for key, job in self._jobs.items() if job.ended]
            for key in over[: max(0, len(over) - FAILURES)]:
                del self._jobs[key]
