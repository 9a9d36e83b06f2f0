"""The trained models of this server on disk: bounded in bytes, the one used longest ago removed first."""

import json
import logging
import os
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from stat import S_ISREG

from attnviz_app.jobs.training_request import RUN, Ask

from attnviz.training import TASKS
from attnviz.training.checkpoints import MODEL, RESUME, is_trained

ASK = "ask.json"  # its time of change is when the run was used last
PREFIX = "attnviz-runs-"  # of a folder that goes with the process; the process's number follows
REMEMBERED = 1000  # removed runs whose links still get a true sentence
log = logging.getLogger(__name__)


class Store:
    """One folder a run, all of them together never above a limit. Safe to share between threads."""

    def __init__(self, folder: Path | None, limit: int):
        """Keep runs in `folder`, or, without one, in a folder that goes with the process."""
        if folder is None:
            _remove_left_over()
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-")
        self.folder = Path(self._temporary.name) if self._temporary else Path(folder or "") / "runs"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.limit = limit
        self._removed: deque[str] = deque(maxlen=REMEMBERED)
        self._lock = threading.Lock()

    @property
    def is_temporary(self) -> bool:
        return self._temporary is not None

    def path(self, id: str) -> Path:
        """The folder of a run, whether there is one or not."""
        assert RUN.fullmatch(id), id
        return self.folder / id

    def has(self, id: str) -> bool:
        """Whether a run is here that left weights, finished or not."""
        return RUN.fullmatch(id) is not None and (self.path(id) / MODEL).is_file()

    def stamp(self, id: str) -> int:
        """When a run's weights changed last; another number means others."""
        return _facts(self.path(id) / MODEL)[0]

    def is_done(self, id: str) -> bool:
        """Whether a run is here that needs no more training."""
        return is_trained(self.path(id)) and not (self.path(id) / RESUME).is_file()

    @property
    def removed(self) -> tuple[str, ...]:
        """The runs that were deleted to free space."""
        return tuple(id for id in self._removed if not self.has(id))

    def ask(self, id: str) -> Ask | None:
        """The request that a run was started with; None where there is none."""
        if not RUN.fullmatch(id):
            return None
        try:
            ask = Ask(**json.loads((self.path(id) / ASK).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return ask if ask.task in TASKS else None

    def begin(self, ask: Ask, room: int, keep: Collection[str] = ()) -> Path:
        """A folder for a run, with `room` bytes free for it under the limit; `keep` are runs that stay in any case."""
        self.make_room(room, (*keep, ask.id))
        path = self.path(ask.id)
        path.mkdir(exist_ok=True)
        (path / ASK).write_text(json.dumps(asdict(ask)), encoding="utf-8")
        return path

    def used(self, id: str) -> None:
        """Mark a run as recently used: others are deleted before it."""
        if RUN.fullmatch(id) and (self.path(id) / ASK).is_file():
            (self.path(id) / ASK).touch()

    def nbytes(self, id: str | None = None) -> int:
        return _nbytes(self.folder if id is None else self.path(id))

    def make_room(self, room: int, keep: Collection[str] = ()) -> None:
        """Remove the runs used longest ago until `room` bytes are free."""
        with self._lock:
            taken = self.nbytes()
            for path in sorted((p for p in self.folder.iterdir() if p.is_dir()), key=lambda p: _facts(p / ASK)):
                if taken + room <= self.limit:
                    return
                if path.name in keep:
                    continue
                taken -= _nbytes(path)
                shutil.rmtree(path, ignore_errors=True)
                self._removed.append(path.name)
                log.info("removed the trained model %s to make room", path.name)

    def close(self) -> None:
        if self._temporary:
            self._temporary.cleanup()


def _remove_left_over() -> None:
    """Take away the temporary folders of servers that were killed; one that runs keeps its own. On Linux alone."""
    processes = Path("/proc")
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*") if (processes / "self").exists() else ():
        number = path.name.removeprefix(PREFIX).split("-")[0]
        if number.isdecimal() and not (processes / number).exists():
            shutil.rmtree(path, ignore_errors=True)


def _facts(path: Path) -> tuple[int, int]:
    """When a file changed last, in nanoseconds, and its bytes; 0 and 0 where it is gone meanwhile."""
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_mtime_ns, facts.st_size if S_ISREG(facts.st_mode) else 0


def _nbytes(folder: Path) -> int:
    return sum(_facts(path)[1] for path in folder.rglob("*"))
