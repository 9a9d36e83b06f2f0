"""What the heads of each model do over many sentences: measured one model at a time.

Those of the bundled models come with the package and are there at once. Nothing here waits for a measurement.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from attnviz_app.jobs.measurements import Measurements, Tell
from attnviz_app.jobs.queue import Measured
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.analysis.file_cache import make_room
from attnviz.analysis.heads.random_tokens import SEQUENCES
from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import Survey, languages_of, survey
from attnviz.analysis.heads.survey_cache import PATTERN, bundled_survey, cached_survey
from attnviz.catalog import known_names
from attnviz.core.errors import AttnvizError, LimitError, WriteError
from attnviz.engine.remote import ServedModel
from attnviz.scratch.untrained import UntrainedModel
from attnviz.trace.model_protocol import Model
from attnviz.training import TrainedModel

MEMORY_BYTES = 128 * 1024**2  # of tables in memory, of all models and lists together
FOLDER_BYTES = 64 * 1024**2  # of those on disk
SECONDS, OWN_SECONDS = 600.0, 180.0  # of one set; of a person's own list
LIST = "list "  # before the digest of a person's list
Key = tuple[str, str, str]  # the model, its revision, and which sentences


class Surveys(Measurements[Survey]):
    """The tables of one server, and the queue of those that are not there yet. Safe to share between threads."""

    def __init__(self, runs: Runs, folder: Path | None = None) -> None:
        """Keep what was measured in memory, and in `folder` if there is one."""
        super().__init__(
            "surveys", MEMORY_BYTES,
            lambda result: int(result.heads.memory_usage(deep=True).sum()) + result.per_sentence.nbytes,
        )  # fmt: skip
        self._runs, self._folder = runs, folder

    def frame(self, name: str, language: str, *, starts: bool = True) -> pd.DataFrame | None:
        """As `head_metrics` of several texts, with `kind_of_head`; None before they are measured."""
        result = self.of(name, language, starts=starts).result
        return None if result is None else result.heads

    def of(self, name: str, language: str = "en", *, starts: bool = True) -> Measured[Survey]:
        """The heads of a model over the sentences of this project that it can read; measured if they are not."""
        try:
            model = self._runs.model(name)
            if isinstance(model, UntrainedModel):
                raise LimitError(id="survey-untrained", model=model.card.name)
            if isinstance(model, TrainedModel):
                return self._kept_or_asked(name, model, "", model.own_texts, starts=starts)
            read_language = _readable(model, language)
            return self._kept_or_asked(name, model, read_language, lambda: bundled(read_language), starts=starts)
        except AttnvizError as error:
            return Measured(error=error)

    def of_sentences(self, name: str, sentences: Sequence[str], *, starts: bool = True) -> Measured[Survey]:
        """The heads of a model over a person's own sentences; kept in memory alone, and not for long."""
        try:
            which = _digest(sentences)
            return self._kept_or_asked(name, self._runs.model(name), which, lambda: tuple(sentences), starts=starts)
        except AttnvizError as error:
            return Measured(error=error)

    def give_up(self, name: str, sentences: Sequence[str]) -> None:
        """Forget a list that nobody waits for any more."""
        self.queue.leave((name, self._runs.model(name).card.revision, _digest(sentences)))

    def _kept_or_asked(
        self, name: str, model: Model, which: str, texts: Callable[[], tuple[str, ...]], *, starts: bool
    ) -> Measured[Survey]:
        """
        Args:
            which: the language of a bundled set, "" for the texts of the model's own task, or the digest of a list.
        """
        key: Key = (name, model.card.revision, which)
        is_own = which.startswith(LIST)
        result = self.known(key)
        if result is None and not is_own and name in known_names():
            result = bundled_survey(model.card, texts())
            if result is not None:
                self.keep(key, result)
        if result is not None:
            return Measured(replace(result, card=model.card))
        training = trainings().queue.job(name)
        if training is not None and training.is_active:  # its weights still change
            raise LimitError(id="survey-in-training", model=model.card.name)
        sentences, language = (texts(), None) if is_own or not which else (None, which)
        folder = None if is_own else self._folder  # a person's own sentences are written nowhere

        def work(tell: Tell) -> Survey:
            model, seconds = self._runs.model(name), OWN_SECONDS if is_own else SECONDS
            if isinstance(model, ServedModel):
                return model.survey(language, sentences=sentences, max_seconds=seconds)
            return _measured(model, language, sentences, seconds, folder, tell)

        return self.ask(key, work, len(texts()) + SEQUENCES, starts=starts)


def _measured(
    model: Model, language: str | None, sentences: Sequence[str] | None, seconds: float, folder: Path | None, tell: Tell
) -> Survey:
    if folder is not None:
        try:
            return cached_survey(
                model, language, folder=folder, sentences=sentences, max_seconds=seconds, on_progress=tell
            )
        except WriteError:  # no room to keep it
            pass
        finally:
            make_room(folder, PATTERN, FOLDER_BYTES)
    return survey(model, sentences, language=language, max_seconds=seconds, on_progress=tell)


def _readable(model: Model, language: str) -> str:
    """The set that a model is measured on: of the page's language if it reads that, else the first it reads."""
    page_language, sets = language.partition("-")[0], languages_of(model.card)
    if not sets:
        reads = ", ".join(model.card.languages)
        raise LimitError(
            id="survey-no-set", model=model.card.name, reads=reads,
        )  # fmt: skip
    return page_language if page_language in sets else sets[0]


def _digest(sentences: Sequence[str]) -> str:
    """A name for a person's list, which does not tell it."""
    return f"{LIST}{hashlib.sha256(chr(10).join(sentences).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@one_of_process
def surveys(limits: Settings) -> Surveys:
    return Surveys(runs(), folder=limits.data and limits.data / "surveys")
