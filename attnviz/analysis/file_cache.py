"""A folder of cached files: each is written whole or not at all, and all together stay below a number of bytes."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from attnviz.core.errors import TraceFileError
from attnviz.trace import container
from attnviz.trace.container import Parts

Made = TypeVar("Made")


def read(path: Path, key: container.Key, make: Callable[[Parts], Made]) -> Made | None:
    """What is made of the header and the tensors of a file, marked as used now; None where it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # a read-only folder
        os.utime(path)
    try:
        with container.refusing_broken(path.name):
            return make(container.read_bytes(content, path.name, key))
    except TraceFileError:
        return None


def make_room(folder: Path, pattern: str, most_bytes: int) -> None:
    """Delete the files used longest ago until the others take at most so many bytes."""
    files = []
    for path in folder.glob(pattern):
        with suppress(OSError):  # deleted meanwhile
            files.append((path.stat().st_mtime_ns, path.stat().st_size, path))
    taken = 0
    for _, n_bytes, path in sorted(files, reverse=True):
        taken += n_bytes
        if taken > most_bytes:
            with suppress(OSError):
                path.unlink()
