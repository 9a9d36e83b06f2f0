"""Models that are being opened: fetched and loaded one at a time in a thread, so that a page can tell and cancel.

What is there then stands in the menus. Nothing here waits for a model. One that is cancelled while its weights are
read is loaded to the end and let go later.
"""

import threading

from attnviz_app.jobs.queue import Job, Queue, State
from attnviz_app.serving.runs import Runs, progress, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.core.errors import AttnvizError, LimitError

WAITING = 8  # models that may wait while one is opened
CLOSE_SECONDS = 10.0
Bytes = tuple[int, int]  # that have come, and in all; (0, 0) while nothing is fetched
Opening = Job[str, Bytes]


class Cancelled(BaseException):
    """Nobody wants this model any more, or the server stops. No `except Exception` of a download keeps it."""


class Openings:
    """The models of one server that are being opened, by name. Safe to share between threads."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._queue: Queue[str, Bytes] = Queue(
            "attnviz-openings", self._open,
            full=lambda n: LimitError(id="openings-full", n=n),
            crashed=lambda code: AttnvizError(
                id="opening-failed", code=code
            ),
        )  # fmt: skip

    def open(self, name: str) -> Opening:
        """Begin to open a model, unless that goes on already.

        Raises:
            LimitError: too many wait.
        """
        return self._queue.put(name, name, (0, 0), most=WAITING)

    def of(self, name: str) -> Opening | None:
        """How far the model is, or how its opening ended: `finished`, `left` where it was cancelled, or `failed` with
        the reason; None where nobody asked for it."""
        return self._queue.job(name)

    def cancel(self, name: str) -> None:
        """Give it up: a download ends at its next bytes."""
        self._queue.leave(name)

    def _open(self, job: Opening) -> State:
        is_cancelled = threading.Event()
        self._queue.stops_by(is_cancelled.set)

        def tell(came: int, total: int) -> None:
            if is_cancelled.is_set():
                raise Cancelled
            self._queue.tell((came, total))

        told = progress.set(tell)
        try:
            self._runs.open(job.asked)
            if is_cancelled.is_set():
                return "left"
            if job.asked not in self._runs.limits.models:
                self._runs.opened.add(job.asked)
            return "finished"
        except Cancelled:
            return "left"
        finally:
            progress.reset(told)

    def close(self) -> None:
        """Wait for its end: a thread that computes would bring the process down with it."""
        self._queue.close(CLOSE_SECONDS)


@one_of_process
def openings(limits: Settings) -> Openings:
    return Openings(runs())
