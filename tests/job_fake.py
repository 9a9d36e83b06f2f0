"""A process that does what a test says, in the place of one that trains or measures."""

import queue
import time
from pathlib import Path
from typing import ClassVar

from attnviz_app.jobs.process import ProcessCrashed


class FakeProcess:
    """A process that says what a test tells it to, ends when it is told to or stopped, and leaves nothing."""

    started: ClassVar[list["FakeProcess"]] = []

    def __init__(self, asked):
        self.asked = asked
        self.folder = Path(asked["folder"])
        self.run = self.folder.name  # the id of the training
        self.lines: queue.Queue[dict] = queue.Queue()
        self.is_stopped = False
        FakeProcess.started.append(self)

    def listen(self, heard):
        while True:
            line = self.lines.get(timeout=20)
            if "result" in line:
                return line["result"]
            if "crash" in line:
                raise ProcessCrashed(-9)
            heard(line)

    def say(self, step, accuracy=None):
        self.lines.put({"step": step, "loss": 1.0 / step, "seconds": step / 10, "accuracy": accuracy or {}})

    def end(self, outcome="finished"):
        self.lines.put({"result": outcome})

    def stop(self):
        self.is_stopped = True
        self.end("stopped")

    kill = stop


def started(n=1):
    """The n-th process, once it is there."""
    until(lambda: len(FakeProcess.started) >= n)
    return FakeProcess.started[n - 1]


def leave_nothing_behind(trainings):
    """Close them and wait for what ran: a thread left behind would fail in the middle of another test."""
    trainings.close()
    for process in list(FakeProcess.started):
        process.stop()
    until(lambda: not any(job.is_active for it in FakeProcess.started if (job := trainings.queue.job(it.run))))


def until(condition, seconds=10.0):
    """Wait for another thread; what never happens fails the test."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)
