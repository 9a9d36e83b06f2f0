"""The progress of a training, for other processes: a file of JSON lines that grows with each step.

{"task": "copy", "steps": 1500, "plan": {…}}        first
{"step": 8, "loss": 3.51, "seconds": 0.4, …}        a line per step; accuracy and answers at checkpoints
{"outcome": "finished"}                             last; missing while it runs, and after a crash
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from attnviz.core.errors import InputError, WrongWeights
from attnviz.files import cannot_write
from attnviz.training.checkpoints import malformed
from attnviz.training.result import Outcome, Point, plan_of, point_of
from attnviz.training.tasks.task import Plan

try:
    import fcntl
except ImportError:  # on Windows two trainings in one folder go unnoticed
    fcntl = None  # type: ignore[assignment]

PROGRESS = "progress.jsonl"
BEGINNING = b'{"task":'


@dataclass(frozen=True)
class Progress:
    """A training as its file describes it."""

    task: str
    plan: Plan
    log: tuple[Point, ...]
    outcome: Outcome | None  # None: it still runs, or crashed

    @property
    def step(self) -> int:
        return self.log[-1].step if self.log else 0


class ProgressFile:
    """The file while it is written. Without a folder it writes nothing."""

    def __init__(self, folder: Path | None) -> None:
        """Lock a folder for one training; another one that writes into it is refused."""
        self._file: IO[str] | None = None
        if folder is None:
            return
        self.path = folder / PROGRESS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a", encoding="utf-8")
        except OSError as fault:
            raise cannot_write(self.path, fault) from fault
        try:
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            self._file.close()
            raise InputError(id="folder-in-use", path=str(folder)) from fault

    def begin(self, task: str, plan: Plan, log: Iterable[Point]) -> None:
        """Start anew with the plan, and the log of a training that is resumed."""
        if self._file is not None:
            self._file.truncate(0)
            self._write({"task": task, "steps": plan.steps, "plan": asdict(plan)}, *map(_line_of, log))

    def note(self, point: Point) -> None:
        self._write(_line_of(point))

    def end(self, outcome: Outcome) -> None:
        self._write({"outcome": outcome})

    def __enter__(self) -> ProgressFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # closing flushes again what a full disk refused
                self._file.close()

    def _write(self, *lines: dict[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
            self._file.flush()
        except OSError as fault:
            raise cannot_write(self.path, fault) from fault


def _line_of(point: Point) -> dict[str, Any]:
    return {name: value for name, value in asdict(point).items() if value != {}}


def read_progress(folder: str | Path) -> Progress:
    """How far the training in a folder is, quick enough to ask several times a second; WrongWeights without one."""
    path = Path(folder) / PROGRESS
    try:
        with malformed(path):
            first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
            header = json.loads(first)
            lines = [json.loads(line) for line in rest if line.endswith("\n")]  # the last one may be half written
            outcome = lines.pop()["outcome"] if lines and "outcome" in lines[-1] else None
            return Progress(header["task"], plan_of(header["plan"]), tuple(map(point_of, lines)), outcome)
    except WrongWeights as fault:
        raise WrongWeights(id="no-progress", path=str(path)) from fault


def is_progress(path: Path) -> bool:
    """Whether a file was written by a training, or is empty."""
    if not path.is_file():  # a pipe would block
        return False
    with path.open("rb") as file:
        return file.read(len(BEGINNING)) in (b"", BEGINNING)
