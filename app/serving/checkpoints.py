"""The checkpoints that a training left, each a model of its own: `step250:reverse` is `reverse` as it was then."""

import re
from functools import lru_cache
from pathlib import Path

from attnviz_app.jobs.training_store import Store

from attnviz.catalog import known_names
from attnviz.training import bundled_models
from attnviz.training.checkpoints import MODEL, is_trained, read, saved_steps

_NAME = re.compile(r"step([0-9]{1,6}):(.{1,500})", re.ASCII)


def named(step: int, model: str) -> str:
    return f"step{step}:{model}"


def parsed(name: str) -> tuple[int, str] | None:
    """The step and the model that a name stands for; None where it is not that of a checkpoint."""
    match = _NAME.fullmatch(name)
    return None if match is None else (int(match[1]), match[2])


def model_of(name: str) -> str:
    """The model that a name is of: of a checkpoint the one that was trained, else that of the name itself."""
    checkpoint = parsed(name)
    return name if checkpoint is None else checkpoint[1]


def folder_of(model: str, store: Store) -> Path | None:
    """Where a training left its checkpoints; None for a model that nobody trained here."""
    if store.has(model):
        return store.path(model)
    if model in bundled_models.names():
        task, _ = bundled_models.IN_SCRIPT.get(model, (model, ""))
        return bundled_models.FOLDER / task
    return Path(model) if model not in known_names() and is_trained(Path(model)) else None


def steps_of(model: str, store: Store) -> tuple[int, ...]:
    """The steps a model can be looked at, before its last: that one is the model itself."""
    folder = folder_of(model, store)
    if folder is None:
        return ()
    steps = saved_steps(folder)
    if not is_trained(folder):
        return steps
    last = _last_step(folder, (folder / MODEL).stat().st_mtime_ns)
    return tuple(step for step in steps if step < last)


@lru_cache(maxsize=64)
def _last_step(folder: Path, changed_at: int) -> int:
    header, _ = read(folder / MODEL)
    return int(header["steps"])
