"""Which models may be asked for here: those the operator names, and those trained on this server and still kept."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz_app.jobs.training_store import Store
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving import long_texts
from attnviz_app.settings import Settings, settings
from attnviz_app.train.request import RUN


@dataclass(frozen=True)
class Removed:
    """The trained models that had to make room."""

    store: Store

    def __contains__(self, model: object) -> bool:
        return isinstance(model, str) and self.store.was_removed(model)


@dataclass(frozen=True)
class Offer:
    """What a link may name: `name in offer()`."""

    limits: Settings
    store: Store

    def __contains__(self, model: object) -> bool:
        return model in self.names or (isinstance(model, str) and self.store.has(model))

    @property
    def names(self) -> tuple[str, ...]:
        """The operator's, in the operator's order, and those for texts beyond what these read."""
        return (*self.limits.models, *long_texts.MODELS)

    @property
    def removed(self) -> Removed:
        return Removed(self.store)

    def is_run(self, model: str) -> bool:
        """Whether this is the name of a model trained here."""
        return bool(RUN.fullmatch(model))

    def task(self, model: str) -> str | None:
        """The task of a model trained here; None for others."""
        ask = self.store.ask(model)
        return ask.task if ask else None


def offer() -> Offer:
    """What is offered now."""
    return Offer(settings(), trainings().store)
