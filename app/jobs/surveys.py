"""What the heads of each model do over many sentences: measured beside the pages, one model at a time, then kept.

Those of the bundled models come with the package and are there at once. Nothing here waits for a measurement.
"""

from __future__ import annotations

import atexit
import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pandas as pd
from attnviz_app.jobs.cache_folder import KeptFolder
from attnviz_app.jobs.survey_process import Measuring, Process, SurveyCrashed, SurveyProcess
from attnviz_app.jobs.survey_queue import Key, SurveyQueue
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.runs import Runs, runs
from cachetools import LRUCache

from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import REPEATS, Survey, languages_of
from attnviz.analysis.heads.survey_cache import bundled_survey, unpacked
from attnviz.catalog import known_names
from attnviz.core.errors import AttnvizError, LimitError
from attnviz.scratch.untrained import UntrainedModel
from attnviz.text import strings
from attnviz.trace.model import Model, model_bytes
from attnviz.training import TrainedModel

KEPT_BYTES = 128 * 1024**2  # of tables, of all models and lists together
FOLDER_BYTES = 64 * 1024**2  # of those on disk
SECONDS, OWN_SECONDS = 600.0, 180.0  # of one set; of a person's own list
_making = threading.Lock()


@dataclass(frozen=True, eq=False)
class Surveyed:
    """The heads of a model over many sentences, or how far that is, or why it cannot be had."""

    frame: pd.DataFrame | None = None  # as `head_metrics` of several texts, with `kind_of_head`
    done: int = 0  # texts measured
    total: int = 0
    reason: str | None = None  # why there is none and will be none now, in the reader's language
    survey: Survey | None = None
    language: str = ""  # of the bundled sentences; "" for those of a model's own task, and for a person's list

    @property
    def is_coming(self) -> bool:
        """Whether it is worth asking again in a second."""
        return self.frame is None and self.reason is None


