"""How similar the heads of two models are over many sentences: measured one pair at a time, and kept."""

from pathlib import Path

from attnviz_app.jobs.measurements import Measurements, Tell
from attnviz_app.jobs.queue import Measured, log
from attnviz_app.serving.runs import Runs, runs
from attnviz_app.settings import Settings, one_of_process

from attnviz.analysis.compare import Similarity, common_sentences, similarity, similarity_cache
from attnviz.analysis.file_cache import make_room
from attnviz.core.errors import LimitError, WriteError
from attnviz.views.compare.all_heads import plane

MEMORY_BYTES, FOLDER_BYTES = 64 * 1024**2, 256 * 1024**2
SECONDS = 240.0  # of one pair
MOST_HEADS = 2000  # of both sides: their distances take 32 MB


class Similarities(Measurements[Similarity]):
    """The pairs of one server. Safe to share between threads."""

    def __init__(self, runs: Runs, folder: Path | None = None):
        """Keep what was measured in memory, and in `folder` if there is one."""
        super().__init__(
            "pairs", MEMORY_BYTES, lambda similarity: similarity.every.nbytes + 200 * len(similarity.every)
        )
        self._runs, self._folder = runs, folder

    def of(self, a: str, b: str) -> Measured[Similarity]:
        """The heads of two models over sentences that both read; measured if they are not."""
        models = self._runs.model(a), self._runs.model(b)
        n_heads = sum(model.card.n_layers * model.card.n_heads for model in models)
        if n_heads > MOST_HEADS:
            return Measured(error=LimitError(id="too-many-heads", n=n_heads, most=MOST_HEADS))  # fmt: skip
        key = (a, b, models[0].card.revision, models[1].card.revision)
        return self.ask(key, lambda tell: self._measured(a, b, tell))

    def _measured(self, a: str, b: str, tell: Tell) -> Similarity:
        models = self._runs.model(a), self._runs.model(b)
        sentences = common_sentences(*models)
        path = similarity_cache.path_of(self._folder, *models, sentences) if self._folder else None
        result = similarity_cache.read(path, models[0].card, models[1].card) if path else None
        if result is None:
            result = similarity(*models, sentences, max_seconds=SECONDS, on_progress=tell)
            if path and result.is_whole:
                self._write(result, path)
        plane(result)  # here, where no page waits for it
        return result

    def _write(self, similarity: Similarity, path: Path) -> None:
        try:
            similarity_cache.write(similarity, path)
        except WriteError as error:  # it is there until the server ends, and measured again by the next one
            log.warning("%s", error)
        make_room(path.parent, similarity_cache.PATTERN, FOLDER_BYTES)


@one_of_process
def similarities(limits: Settings) -> Similarities:
    return Similarities(runs(), limits.data and limits.data / "pairs")
