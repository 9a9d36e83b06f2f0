"""Walks folders that others fill: a bounded number of entries, links to folders closed, no file outside the folder."""

import os
from collections.abc import Iterator
from pathlib import Path

MOST = 500  # entries of one folder


def is_within(path: Path, root: Path) -> bool:
    """Whether this is an ordinary file that lies in a folder once every link is followed; a circle of links is not."""
    try:
        real = os.path.realpath(path)
        return os.path.isfile(real) and Path(real).is_relative_to(os.path.realpath(root))
    except (OSError, ValueError):  # a name that is too long, or with a NUL in it
        return False


def files(folder: Path) -> Iterator[Path]:
    return (Path(entry.path) for entry in _entries(folder) if not entry.is_dir(follow_symlinks=False))


def subfolders(folder: Path) -> Iterator[Path]:
    return (Path(entry.path) for entry in _entries(folder) if entry.is_dir(follow_symlinks=False))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing where it cannot be read."""
    listed = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                listed.append(entry)
                if len(listed) == MOST:
                    break
    except OSError:
        pass
    return sorted(listed, key=lambda entry: entry.name)