class Surveys:
    """The tables of one server, and the queue of those that are not there yet. Safe to share between threads."""

    def __init__(self, runs: Runs, start: Callable[[Measuring], Process] = SurveyProcess, folder: Path | None = None):
        self._runs = runs
        self._folder = KeptFolder(folder, "attnviz-surveys-", "*.npz", FOLDER_BYTES)
        self._kept: LRUCache[Key, Survey] = LRUCache(KEPT_BYTES, getsizeof=nbytes)
        self._unshipped: set[Key] = set()
        self._lock = threading.Lock()
        self.queue = SurveyQueue(start, self._keep)

    def of(self, name: str, language: str = "en") -> Surveyed:
        """The heads of a model over the sentences of this project that it can read; measured if they are not.

        Args:
            name: a model of the menu.
            language: of the page: the reasons are said in it, and its sentences are taken if the model reads them.
        """
        return self._of(name, language, starts=True)

    def known(self, name: str, language: str = "en") -> Surveyed:
        """The same as far as it is there; nothing is measured for this question."""
        return self._of(name, language, starts=False)

    def _of(self, name: str, language: str, *, starts: bool) -> Surveyed:
        try:
            model = self._runs.model(name)
            if isinstance(model, UntrainedModel):
                sentence = f"{model.card.name} was never trained. Its heads are not measured over many sentences."
                raise LimitError(sentence, id="survey-untrained", model=model.card.name)
            if isinstance(model, TrainedModel):
                return self._found(name, model, "", model.own_texts, language, starts=starts)
            own = _readable(model, language)
            return self._found(name, model, own, lambda: bundled(own), language, starts=starts)
        except AttnvizError as error:
            return Surveyed(reason=_said(error, language))

    def own(self, name: str, sentences: Sequence[str], language: str = "en") -> Surveyed:
        """The heads of a model over a person's own sentences; kept in memory alone, and not for long."""
        try:
            return self._found(name, self._runs.model(name), "", lambda: tuple(sentences), language, is_own=True)
        except AttnvizError as error:
            return Surveyed(reason=_said(error, language))

    def give_up(self, name: str, sentences: Sequence[str]) -> None:
        """Forget a list that nobody waits for any more, unless it is being measured already."""
        self.queue.give_up(name, _which(sentences))

    def _found(
        self, name: str, model: Model, own: str, texts: Callable[[], tuple[str, ...]], language: str, *,
        is_own: bool = False, starts: bool = True,
    ) -> Surveyed:  # fmt: skip
        key: Key = (name, model.card.revision, _which(texts()) if is_own else own)
        found = self._kept_or_shipped(key, model, texts, is_own)
        if found is not None:
            n = len(found.sentences) + REPEATS
            return Surveyed(found.frame, n, n, survey=replace(found, card=model.card), language=own)
        self._check(name, model)
        store, sentences = self._runs.store, texts()
        if not starts and key not in self.queue:
            return Surveyed(None, 0, len(sentences) + REPEATS, language=own)
        asked = Measuring(
            model=name, trained=str(store.path(name)) if store.has(name) else "", device=self._runs.limits.device,
            dtype=self._runs.limits.dtype, language=own, sentences=None if own else sentences, is_own=is_own,
            folder=str(self._folder.path), seconds=OWN_SECONDS if is_own else SECONDS,
        )  # fmt: skip
        job = self.queue.wanted(key, asked, len(sentences) + REPEATS)
        reason = None if job.error is None else _said(job.error, language)
        return Surveyed(None, job.done, job.total, reason, language=own)

    def _kept_or_shipped(
        self, key: Key, model: Model, texts: Callable[[], tuple[str, ...]], is_own: bool
    ) -> Survey | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None or is_own or key in self._unshipped or key[0] not in known_names():
                return found
        found = bundled_survey(model.card, texts())
        with self._lock:
            if found is None:
                self._unshipped.add(key)
            else:
                self._kept[key] = found
        return found

    def _check(self, name: str, model: Model) -> None:
        """A second copy of the weights is in memory while they are measured; those of a training still change."""
        training = trainings().job(name)
        if training is not None and training.is_active:
            sentence = f"{model.card.name} is still being trained; its heads are measured when it is done."
            raise LimitError(sentence, id="survey-in-training", model=model.card.name)
        limit = self._runs.limits.model_cache // 2
        if model_bytes(model) > limit:
            size, most = (round(n_bytes / 2**30, 1) for n_bytes in (model_bytes(model), limit))
            raise LimitError(
                f"The weights of {model.card.name} take {size} GiB, and measuring its heads would take them a second "
                f"time. This server does that up to {most} GiB. Run: attnviz heads {model.card.id}",
                id="survey-too-large", model=model.card.name, size=size, most=most, command=model.card.id,
            )  # fmt: skip

    def _keep(self, key: Key, came: bytes) -> None:
        """Take over what was measured."""
        found = unpacked(came, self._runs.model(key[0]).card)
        if found is None:
            raise SurveyCrashed("The process that measured the heads sent no table.", id="survey-crashed", code="-")
        self._folder.make_room()
        with self._lock:
            self._kept[key] = found

    def close(self) -> None:
        """End the process, as the server stops."""
        self.queue.close()
        self._folder.close()


def nbytes(found: Survey) -> int:
    """Bytes of a survey in memory."""
    return int(found.frame.memory_usage(deep=True).sum()) + found.per_sentence.nbytes


def _readable(model: Model, language: str) -> str:
    """The set that a model is measured on: of the page's language if it reads that, else the first it reads."""
    own, sets = language.partition("-")[0], languages_of(model.card)
    if not sets:
        reads = ", ".join(model.card.languages)
        raise LimitError(
            f"{model.card.name} reads {reads}, and there are English and Chinese sentences only. "
            "Bring some of your own.",
            id="survey-no-set", model=model.card.name, reads=reads,
        )  # fmt: skip
    return own if own in sets else sets[0]


def _which(sentences: Sequence[str]) -> str:
    """A name for a person's list, which does not tell it."""
    return f"list {hashlib.sha256(chr(10).join(sentences).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _said(error: AttnvizError, language: str) -> str:
    return strings(language, strict=False).error(error)


@cache
def _surveys(runs: Runs) -> Surveys:
    data = runs.limits.data
    made = Surveys(runs, folder=None if data is None else Path(data) / "surveys")
    atexit.register(made.close)
    return made


def surveys() -> Surveys:
    """The one `Surveys` of this process."""
    with _making:
        return _surveys(runs())
