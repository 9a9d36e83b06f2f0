"""What is measured beside the pages: kept in memory, bounded, and a queue of what is still missing.

Surveys and pairs of models have files of their own; here is also any work on one text that takes many runs.
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic

from attnviz_app.jobs.process import ProcessCrashed
from attnviz_app.jobs.queue import Asked, Found, Job, Measured, Queue, State
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process
from cachetools import LRUCache

from attnviz.core.errors import AttnvizError, LimitError

WAITING = 8  # measurements that may wait while one goes on
RETRY_SECONDS = 300.0  # after a failure, until somebody may ask again
MANY_RUNS = 64  # results of many runs that are remembered, of all visitors together
Work = Callable[[Callable[[int, int], None]], Any]  # is given what to tell how many runs are done, and of how many


class Stopped(ProcessCrashed):
    """Work in the queue's own thread ends: nobody waits for it any more, or the server stops."""


class Measurements(Generic[Asked, Found]):
    """Measurements of one kind, one at a time. Safe to share between threads."""

    def __init__(
        self, name: str, runs: Runs, *, memory_bytes: int, size: Callable[[Found], int],
        full: Callable[[int], LimitError], crashed: Callable[[str | int], AttnvizError],
    ) -> None:  # fmt: skip
        """
        Args:
            size: the bytes of what was measured, of which at most `memory_bytes` stay in memory.
            full, crashed: see Queue.
        """
        self._runs = runs
        self._cached: LRUCache[Hashable, Found] = LRUCache(memory_bytes, getsizeof=size)
        self._lock = threading.Lock()
        self.queue: Queue[Asked, tuple[int, int]] = Queue(
            f"attnviz-{name}", self._measure, full=full, crashed=crashed, retry_seconds=RETRY_SECONDS
        )

    def _measure(self, job: Job[Asked, tuple[int, int]]) -> State:
        raise NotImplementedError

    def _teller(self) -> Callable[[int, int], None]:
        """What work in this thread tells how much is done, of how much; it raises `Stopped` once it is to end."""
        stopped = threading.Event()
        self.queue.stops_by(stopped.set)

        def tell(done: int, total: int) -> None:
            if stopped.is_set():
                raise Stopped(0)
            self.queue.tell((done, total))

        return tell

    def _ask(self, key: Hashable, asked: Asked, n: int = 0, *, starts: bool = True) -> Measured[Found]:
        """What was measured, or how far that is, of `n`; begun if `starts`."""
        known, job = self._known(key), self.queue.job(key)
        if known is not None:
            return Measured(known)
        if starts:
            try:
                job = self.queue.put(key, asked, (0, n), most=WAITING)
            except LimitError as error:
                return Measured(error=error)
        if job is None or not (job.is_active or job.error):
            return Measured(None, 0, n)
        return Measured(None, *job.progress, job.error)

    def _known(self, key: Hashable) -> Found | None:
        with self._lock:
            found: Found | None = self._cached.get(key)
        return found

    def _keep(self, key: Hashable, found: Found) -> None:
        with self._lock:
            self._cached[key] = found

    @property
    def nbytes(self) -> int:
        return int(self._cached.currsize)

    def close(self) -> None:
        self.queue.close()


class ManyRuns(Measurements[Work, Any]):
    """Work on one text, such as silencing every head, in a thread of the server."""

    def __init__(self, runs: Runs) -> None:
        super().__init__(
            "many-runs", runs, memory_bytes=MANY_RUNS, size=lambda found: 1,
            full=lambda n: LimitError(
                f"{n} others wait for many runs of a model. Try again later.", id="many-runs-full", n=n
            ),
            crashed=lambda code: AttnvizError(
                f"The runs could not be made ({code}). Try again later.", id="many-runs-crashed", code=code
            ),
        )  # fmt: skip

    def of(self, key: Hashable, work: Work, *, starts: bool) -> Measured[Any]:
        """What came of the work of that name, or how far it is; begun if `starts`."""
        return self._ask(key, work, starts=starts)

    def _measure(self, job: Job[Work, tuple[int, int]]) -> State:
        self._keep(job.key, job.asked(self._teller()))
        return "finished"


@one_of_process
def many_runs(limits: Settings) -> ManyRuns:
    return ManyRuns(runs())
