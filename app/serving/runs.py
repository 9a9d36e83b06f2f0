"""Models and traces for all sessions: cached within byte limits, one gate around forward passes.

Keeps no visitor's text in logs or errors; the text lives in cache keys and traces only.
"""

import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path

import torch
from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving import checkpoints, long_texts
from attnviz_app.serving.gate import Gate
from attnviz_app.serving.malloc_settings import give_back_freed_memory
from attnviz_app.serving.opened_models import OpenedModels, opened_models
from attnviz_app.serving.text_limits import most_tokens
from attnviz_app.settings import CHARACTERS_A_TOKEN, SHIPPED, Settings, one_of_process, settings

import attnviz as av
from attnviz.bounded_cache import BoundedCache
from attnviz.catalog import is_here, known_names
from attnviz.core.errors import AttnvizError, LimitError, TooLong, UnknownModel
from attnviz.engine.remote import HttpEngine, ServedModel
from attnviz.scratch.untrained import UntrainedModel
from attnviz.scratch.variants import is_variant, of_variant, variant
from attnviz.trace.given import Given, Pair, from_text, texts_of
from attnviz.trace.model_protocol import CountsTokens, Model, ReadsForms, ReadsInPart, model_bytes
from attnviz.trace.trace import Trace
from attnviz.training import TrainedModel, bundled_models
from attnviz.training.load import load_trained

COLLECT_SECONDS = 30.0  # Streamlit's own collection after every rerun is off (runner.postScriptGC)

# Called in this thread with how much of a model has come from its hub: bytes so far, bytes in all.
progress: ContextVar[Callable[[int, int], None] | None] = ContextVar("progress", default=None)
log = logging.getLogger(__name__)


