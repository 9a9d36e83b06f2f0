"""Writes a file whole or not at all, and says in a sentence why it could not be written."""

import errno
import os
import threading
from contextlib import suppress
from pathlib import Path

from attnviz.core.errors import WriteError


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and move it into place: a crash leaves no half file, and an older one whole.

    Raises:
        WriteError: there is no room, or no right to.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as fault:
        with suppress(OSError):
            unfinished.unlink()
        raise cannot_write(path, fault) from fault


def cannot_write(path: Path, fault: OSError) -> WriteError:
    """The error for a file that could not be written."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return WriteError(id="no-room", path=str(path))
    reason = fault.strerror or type(fault).__name__
    return WriteError(id="cannot-write", path=str(path), fault=reason)
