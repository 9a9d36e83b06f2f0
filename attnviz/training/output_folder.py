"""A folder to train into: what an earlier training left there, and what may be replaced. Other files stay."""

from pathlib import Path

from attnviz.core.errors import InputError
from attnviz.trace import container
from attnviz.training.checkpoints import KEY, MODEL, RESUME, checkpoint_files, is_trained
from attnviz.training.progress import PROGRESS, is_progress


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder with a file that has the name of one of ours and was not written by a training."""
    for name in (MODEL, RESUME, PROGRESS):
        path = folder / name
        if path.exists() and not (is_progress(path) if name == PROGRESS else container.is_of(path, KEY)):
            raise InputError(id="foreign-file", path=str(path))


def check_free(folder: Path) -> None:
    """Refuse a folder that holds an earlier training; the message says how to resume or replace it."""
    if container.is_of(folder / RESUME, KEY):
        raise InputError(id="unfinished-there", path=str(folder))
    if is_trained(folder):
        raise InputError(id="finished-there", path=str(folder))


def clear(folder: Path) -> None:
    """Delete what an earlier training left, but for its progress file: it is locked by now, and truncated later."""
    for path in (folder / MODEL, folder / RESUME, *checkpoint_files(folder)):
        path.unlink(missing_ok=True)
