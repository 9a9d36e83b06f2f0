"""The models that the person of this computer opened: names in a small file of their configuration folder.

On a hosted server there are none. The file may say anything: what is no list of names is an empty one.
"""

import json
import logging
import os
import sys
import threading
from pathlib import Path

from attnviz_app.settings import Settings, one_of_process

from attnviz.core.errors import WriteError
from attnviz.files import write_whole

MOST = 24  # names
LONGEST = 1024  # characters of one
FILE_BYTES = 4 * MOST * LONGEST  # the largest file that is read: every character of every name in four bytes
log = logging.getLogger(__name__)


class OpenedModels:
    """The names, the newest first. Safe to share between threads."""

    def __init__(self, path: Path | None) -> None:
        """`path`: of the file; None keeps them in memory alone."""
        self._path, self._lock = path, threading.Lock()
        self._names = () if path is None else _read(path)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def add(self, name: str) -> None:
        if is_name(name):
            self._change((name,), name)

    def remove(self, name: str) -> None:
        self._change((), name)

    def _change(self, first: tuple[str, ...], name: str) -> None:
        """Put a name first or leave it out, also where another server wrote the file meanwhile."""
        with self._lock:
            others = self._names if self._path is None else _read(self._path) or self._names
            self._names = (*first, *(other for other in others if other != name))[:MOST]
            if self._path is None:
                return
            try:
                write_whole(self._path, json.dumps({"models": self._names}, indent=1).encode())
            except WriteError as problem:  # they stay in the menu until the server ends
                log.warning("%s", problem)


def is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= LONGEST and name.isprintable()


def _read(path: Path) -> tuple[str, ...]:
    try:
        with path.open("rb") as opened:
            said = json.loads(opened.read(FILE_BYTES))
    except (OSError, ValueError, RecursionError):
        return ()
    names = said.get("models") if isinstance(said, dict) else None
    return tuple(dict.fromkeys(filter(is_name, names)))[:MOST] if isinstance(names, list) else ()


def config_folder() -> Path:
    """Where a person's settings are kept."""
    named = os.environ.get("XDG_CONFIG_HOME")
    if named:
        return Path(named) / "attnviz"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or os.path.expanduser("~/AppData/Roaming")) / "attnviz"
    return Path(os.path.expanduser("~/.config")) / "attnviz"


@one_of_process
def opened_models(limits: Settings) -> OpenedModels:
    return OpenedModels(None if limits.is_hosted else config_folder() / "opened-models.json")
