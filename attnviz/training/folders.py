"""A folder to train into: what is in it already, and what of that may go. Files of others are never touched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from attnviz.core.errors import InputError
from attnviz.training.checkpoints import MODEL, RESUME, checkpoint_files, is_ours, read
from attnviz.training.progress import PROGRESS, is_progress
from attnviz.training.tasks.task import Task

Holds = Literal["nothing", "finished", "unfinished"]


def holds(folder: Path) -> Holds:
    """What an earlier training left in a folder."""
    if is_ours(folder / RESUME):
        return "unfinished"
    return "finished" if is_ours(folder / MODEL) else "nothing"


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder in which a file that was not written by a training has the name of one that would be.

    Raises:
        InputError: the message names it.
    """
    for path in _named_like_ours(folder):
        if not (is_progress(path) if path.name == PROGRESS else is_ours(path)):
            raise InputError(
                f"{path} was not written by attnviz train, and would be replaced. Choose another folder.",
                id="foreign-file", path=str(path),
            )  # fmt: skip


def check_free(folder: Path) -> None:
    """Refuse a folder that holds an earlier training: hours of someone's time, maybe.

    Raises:
        InputError: the message says how to go on with it, or to replace it.
    """
    found = holds(folder)
    if found == "unfinished":
        raise InputError(
            f"{folder} holds an unfinished training. Add --resume to go on with it, or --replace to train anew.",
            id="unfinished-there", path=str(folder),
        )  # fmt: skip
    if found == "finished":
        raise InputError(
            f"{folder} holds a trained model. Choose another folder, or add --replace to train anew.",
            id="finished-there", path=str(folder),
        )  # fmt: skip


def check_task(folder: Path, task: Task) -> None:
    """Refuse to go on with the training of another task.

    Raises:
        InputError: the message names the task in the folder.
        WrongWeights: the file that lets it go on is damaged.
    """
    if not (folder / RESUME).exists():
        return  # `resume` says so
    _, header = read(folder / RESUME)
    if header.get("task") != task.name:
        raise InputError(
            f"The unfinished training in {folder} is of {header.get('task')}, not of {task.name}.",
            id="other-task", path=str(folder), found=str(header.get("task")), asked=task.name,
        )  # fmt: skip


def clear(folder: Path) -> None:
    """Take away what an earlier training left, and nothing else."""
    for path in _named_like_ours(folder):
        if path.name != PROGRESS:
            with suppress(FileNotFoundError):
                path.unlink()


def _named_like_ours(folder: Path) -> Iterator[Path]:
    for path in (folder / MODEL, folder / RESUME, folder / PROGRESS):
        if path.exists():
            yield path
    yield from (path for _, path in sorted(checkpoint_files(folder)))
