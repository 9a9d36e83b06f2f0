"""Work on one text that takes many runs, such as silencing every head: done beside the page, one piece at a time."""

from collections.abc import Callable, Hashable
from typing import Any

from attnviz_app.jobs.measurements import Measurements
from attnviz_app.jobs.queue import Job, Measured, State
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.core.errors import AttnvizError, LimitError

KEPT = 64  # results remembered, of all visitors together
Work = Callable[[Callable[[int, int], None]], Any]  # is given what to tell how many runs are done, and of how many


class ManyRuns(Measurements[Work, Any]):
    """The work of one server, in a thread. Safe to share between threads."""

    def __init__(self, runs: Runs) -> None:
        super().__init__(
            "many-runs", runs, memory_bytes=KEPT, size=lambda found: 1,
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
