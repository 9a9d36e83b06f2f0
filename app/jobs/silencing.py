"""What silencing each head of a model does on one text: a run a head, in a thread that lets pages go first."""

from __future__ import annotations

import atexit
import threading

from attnviz_app.jobs.measurements import WAITING, Measurements
from attnviz_app.jobs.process import ProcessCrashed
from attnviz_app.jobs.queue import Job, Measured, State
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.analysis.heads.effect import Effects, every_effect
from attnviz.core.errors import AttnvizError, LimitError
from attnviz.views.heads.parts import sites_of

KEPT = 64  # results remembered, of all visitors together
Key = tuple[str, str, str, str, int | None]  # model, text, target, part, and whose prediction is looked at


class _Stopped(ProcessCrashed):
    """Nobody waits for it any more."""


class Silencings(Measurements[Key, Effects]):
    """The silencings of one server, one at a time. Safe to share between threads."""

    def __init__(self, runs: Runs):
        super().__init__(
            "silencing", runs, None, pattern="*", folder_bytes=0, memory_bytes=KEPT, size=lambda found: 1,
            full=_too_many_wait, crashed=_crashed,
        )  # fmt: skip

    def of(self, key: Key, *, starts: bool) -> Measured[Effects]:
        """The effect of every head, or how far that is; measured if `starts`."""
        known, job = self._known(key), self.queue.job(key)
        if known is not None:
            return Measured(known)
        if starts:
            try:
                job = self.queue.put(key, key, (0, 0), most=WAITING)
            except LimitError as error:
                return Measured(error=error)
        return Measured() if job is None else Measured(None, *job.progress, job.error)

    def _measure(self, job: Job[Key, tuple[int, int]]) -> State:
        model, text, target, part, position = job.asked
        stopped = threading.Event()
        self.queue.stops_by(stopped.set)

        def tell(done: int, total: int) -> None:
            if stopped.is_set():
                raise _Stopped(0)
            self.queue.tell((done, total))

        trace = self._runs.trace(model, text, target)
        sites = sites_of(trace, part)
        self._keep(job.asked, every_effect(self._runs.model(model), trace, sites, position=position, on_progress=tell))
        return "finished"


def _too_many_wait(n: int) -> LimitError:
    return LimitError(f"{n} models wait to be silenced head by head. Try again later.", id="silencings-full", n=n)


def _crashed(code: str | int) -> AttnvizError:
    return AttnvizError(
        f"The heads could not be silenced ({code}). Try again later.", id="silencing-crashed", code=code
    )


@one_of_process
def silencings(limits: Settings) -> Silencings:
    """The one `Silencings` of this process."""
    made = Silencings(runs())
    atexit.register(made.close)
    return made
