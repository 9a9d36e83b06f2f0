"""The trainings to be drawn: the one that ships and the person's own, recomputed for the person's text and kept."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path

from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.gate import Gate
from attnviz_app.serving.runs import check_characters
from attnviz_app.serving.training_names import changes
from attnviz_app.settings import Settings, one_of_process, settings

from attnviz.bounded_cache import BoundedCache
from attnviz.text import Strings
from attnviz.training import bundled_models
from attnviz.training.checkpoints import saved_steps
from attnviz.training.head_formation import HeadFormation, head_formation

BYTES = 64 * 1024**2
kept: BoundedCache[HeadFormation] = BoundedCache(BYTES, lambda formation: formation.nbytes)
STAND_IN = "reverse"  # shown where a task ships no training and nobody has trained one yet

_measured: deque[Path] = deque(maxlen=64)


@dataclass(frozen=True)
class Source:
    folder: Path
    label: str
    is_running: bool = False


def shipped(task: str, say: Strings) -> Source | None:
    """The training of a task that travels in the package."""
    if task not in bundled_models.BUNDLED:
        return None
    return Source(bundled_models.FOLDER / task, say("training-shipped"))


def of_run(run: str, task: str, say: Strings) -> Source | None:
    """A training of a task that was made here, once it has left a checkpoint."""
    store = trainings().store
    ask = store.ask(run)
    if ask is None or ask.task != task or not store.has(run):
        return None
    store.used(run)
    job = trainings().queue.job(run)
    return Source(store.path(run), changes(ask, say), job is not None and job.is_active)


def formed(source: Source, text: str, script: str) -> HeadFormation:
    """How its heads formed on this text; computed once for all who ask."""
    check_characters(text, settings().max_characters)
    key = (source, saved_steps(source.folder), text, script)
    return kept.get(key, lambda: _formed(source, text, script))


def is_measured(source: Source) -> bool:
    """Whether a training was drawn before, so that it takes no seconds again."""
    return source.folder in _measured


def _formed(source: Source, text: str, script: str) -> HeadFormation:
    with _gate().entered():
        made = head_formation(source.folder, text, script=script, label=source.label, is_running=source.is_running)
    _measured.append(source.folder)
    return made


@one_of_process
def _gate(limits: Settings) -> Gate:
    """A gate of its own: checkpoints that are measured hold up no one's sentence."""
    return Gate(workers=1, queue_length=limits.queue_length, seconds=limits.queue_seconds)
