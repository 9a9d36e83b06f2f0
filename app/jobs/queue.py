"""A queue of work that takes long: one piece at a time, the others in known places, and none that nobody waits for.

Equal asks are one job with several owners. A job goes when its last owner gives up or has closed the dashboard.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from attnviz_app.jobs.process import ProcessCrashed
from cachetools import TTLCache

from attnviz.core.errors import AttnvizError, LimitError

State = Literal[
    "waiting", "running", "stopping", "finished", "stopped", "out-of-time", "diverged", "failed", "left", "freed"
]  # fmt: skip
ACTIVE: tuple[State, ...] = ("waiting", "running", "stopping")
KEPT = 256  # jobs remembered after they ended
FREE_SECONDS = 5.0  # between two looks at who is still there
BEAT_SECONDS = 20.0  # between two times that an open page says so
GRACE_SECONDS = 150.0  # without a word until a person is gone: a browser runs the timers of a hidden tab once a minute
PEOPLE = 10_000  # remembered
log = logging.getLogger(__name__)

Asked = TypeVar("Asked")
Progress = TypeVar("Progress")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Job(Generic[Asked, Progress]):
    """How far a piece of work is."""

    key: Hashable
    asked: Asked
    progress: Progress
    state: State = "waiting"
    owners: frozenset[str] = frozenset()  # who waits for it
    error: AttnvizError | None = None  # why it failed
    ended: float = 0.0  # when it did, on the monotonic clock

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE


@dataclass(frozen=True, eq=False)
class Measured(Generic[Result]):
    """What was measured, or how far that is, or why there will be none now."""

    result: Result | None = None
    done: int = 0  # texts measured
    total: int = 0
    error: AttnvizError | None = None

    @property
    def is_coming(self) -> bool:
        """Whether it is worth asking again in a second."""
        return self.result is None and self.error is None


class Queue(Generic[Asked, Progress]):
    """The jobs of one kind on this server. Safe to share between threads."""

    def __init__(
        self, name: str, run: Callable[[Job[Asked, Progress]], State], *, full: Callable[[int], LimitError],
        crashed: Callable[[str | int], AttnvizError], retry_seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """
        Args:
            name: of the worker's thread.
            run: does the work, in that thread, and returns how it ended.
            full: the refusal where so many wait already.
            crashed: the error where the work ends without a reason; given an exit code, or the name of an exception.
            retry_seconds: how long a failure stands before somebody may ask again.
        """
        self._seen: TTLCache[str, bool] = TTLCache(PEOPLE, GRACE_SECONDS, clock)  # who has the dashboard open
        self.lock = threading.Condition()  # an owner of several queues' facts may hold it around its own questions
        self._name, self._run, self._full, self._crashed = name, run, full, crashed
        self._retry_seconds = retry_seconds
        self._jobs: OrderedDict[Hashable, Job[Asked, Progress]] = OrderedDict()
        self._waiting: list[Hashable] = []
        self._running: Hashable | None = None
        self._stop: Callable[[], None] | None = None
        self._looked = 0.0  # at who is still there
        self._is_closed = False
        self._worker: threading.Thread | None = None

    # ---------------------------------------------------------------------------------------------- what people do

    def put(
        self, key: Hashable, asked: Asked, progress: Progress, *, owner: str = "", most: int
    ) -> Job[Asked, Progress]:
        """The job of that key; a new one where there is none, or where it ended.

        Args:
            progress: before anything is done. most: as many may wait.
        Raises:
            LimitError: too many wait.
        """
        self.free_places()
        with self.lock:
            job = self._jobs.get(key)
            if job is not None and job.is_active:
                return self.note(replace(job, owners=job.owners | {owner}))
            if job is not None and job.error is not None and time.monotonic() - job.ended < self._retry_seconds:
                return job
            if len(self._waiting) >= most:
                raise self._full(len(self._waiting))
            self._waiting.append(key)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._worker.start()
            self.lock.notify_all()
            return self.note(Job(key, asked, progress, owners=frozenset({owner})))

    def leave(self, key: Hashable, owner: str = "", state: State = "left") -> None:
        """Give up a job that is this person's; it ends where nobody else wants it."""
        with self.lock:
            job = self._jobs.get(key)
            if job is None or not job.is_active or owner not in job.owners:
                return
            job = self.note(replace(job, owners=job.owners - {owner}))
            if job.owners:
                return
            if key in self._waiting:
                self._waiting.remove(key)
                self.note(replace(job, state=state))
                return
            self.note(replace(job, state="stopping"))
            stop = self._stop
        if stop is not None:
            stop()

    def free_places(self) -> None:
        """Give up the jobs of people who closed the dashboard; what runs goes on unless somebody waits behind it."""
        with self.lock:
            jobs = [self._jobs[key] for key in self._waiting]
            running = self._jobs.get(self._running)
        for job in jobs:
            for owner in filter(self._is_gone, job.owners):
                self.leave(job.key, owner, "freed")
        if running is not None and self._waiting and all(map(self._is_gone, running.owners)):
            for owner in running.owners:
                self.leave(running.key, owner)

    def saw(self, person: str) -> None:
        """Note that this person has a page open. Who waits has been seen; a reload is no leaving."""
        with self.lock:
            self._seen[person] = True

    def _is_gone(self, owner: str) -> bool:
        with self.lock:
            return bool(owner) and owner not in self._seen

    # --------------------------------------------------------------------------------------------- what people see

    def job(self, key: Hashable) -> Job[Asked, Progress] | None:
        """How far a job is; None where nothing is known of it."""
        return self._jobs.get(key)

    def of(self, owner: str) -> Job[Asked, Progress] | None:
        with self.lock:
            return next((job for job in self._jobs.values() if job.is_active and owner in job.owners), None)

    def place(self, key: Hashable) -> int:
        """How many jobs come before this one; 0 for one that runs."""
        with self.lock:
            return 0 if key not in self._waiting else self._waiting.index(key) + (self._running is not None)

    @property
    def n_active(self) -> int:
        return len(self._waiting) + (self._running is not None)

    @property
    def waiting(self) -> tuple[Hashable, ...]:
        """The keys of those that wait, in order."""
        return tuple(self._waiting)

    # ------------------------------------------------------------------------------------------ what the work does

    def stops_by(self, stop: Callable[[], None]) -> None:
        """Say how the running job is stopped; called at once where nobody wants it any more."""
        with self.lock:
            self._stop = stop
            is_unwanted = self._is_closed or self._jobs[self._running].state == "stopping"
        if is_unwanted:
            stop()

    def tell(self, progress: Progress) -> None:
        """Note how far the running job is, and look now and then who still waits for the others."""
        with self.lock:
            self.note(replace(self._jobs[self._running], progress=progress))
        now = time.monotonic()
        if now - self._looked >= FREE_SECONDS:
            self._looked = now
            self.free_places()

    def note(self, job: Job[Asked, Progress]) -> Job[Asked, Progress]:
        """Remember a job; of those that ended, the newest."""
        with self.lock:
            self._jobs[job.key] = job
            self._jobs.move_to_end(job.key)
            ended = [key for key, other in self._jobs.items() if not other.is_active]
            for key in ended[: max(0, len(self._jobs) - KEPT)]:
                del self._jobs[key]
        return job

    def close(self, wait: float = 0.0) -> None:
        """Stop what runs, as the server stops, and forget those that wait: none may begin in a server that is gone."""
        with self.lock:
            self._is_closed = True
            self._waiting.clear()
            stop = self._stop
            self.lock.notify_all()
        if stop is not None:
            stop()
        if self._worker is not None:
            self._worker.join(wait)

    def _work(self) -> None:
        while True:
            with self.lock:
                while not self._waiting and not self._is_closed:
                    self.lock.wait()
                if self._is_closed:
                    return
                key = self._running = self._waiting.pop(0)
                job = self.note(replace(self._jobs[key], state="running"))
            state, error = self._ended(job)
            with self.lock:
                if error is not None and self._jobs[key].state == "stopping":  # it was ended, as asked
                    state, error = "left", None
                self._running = self._stop = None
                self.note(replace(self._jobs[key], state=state, error=error, ended=time.monotonic()))

    def _ended(self, job: Job[Asked, Progress]) -> tuple[State, AttnvizError | None]:
        try:
            return self._run(job), None
        except AttnvizError as error:
            return "failed", error
        except ProcessCrashed as error:
            return "failed", self._crashed(error.code)
        except Exception as error:
            log.exception("%s: the work failed", self._name)
            return "failed", self._crashed(type(error).__name__)