class Runs:
    """The models, traces and payloads of one process."""

    def __init__(self, limits: Settings, store: Store | None = None, opened: OpenedModels | None = None):
        self.limits = limits
        self.opened = opened or OpenedModels(None)  # what the person of this computer opened
        self.store = store or Store(None, limits.training_store)  # the models trained here
        # Each run of a page is a new thread, and torch's pool of a new thread spins: with more threads than idle cores
        # a sentence of ten words took seconds instead of 30 ms.
        torch.set_num_threads(limits.threads)
        self.models: BoundedCache[Model] = BoundedCache(limits.model_cache, model_bytes, self._on_leave)
        self._too_large: dict[str, LimitError] = {}
        self._engine = HttpEngine(limits.engine) if limits.engine else None  # runs pretrained models elsewhere
        self.traces: BoundedCache[Trace] = BoundedCache(limits.trace_cache, lambda trace: trace.nbytes)
        self.payloads: BoundedCache[bytes] = BoundedCache(limits.payload_cache, len)
        self.gate = Gate(workers=limits.workers, queue_length=limits.queue_length, seconds=limits.queue_seconds)

    @property
    def offered(self) -> tuple[str, ...]:
        """The operator's models, in the operator's order; of those that ship, where the operator names none, the ones
        that are on this computer.
        """
        if self.limits.models != SHIPPED:
            return self.limits.models
        return tuple(name for name in SHIPPED if is_here(name))

    @property
    def not_here(self) -> str | None:
        """The model that ships and is left out of `offered`, if one is, and may be fetched: by a hosted server none."""
        if self.limits.is_hosted or self.limits.engine:
            return None
        return next((name for name in self.limits.models if name not in self.offered), None)

    def _on_leave(self, key: Hashable, model: Model) -> None:
        """Drop the traces of a model that left the cache: they hold its parameters."""
        name = key[0] if isinstance(key, tuple) else key
        self.traces.drop(lambda of: isinstance(of, tuple) and of[0] == name)
        log.info("let go of %s", model.card.id)

    def model(self, name: str) -> Model:
        """The model of that name, loaded once.

        Raises:
            UnknownModel: the operator does not offer this name.
            LimitError: its weights are more than the operator lets this server keep.
        """
        if name in long_texts.MODELS:
            return self.models.get(name, lambda: long_texts.model(name, self.limits.long_tokens))
        if name in self.limits.models or name in self.opened.names:
            return self.open(name)
        if is_variant(name):
            return self.models.get(name, lambda: self._variant(name, self.model(of_variant(name))))
        at = checkpoints.parsed(name)
        if at is not None:
            return self._at_step(name, *at)
        if not self.store.has(name):
            raise UnknownModel(id="model-not-allowed", name=name)
        self.store.used(name)
        return self.models.get((name, self.store.stamp(name)), lambda: _trained(name, self.store.path(name)))

    def open(self, name: str) -> Model:
        """Any model by the name that `av.load` takes, also one that is not offered; see `model` for its errors."""
        if name in self._too_large:  # loading it again for every visitor would only find the same
            raise self._too_large[name]
        return self.models.get(name, lambda: self._loaded(name))

    def _variant(self, name: str, whole: Model) -> Model:
        return whole.engine.model(name) if isinstance(whole, ServedModel) else variant(name, whole)

    def _at_step(self, name: str, step: int, of_model: str) -> Model:
        model, folder = self.model(of_model), checkpoints.folder_of(of_model, self.store)
        if (
            folder is None
            or not isinstance(model, TrainedModel)
            or step not in checkpoints.steps_of(of_model, self.store)
        ):
            raise UnknownModel(
                id="no-checkpoint", model=model.card.name, step=step,
            )  # fmt: skip
        return self.models.get(name, lambda: model.at_step(step, folder))

    def _loaded(self, name: str) -> Model:
        started = time.perf_counter()
        try:
            if self._engine is not None and name not in bundled_models.names():  # ours are small, and here in full
                model: Model = self._engine.model(name)
            else:
                model = av.load(name, device=self.limits.device, dtype=self.limits.dtype, on_progress=progress.get())
        except AttnvizError as error:
            log.error("%s could not be loaded: %s", name, error)
            if not self.limits.is_hosted or name in known_names():
                raise
            raise UnknownModel(  # the reason names paths and settings of the server
                id="model-not-served", name=name,
            ) from error  # fmt: skip
        if model_bytes(model) > self.limits.model_cache:
            size, limit = (round(n_bytes / 2**30, 1) for n_bytes in (model_bytes(model), self.limits.model_cache))
            self._too_large[name] = LimitError(
                id="model-too-large" if self.limits.is_hosted else "model-too-large-here",
                model=model.card.name, size=size, limit=limit,
            )  # fmt: skip
            raise self._too_large[name]
        gc.unfreeze()
        gc.collect()  # what a model dropped from the cache left behind
        gc.freeze()  # a model lives long: later collections need not walk it
        log.info("loaded %s in %.1f s", model.card.id, time.perf_counter() - started)
        return model

    def has_model(self, name: str) -> bool:
        """Whether this model is loaded already; those trained here and those without training take no time."""
        model = checkpoints.model_of(name)
        return model in self.models or model.startswith("untrained-") or self.store.has(model)

    def trace(self, name: str, text: str, target: str = "") -> Trace:
        """What the model does with the text, computed once for all who ask.

        Args:
            target: what a model that writes is to write; with "" it writes for itself.

        Raises:
            TooLong: more characters or tokens than the operator allows.
            Busy: too many people are waiting.
            AttnvizError: the model cannot read the text.
        """
        model, given = self.model(name), read_of(text)
        is_long = name in long_texts.MODELS
        longest = CHARACTERS_A_TOKEN * self.limits.long_tokens if is_long else self.limits.max_characters
        n = sum(map(len, texts_of(given)))
        if n > longest:
            raise _too_many_characters(n, longest, self._first_part(model, given, longest))
        check_characters(target, self.limits.max_characters)
        return self.traces.get((name, model.card.revision, text, target), lambda: self._traced(model, given, target))

    def _traced(self, model: Model, text: Given, target: str) -> Trace:
        with self.gate.entered():
            started = time.perf_counter()
            trace = self._read(model, text, target)
        n_tokens = len(trace.tokens.source)
        log.info("traced %d tokens with %s in %.0f ms", n_tokens, model.card.id, 1e3 * (time.perf_counter() - started))
        if n_tokens > self.most_tokens(model):
            raise self._too_long(model, text, n_tokens)
        return trace

    def _read(self, model: Model, text: Given, target: str) -> Trace:
        """Trace; where the text is too long for the model, name the limit of this server if that is smaller."""
        most = self.most_tokens(model)
        try:
            n = model.n_tokens(text) if isinstance(model, CountsTokens) else 0
            if n <= most:  # else no memory is taken for a run
                return model.trace(text, target=target) if target else model.trace(text)
        except TooLong as error:
            has, takes = error.arguments.get("n"), error.arguments.get("limit")
            if not (isinstance(has, int) and isinstance(takes, int) and takes > most):
                raise
            n = has
        raise self._too_long(model, text, n)

    def most_tokens(self, model: Model) -> int:
        """Tokens of one text that pages show of a model; one without training has a limit of its own."""
        return sys.maxsize if isinstance(model, UntrainedModel) else most_tokens(model.card, self.limits)

    def _too_long(self, model: Model, text: Given, n: int) -> TooLong:
        return TooLong(
            id="too-long" if self.limits.is_hosted else "too-long-here", n=n,
            limit=self.most_tokens(model), characters=self._first_part(model, text),
        )  # fmt: skip

    def _first_part(self, model: Model, text: Given, longest: int | None = None) -> int:
        """How many characters of a text may be shown; 0 of two texts, a chat, and a model that reads none in part."""
        if not isinstance(model, ReadsInPart) or not isinstance(text, str):
            return 0
        return len(model.first_part(text[:longest], self.most_tokens(model)))

    def loaded(self, name: str) -> Model | None:
        """The model of that name if it is in memory and may be shown; nothing is loaded for this."""
        try:
            return self.model(name) if self.has_model(name) else None
        except AttnvizError:  # it was taken out of the menu; the page that shows it says so
            return None

    def forms(self, name: str) -> tuple[str, ...]:
        """How a model that is loaded may be given what it reads: "text", and "pair" and "chat" where it reads those."""
        model = self.loaded(name)
        if not isinstance(model, ReadsForms):
            return ("text",)
        return ("text", *(["pair"] if model.reads_pairs else []), *(["chat"] if model.reads_chats else []))


def read_of(written: str) -> Given:
    """What a string of a box or a link is; two texts of which the second is not there yet are the first."""
    given = from_text(written)
    return given.first if isinstance(given, Pair) and not given.second.strip() else given


def check_characters(text: str, limit: int) -> None:
    """Refuse a text longer than the operator allows before anything reads it."""
    if len(text) > limit:
        raise _too_many_characters(len(text), limit)


def _too_many_characters(n: int, limit: int, characters: int = 0) -> TooLong:
    return TooLong(
        id="too-many-characters" if settings().is_hosted else "too-many-characters-here", n=n, limit=limit,
        characters=characters,
    )  # fmt: skip


@one_of_process
def runs(limits: Settings) -> Runs:
    threading.Thread(target=_collect_forever, name="attnviz-gc", daemon=True).start()
    return Runs(limits, trainings().store, opened_models())


def _trained(name: str, folder: Path) -> Model:
    """A model trained here, or as far as it has come, under its name instead of its place on the disk."""
    model = load_trained(folder)
    title = f"{model.card.name} ({name})"
    return replace(model, card=replace(model.card, id=name, name=title))


def _collect_forever() -> None:
    while True:
        time.sleep(COLLECT_SECONDS)
        gc.collect()
        give_back_freed_memory()
