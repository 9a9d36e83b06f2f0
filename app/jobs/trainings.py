"""Everyone's trainings: one at a time, a person's own at most one, each in a process of its own.

Equal asks are one run: a class that presses the same button waits for one training. Results lie in a bounded store.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from attnviz_app.jobs.process import ChildProcess, Line
from attnviz_app.jobs.queue import Job, Queue, State
from attnviz_app.jobs.training_request import Ask, checked
from attnviz_app.jobs.training_store import Store
from attnviz_app.settings import Settings, one_of_process

from attnviz.core.errors import AttnvizError, LimitError
from attnviz.training import Point
from attnviz.training.checkpoints import RESUME, read

ROOM = 48 * 1024**2  # bytes a run may take on disk; the largest that can be asked for takes about half
START = Point(step=0, loss=0.0, seconds=0.0)
log = logging.getLogger(__name__)

Training = Job[Ask, Point]


class Trainings:
    def __init__(self, limits: Settings, store: Store, start: Callable[[dict[str, Any]], ChildProcess] = ChildProcess):
        self.limits = limits
        self.store = store
        self._start = start
        self._process: ChildProcess | None = None
        self.queue: Queue[Ask, Point] = Queue(
            "attnviz-trainings", self._train,
            full=lambda n: LimitError(id="training-queue-full", n=n),
            crashed=lambda code: AttnvizError(id="training-crashed", code=code),
        )  # fmt: skip

    def submit(self, owner: str, ask: Ask) -> Training:
        """Ask for a training; one that is being made already, or was, is that one.

        Raises:
            LimitError: nobody may train here, too many wait, or this person already has another one.
            InputError: the page does not offer that.
        """
        if not self.limits.training:
            raise LimitError(id="training-off")
        checked(ask, self.limits.training_steps)
        self.queue.saw(owner)
        with self.queue.lock:
            running, known = self.queue.of(owner), self.queue.job(ask.id)
            if running is not None and running.key != ask.id:
                raise LimitError(id="training-own")
            if (known is None or not known.is_active) and self.store.is_done(ask.id):
                self.store.used(ask.id)
                return self.queue.note(Job(ask.id, ask, replace(START, step=ask.steps), "finished"))
            return self.queue.put(ask.id, ask, START, owner=owner, most=self.limits.training_queue)

    def _train(self, job: Training) -> State:
        """Train as much of a run as the time allows, and return how that ended."""
        ask, seconds = job.asked, self.limits.training_seconds
        busy = tuple(str(key) for key in (*self.queue.waiting, ask.id))
        is_resumed = _can_go_on(self.store.path(ask.id))
        folder = self.store.begin(ask, ROOM, busy)
        started, point = time.monotonic(), START
        plan = asdict(replace(ask.plan, max_seconds=seconds))
        asked = {"task": ask.task, "plan": plan, "folder": str(folder), "is_resumed": is_resumed}
        process = self._process = self._start({**asked, "seconds": seconds})

        def stop() -> None:  # before the first step there is nothing to keep
            (process.stop if point.step > 0 or self.store.has(ask.id) else process.kill)()

        def heard(line: Line) -> None:
            nonlocal point
            newest = Point(**line)
            point = replace(newest, accuracy=newest.accuracy or point.accuracy)  # that of the newest checkpoint
            self.queue.tell(point)
            if newest.accuracy and self.store.nbytes(ask.id) > ROOM:
                process.stop()

        self.queue.stops_by(stop)
        try:
            outcome: str = process.listen(heard)
        finally:
            self._process = None
            self.store.make_room(0, busy)
        log.info("trained %s in %.0f s: %s", ask.task, time.monotonic() - started, outcome)
        return outcome.replace(" ", "-")  # type: ignore[return-value]

    def close(self) -> None:
        """End the process, as the server stops; where runs outlive the server it may still write its weights."""
        if self._process is not None and self.store.is_temporary:
            self._process.kill()
        self.queue.close()
        self.store.close()


def _can_go_on(folder: Path) -> bool:
    """Whether an unfinished run is there, and whole."""
    if not (folder / RESUME).is_file():
        return False
    try:
        header, _ = read(folder / RESUME)
    except AttnvizError:
        return False
    return "seconds" in header


@one_of_process
def trainings(limits: Settings) -> Trainings:
    return Trainings(limits, Store(limits.data, limits.training_store), ChildProcess)
