"""How like the heads of two models are over many sentences: measured beside the pages, one pair at a time, and kept."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attnviz_app.jobs.cache_folder import KeptFolder
from attnviz_app.serving.runs import Runs, runs
from cachetools import LRUCache

from attnviz.analysis.compare import Comparison, Similarity, common_sentences, similarity, similarity_cache
from attnviz.core.errors import AttnvizError, LimitError, WriteError
from attnviz.views.compare.all_heads import plane

KEPT_BYTES, TEXT_BYTES, FOLDER_BYTES = 64 * 1024**2, 16 * 1024**2, 256 * 1024**2
WAITING = 8  # pairs that may wait while one is measured
SECONDS = 240.0  # of one pair
MOST_HEADS = 2000  # of both sides: their distances take 32 MB
NICE = 10
CLOSE_SECONDS = 10.0  # a sentence and the loading of a model end in less
Key = tuple[str, str, str, str]  # both names, both revisions
log = logging.getLogger(__name__)
_making = threading.Lock()


@dataclass(frozen=True)
class Measured:
    """What is known of a pair: the similarity, how far that is, or why there is none."""

    found: Similarity | None = None
    done: int = 0
    total: int = 0
    error: AttnvizError | None = None

    @property
    def is_coming(self) -> bool:
        """Whether it is worth asking again."""
        return self.found is None and self.error is None


class Similarities:
    """The pairs of one server. Safe to share between threads."""

    def __init__(self, runs: Runs, folder: Path | None = None):
        """Keep what was measured in `folder`, or, without one, in a folder that goes with the process."""
        self._runs = runs
        self._folder = KeptFolder(folder, "attnviz-pairs-", similarity_cache.PATTERN, FOLDER_BYTES)
        self._kept: LRUCache[Key, Measured] = LRUCache(KEPT_BYTES, getsizeof=_bytes)
        self._texts: LRUCache[Hashable, Similarity] = LRUCache(TEXT_BYTES, getsizeof=lambda one: one.every.nbytes)
        self._jobs: OrderedDict[Key, Measured] = OrderedDict()
        self._wake = threading.Condition()
        self._worker: threading.Thread | None = None
        self._is_closed = False

    def of(self, a: str, b: str) -> Measured:
        """The heads of two models over sentences that both read; measured if they are not.

        Raises:
            AttnvizError: one of them cannot be loaded.
        """
        models = self._runs.model(a), self._runs.model(b)
        n_heads = sum(model.card.n_layers * model.card.n_heads for model in models)
        if n_heads > MOST_HEADS:
            return Measured(error=LimitError(
                f"The two models have {n_heads} heads. Expected at most {MOST_HEADS} here; run: attnviz compare",
                id="too-many-heads", n=n_heads, most=MOST_HEADS,
            ))  # fmt: skip
        key: Key = (a, b, models[0].card.revision, models[1].card.revision)
        with self._wake:
            known = self._kept.get(key)
            if known is not None:
                return known
            if key not in self._jobs:
                if len(self._jobs) >= WAITING:
                    n = len(self._jobs)
                    error = LimitError(f"{n} pairs wait to be compared. Try again later.", id="pairs-full", n=n)
                    return Measured(error=error)
                self._jobs[key] = Measured()
                self._start()
                self._wake.notify_all()
            return self._jobs[key]

    def on_text(self, key: Hashable, found: Comparison) -> Similarity:
        """All heads over the one text of a comparison: asked for at every pick in its picture, measured once."""
        with self._wake:
            known = self._texts.get(key)
        if known is None:
            known = found.similarity
            with self._wake, suppress(ValueError):  # too large to be kept
                self._texts[key] = known
        return known

    def _start(self) -> None:
        if self._worker is None:
            self._worker = threading.Thread(target=self._work, name="attnviz-similar", daemon=True)
            self._worker.start()

    def _work(self) -> None:
        if sys.platform == "linux":  # there a thread has a priority of its own: pages come first
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while True:
            with self._wake:
                while not self._jobs and not self._is_closed:
                    self._wake.wait()
                if self._is_closed:
                    return
                key = next(iter(self._jobs))
            try:
                measured = self._measured(key)
            except _Closed:
                return
            with self._wake:
                del self._jobs[key]
                self._kept[key] = measured

    def _measured(self, key: Key) -> Measured:
        def tell(done: int, total: int) -> None:
            if self._is_closed:
                raise _Closed
            with self._wake:
                self._jobs[key] = Measured(None, done, total)

        try:
            models = self._runs.model(key[0]), self._runs.model(key[1])
            sentences = common_sentences(*models)
            path = similarity_cache.path_of(self._folder.path, *models, sentences)
            found = similarity_cache.read(path, models[0].card, models[1].card)
            if found is None:
                found = similarity(*models, sentences, max_seconds=SECONDS, on_progress=tell)
                self._keep(found, path)
            plane(found)  # here, where no page waits for it
            return Measured(found, len(sentences), len(sentences))
        except AttnvizError as error:
            return Measured(error=error)
        except Exception as error:
            log.exception("two models could not be compared")
            name = type(error).__name__
            return Measured(error=AttnvizError(f"They could not be compared ({name}).", id="pair-crashed", code=name))

    def _keep(self, found: Similarity, path: Path) -> None:
        if not found.is_whole:
            return
        try:
            similarity_cache.write(found, path)
        except WriteError as error:  # it is there until the server ends, and measured again by the next one
            log.warning("%s", error)
        self._folder.make_room()

    def close(self) -> None:
        """End the measurement, as the server stops: a thread that computes would bring the process down with it."""
        with self._wake:
            self._is_closed = True
            self._wake.notify_all()
        if self._worker is not None:
            self._worker.join(CLOSE_SECONDS)
        self._folder.close()


class _Closed(BaseException):
    """The server stops."""


def _bytes(measured: Measured) -> int:
    return 1000 if measured.found is None else measured.found.every.nbytes + 200 * len(measured.found.every)


@cache
def _similarities(runs: Runs) -> Similarities:
    data = runs.limits.data
    made = Similarities(runs, None if data is None else Path(data) / "pairs")
    atexit.register(made.close)
    return made


def similarities() -> Similarities:
    """The one `Similarities` of this process."""
    with _making:
        return _similarities(runs())
