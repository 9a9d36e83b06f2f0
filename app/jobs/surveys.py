"""What the heads of each model do over many sentences: measured one model at a time, each in a process of its own.

Those of the bundled models come with the package and are there at once. Nothing here waits for a measurement.
"""

import base64
import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
from attnviz_app.jobs.measurements import Measurements
from attnviz_app.jobs.process import ChildProcess, Line, ProcessCrashed
from attnviz_app.jobs.queue import Job, Measured, State
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.analysis.file_cache import make_room
from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import REPEATS, Survey, languages_of
from attnviz.analysis.heads.survey_cache import PATTERN, bundled_survey, unpacked
from attnviz.catalog import known_names
from attnviz.core.errors import AttnvizError, LimitError
from attnviz.engine.remote import ServedModel
from attnviz.scratch.untrained import UntrainedModel
from attnviz.trace.model_protocol import Model, model_bytes
from attnviz.training import TrainedModel

MEMORY_BYTES = 128 * 1024**2  # of tables in memory, of all models and lists together
FOLDER_BYTES = 64 * 1024**2  # of those on disk
SECONDS, OWN_SECONDS = 600.0, 180.0  # of one set; of a person's own list
LIST = "list "  # before the digest of a person's list
Key = tuple[str, str, str]  # the model, its revision, and which sentences
log = logging.getLogger(__name__)


Asked = dict[str, Any]  # what the process reads; the sentences travel on its input, as they may be a person's own


class Surveys(Measurements[Asked, Survey]):
    """The tables of one server, and the queue of those that are not there yet. Safe to share between threads."""

    def __init__(
        self, runs: Runs, start: Callable[[Asked], ChildProcess] = ChildProcess, folder: Path | None = None
    ) -> None:
        super().__init__(
            "surveys", runs, memory_bytes=MEMORY_BYTES,
            size=lambda found: int(found.frame.memory_usage(deep=True).sum()) + found.per_sentence.nbytes,
            full=lambda n: LimitError(f"{n} models wait to be measured. Try again later.", id="surveys-full", n=n),
            crashed=lambda code: AttnvizError(
                f"The heads could not be measured ({code}). Try again later.", id="survey-crashed", code=code
            ),
        )  # fmt: skip
        self._start, self._folder = start, folder

    def frame(self, name: str, language: str, *, starts: bool = True) -> pd.DataFrame | None:
        """As `head_metrics` of several texts, with `kind_of_head`; None before they are measured."""
        found = self.of(name, language, starts=starts).found
        return None if found is None else found.frame

    def of(self, name: str, language: str = "en", *, starts: bool = True) -> Measured[Survey]:
        """The heads of a model over the sentences of this project that it can read; measured if they are not."""
        try:
            model = self._runs.model(name)
            if isinstance(model, UntrainedModel):
                sentence = f"{model.card.name} was never trained. Its heads are not measured over many sentences."
                raise LimitError(sentence, id="survey-untrained", model=model.card.name)
            if isinstance(model, TrainedModel):
                return self._found(name, model, "", model.own_texts, starts=starts)
            own = _readable(model, language)
            return self._found(name, model, own, lambda: bundled(own), starts=starts)
        except AttnvizError as error:
            return Measured(error=error)

    def own(self, name: str, sentences: Sequence[str], *, starts: bool = True) -> Measured[Survey]:
        """The heads of a model over a person's own sentences; kept in memory alone, and not for long."""
        try:
            which = _digest(sentences)
            return self._found(name, self._runs.model(name), which, lambda: tuple(sentences), starts=starts)
        except AttnvizError as error:
            return Measured(error=error)

    def give_up(self, name: str, sentences: Sequence[str]) -> None:
        """Forget a list that nobody waits for any more."""
        self.queue.leave((name, self._runs.model(name).card.revision, _digest(sentences)))

    def _found(
        self, name: str, model: Model, which: str, texts: Callable[[], tuple[str, ...]], *, starts: bool
    ) -> Measured[Survey]:
        """
        Args:
            which: the language of a bundled set, "" for the texts of the model's own task, or the digest of a list.
        """
        key: Key = (name, model.card.revision, which)
        is_own = which.startswith(LIST)
        found = self._known(key)
        if found is None and not is_own and name in known_names():
            found = bundled_survey(model.card, texts())
            if found is not None:
                self._keep(key, found)
        if found is not None:
            return Measured(replace(found, card=model.card))
        self._check(name, model)
        store, limits, language = self._runs.store, self._runs.limits, "" if is_own else which
        asked = {
            "work": "survey", "model": name, "trained": str(store.path(name)) if store.has(name) else "",
            "device": limits.device, "dtype": limits.dtype, "language": language,
            "sentences": None if language else texts(),
            "folder": "" if is_own else str(self._folder or ""),  # a person's own sentences are written nowhere
            "seconds": OWN_SECONDS if is_own else SECONDS,
        }  # fmt: skip
        return self._ask(key, asked, len(texts()) + REPEATS, starts=starts)

    def _check(self, name: str, model: Model) -> None:
        """A second copy of the weights is in memory while they are measured; those of a training still change."""
        training = trainings().queue.job(name)
        if training is not None and training.is_active:
            sentence = f"{model.card.name} is still being trained; its heads are measured when it is done."
            raise LimitError(sentence, id="survey-in-training", model=model.card.name)
        limit = self._runs.limits.model_cache // 2
        if not isinstance(model, ServedModel) and model_bytes(model) > limit:
            size, most = (round(n_bytes / 2**30, 1) for n_bytes in (model_bytes(model), limit))
            raise LimitError(
                f"The weights of {model.card.name} take {size} GiB, and measuring its heads would take them a second "
                f"time. This server does that up to {most} GiB. Run: attnviz heads {model.card.id}",
                id="survey-too-large", model=model.card.name, size=size, most=most, command=model.card.id,
            )  # fmt: skip

    def _measure(self, job: Job[Asked, tuple[int, int]]) -> State:
        started, name = time.monotonic(), job.asked["model"]
        model = self._runs.model(name)
        if isinstance(model, ServedModel):
            language, sentences, seconds = (job.asked[key] for key in ("language", "sentences", "seconds"))
            self._keep(job.key, model.survey(language or None, sentences=sentences, max_seconds=seconds))
            return "finished"
        process = self._start(job.asked)
        self.queue.stops_by(process.kill)

        def heard(line: Line) -> None:
            self.queue.tell((line["done"], line["total"]))

        found = unpacked(base64.b64decode(process.listen(heard)), self._runs.model(name).card)
        if found is None:
            raise ProcessCrashed("-")
        if self._folder is not None:
            make_room(self._folder, PATTERN, FOLDER_BYTES)
        self._keep(job.key, found)
        log.info("measured the heads of %s in %.0f s", name, time.monotonic() - started)
        return "finished"


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


def _digest(sentences: Sequence[str]) -> str:
    """A name for a person's list, which does not tell it."""
    return f"{LIST}{hashlib.sha256(chr(10).join(sentences).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@one_of_process
def surveys(limits: Settings) -> Surveys:
    return Surveys(runs(), folder=limits.data and limits.data / "surveys")
