"""A folder to train into: what an earlier training left there, and what may be replaced. Other files stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attnviz.core.errors import InputError
from attnviz.training.checkpoints import MODEL, RESUME, checkpoint_files, is_ours, read
from attnviz.training.progress import PROGRESS, is_progress
from attnviz.training.tasks.task import Task


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder with a file that has the name of one of ours and was not written by a training.

    Raises:
        InputError: the message names the file.
    """
    for path in _own_paths(folder):
        if not (is_progress(path) if path.name == PROGRESS else is_ours(path)):
            raise InputError(
                f"{path} was not written by attnviz train, and would be replaced. Choose another folder.",
                id="foreign-file", path=str(path),
            )  # fmt: skip


def check_free(folder: Path) -> None:
    """Refuse a folder that holds an earlier training.

    Raises:
        InputError: the message says how to resume or replace it.
    """
    if is_ours(folder / RESUME):
        raise InputError(
            f"{folder} holds an unfinished training. Add --resume to go on with it, or --replace to train anew.",
            id="unfinished-there", path=str(folder),
        )  # fmt: skip
    if is_ours(folder / MODEL):
        raise InputError(
            f"{folder} holds a trained model. Choose another folder, or add --replace to train anew.",
            id="finished-there", path=str(folder),
        )  # fmt: skip


def check_task(folder: Path, task: Task) -> None:
    """Refuse to resume the training of another task.

    Raises:
        InputError: the message names the task in the folder.
        WrongWeights: the file to resume from is damaged.
    """
    if not (folder / RESUME).exists():
        return  # `resume` reports it
    found = str(read(folder / RESUME)[1].get("task"))
    if found != task.name:
        raise InputError(
            f"The unfinished training in {folder} is of {found}, not of {task.name}.",
            id="other-task", path=str(folder), found=found, asked=task.name,
        )  # fmt: skip


def clear(folder: Path) -> None:
    """Delete what an earlier training left. Its progress file is locked by now, and truncated later."""
    for path in _own_paths(folder):
        if path.name != PROGRESS:
            path.unlink(missing_ok=True)


def _own_paths(folder: Path) -> Iterator[Path]:
    yield from (path for path in (folder / MODEL, folder / RESUME, folder / PROGRESS) if path.exists())
    yield from (path for _, path in sorted(checkpoint_files(folder)))
