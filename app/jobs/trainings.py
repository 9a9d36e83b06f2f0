"""Everyone's trainings: one at a time, the others in a queue whose places are known, a person's own at most one.

Equal asks are one run: a class that presses the same button waits for one training. Results lie in a bounded store.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from attnviz_app.jobs.presence import Presence
from attnviz_app.jobs.training_process import Line, Sitting, TrainingCrashed, TrainingProcess
from attnviz_app.jobs.training_store import Store
from attnviz_app.settings import Settings, settings
from attnviz_app.train.request import Ask, checked

from attnviz.core.errors import AttnvizError, LimitError
from attnviz.training.checkpoints import RESUME, read

State = Literal[
    "waiting", "running", "stopping", "finished", "stopped", "out-of-time", "diverged", "failed", "left", "freed"
]  # fmt: skip
ACTIVE: tuple[State, ...] = ("waiting", "running", "stopping")
ROOM = 48 * 1024**2  # bytes a run may take on disk; the largest that can be asked for takes about half
FREE_SECONDS = 5.0  # between two looks at who is still there
KEPT = 256  # jobs remembered after they ended; their models are the store's
log = logging.getLogger(__name__)
_making = threading.Lock()


class OneAtATime(LimitError):
    """A person who already waits or trains asked for another training."""


class QueueFull(LimitError):
    """More people wait than the operator allows."""


class TrainingOff(LimitError):
    """The operator lets nobody train here."""


@dataclass(frozen=True)
class Job:
    """How far a training is."""

    ask: Ask
    state: State
    owners: frozenset[str] = frozenset()  # who asked for it; it is stopped when none is left
    step: int = 0
    loss: float | None = None
    seconds: float = 0.0
    accuracy: dict[str, float] = field(default_factory=dict)  # at the newest checkpoint, by held-out split
    n_checkpoints: int = 0  # measured so far in this sitting
    error: AttnvizError | None = None

    @property
    def id(self) -> str:
        return self.ask.id

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE


class Process(Protocol):
    """What the queue needs of a process."""

    def listen(self, heard: Callable[[Line], None]) -> str: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...


class Trainings:
    """The queue of one server."""

    def __init__(
        self, limits: Settings, store: Store, start: Callable[[Sitting], Process], presence: Presence | None = None
    ):
        self.limits = limits
        self.store = store
        self.presence = presence or Presence()
        self._start = start
        self._looked = 0.0  # at who is still there
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: deque[str] = deque()
        self._process: Process | None = None
        self._running: str | None = None
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None

    # ---------------------------------------------------------------------------------------------- what people do

    def submit(self, owner: str, ask: Ask) -> Job:
        """Ask for a training; one that is being made already, or was, is that one.

        Raises:
            TrainingOff: nobody may train here.
            InputError: the page does not offer that.
            OneAtATime: this person already has one.
            QueueFull: too many wait.
        """
        if not self.limits.training:
            raise TrainingOff("Training is switched off on this server.", id="training-off")
        checked(ask, self.limits.training_steps)
        self.free_places()
        with self._changed:
            own = self.of(owner)
            if own is not None and own.id != ask.id:
                raise OneAtATime("You have a training already. Stop it first, or wait for it.", id="training-own")
            known = self._jobs.get(ask.id)
            if known is not None and known.is_active:
                return self._put(replace(known, owners=known.owners | {owner}))
            if self.store.is_done(ask.id):
                self.store.used(ask.id)
                return self._put(Job(ask, "finished", step=ask.steps))
            if len(self._queue) >= self.limits.training_queue:
                n = len(self._queue)
                raise QueueFull(f"{n} trainings are waiting. Try again later.", id="training-queue-full", n=n)
            job = self._put(Job(ask, "waiting", frozenset({owner})))
            self._queue.append(ask.id)
            self._work()
            self._changed.notify_all()
            return job

    def cancel(self, owner: str, id: str, left: State = "left") -> bool:
        """Give up one's own training: it ends when nobody else wants it, and what was trained is kept.

        Args:
            left: what one that had not begun is then called.
        Returns: whether it was this person's to give up.
        """
        with self._changed:
            job = self._jobs.get(id)
            if job is None or not job.is_active or owner not in job.owners:
                return False
            job = self._put(replace(job, owners=job.owners - {owner}))
            if job.owners:
                return True
            if id in self._queue:
                self._queue.remove(id)
                self._put(replace(job, state="stopped" if self.store.has(id) else left))
                return True
            self._put(replace(job, state="stopping"))
            process, has_begun = self._process, job.step > 0 or self.store.has(id)
        if process is not None:
            (process.stop if has_begun else process.kill)()  # before the first step there is nothing to keep
        return True

    def free_places(self) -> None:
        """Give up, for those who have closed their browser, what they wait for.

        One that runs goes on where nobody waits behind it; else it is stopped, and what was trained is kept.
        """
        with self._changed:
            waiting = [job for job in self._jobs.values() if job.state == "waiting"]
        for job in waiting:
            for owner in filter(self.presence.is_gone, job.owners):
                self.cancel(owner, job.id, "freed")
        running = self._jobs.get(self._running or "")
        if running is None or not self._queue or not running.owners:
            return
        if all([self.presence.is_gone(owner) for owner in running.owners]):  # all are asked: time runs for each
            for owner in running.owners:
                self.cancel(owner, running.id)

    # --------------------------------------------------------------------------------------------- what people see

    def job(self, id: str) -> Job | None:
        """How far a run is; None where nothing is known of it since the server started."""
        return self._jobs.get(id)

    def of(self, owner: str) -> Job | None:
        """The training this person waits for."""
        with self._changed:
            return next((job for job in self._jobs.values() if job.is_active and owner in job.owners), None)

    def place(self, id: str) -> int:
        """How many trainings come before this one; 0 for one that runs."""
        with self._changed:
            if id not in self._queue:
                return 0
            return self._queue.index(id) + (self._running is not None)

    # ------------------------------------------------------------------------------------------------- the one worker

    def _put(self, job: Job) -> Job:
        self._jobs[job.id] = job
        self._jobs.move_to_end(job.id)
        ended = [id for id, other in self._jobs.items() if not other.is_active]
        for id in ended[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[id]
        return job

    def _work(self) -> None:
        """Start the worker with the first job."""
        if self._worker is None:
            self._worker = threading.Thread(target=self._work_forever, name="attnviz-trainings", daemon=True)
            self._worker.start()

    def _work_forever(self) -> None:
        while True:
            with self._changed:
                while not self._queue:
                    self._changed.wait()
                id = self._running = self._queue.popleft()
                self._put(replace(self._jobs[id], state="running"))
            end: dict[str, Any] = {}
            try:
                end["state"] = self._train(id)
            except AttnvizError as error:
                end = {"state": "failed", "error": error}
                if isinstance(error, TrainingCrashed) and self._jobs[id].state == "stopping":  # it was ended, as asked
                    end = {"state": "stopped" if self.store.has(id) else "left"}
            except Exception as error:
                log.exception("a training could not be run")
                name = type(error).__name__
                sentence = f"The training could not be started ({name}). Try again."
                end = {"state": "failed", "error": TrainingCrashed(sentence, id="training-crashed", code=name)}
            with self._changed:
                self._running = self._process = None
                self._put(replace(self._jobs[id], **end))

    def _train(self, id: str) -> str:
        """Run one sitting to its end and return how it ended."""
        ask = self._jobs[id].ask
        busy = [*self._queue, id]
        before = _seconds_before(self.store.path(id))
        folder = self.store.begin(ask, ROOM, busy)
        started = time.monotonic()
        process = self._start(Sitting(ask, folder, self.limits.training_seconds, before))
        with self._changed:
            self._process = process
            is_unwanted = self._jobs[id].state == "stopping"
        if is_unwanted:
            process.stop()
        try:
            outcome = process.listen(lambda line: self._heard(id, line, process))
        finally:
            self.store.make_room(0, busy)
        log.info("trained %s in %.0f s: %s", ask.task, time.monotonic() - started, outcome)
        return outcome.replace(" ", "-")

    def _heard(self, id: str, line: Line, process: Process) -> None:
        """A point of the log."""
        point = line.get("point")
        if point is None:
            return
        self._look_around()
        with self._changed:
            job = replace(self._jobs[id], step=point["step"], loss=point["loss"], seconds=point["seconds"])
            if point["accuracy"]:
                job = replace(job, accuracy=point["accuracy"], n_checkpoints=job.n_checkpoints + 1)
            self._put(job)
        if point["accuracy"] and self.store.nbytes(id) > ROOM:
            process.stop()

    def _look_around(self) -> None:
        """Free places now and then: somebody waits only while something runs, and what runs is heard."""
        now = time.monotonic()
        if now - self._looked >= FREE_SECONDS:
            self._looked = now
            self.free_places()

    def close(self) -> None:
        """End the process, as the server stops; where runs outlive the server it may still write its weights.

        Those that wait are forgotten: none may begin in a server that is gone.
        """
        with self._changed:
            self._queue.clear()
        if self._process is not None:
            (self._process.kill if self.store.is_temporary else self._process.stop)()
        self.store.close()


def _seconds_before(folder: Path) -> float:
    """The time an unfinished run has taken so far; 0 where there is none to go on with."""
    if not (folder / RESUME).is_file():
        return 0.0
    try:
        return float(read(folder / RESUME)[1]["seconds"]) or 1e-3
    except AttnvizError:
        return 0.0


@cache
def _trainings(limits: Settings) -> Trainings:
    made = Trainings(limits, Store(limits.data, limits.training_store), TrainingProcess)
    atexit.register(made.close)
    return made


def trainings() -> Trainings:
    """The one `Trainings` of this process."""
    with _making:
        return _trainings(settings())
