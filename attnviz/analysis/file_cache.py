"""Files that are kept because measuring them again takes long: whole or not there, and bounded in bytes together."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from attnviz.core.errors import WriteError


def write_whole(path: Path, content: bytes) -> None:
    """Keep a file, whole or not at all.

    Raises:
        WriteError: there is no room, or no right to.
    """
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        raise WriteError(f"{path.name} cannot be written: {error.strerror}.") from error


def read_whole(path: Path, most_bytes: int) -> bytes | None:
    """What a file holds; None where there is none or it is larger than any of ours. It was used now."""
    try:
        if not path.is_file() or path.stat().st_size > most_bytes:
            return None
        content = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # a folder that may only be read
        os.utime(path)
    return content


def make_room(folder: Path, pattern: str, most_bytes: int) -> None:
    """The files used longest ago leave until the others take at most so many bytes."""
    taken = 0
    for _, path, n_bytes in sorted(_files(folder, pattern), key=lambda file: file[0], reverse=True):
        taken += n_bytes
        if taken > most_bytes:
            with suppress(OSError):
                path.unlink()


def _files(folder: Path, pattern: str) -> list[tuple[int, Path, int]]:
    """When each was used, its path and its bytes."""
    found = []
    for path in folder.glob(pattern):
        with suppress(OSError):  # gone meanwhile
            about = path.stat()
            found.append((about.st_mtime_ns, path, about.st_size))
    return found
