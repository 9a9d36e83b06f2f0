"""The Engine protocol, and the engine that runs in this process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from attnviz.analysis.heads.effect import Change
from attnviz.analysis.heads.effect import patch as patched
from attnviz.analysis.heads.survey import Progress, Survey, survey
from attnviz.explanation import whatif
from attnviz.explanation.whatif import Switches
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace

What = Sequence[Change] | Switches  # what a patch changes: heads, or something of the whole run


class Engine(Protocol):
    """Models by their names. Each call raises the AttnvizError that the model itself would raise."""

    def model(self, name: str, on_progress: Progress | None = None) -> Model:
        """The model, or what asks for its runs where it is elsewhere."""
        ...

    def trace(self, name: str, text: str, target: str | None = None) -> Trace: ...

    def traces(self, name: str, texts: Sequence[str]) -> tuple[Trace, ...]: ...

    def survey(
        self, name: str, language: str | None = None, *, sentences: Sequence[str] | None = None,
        max_seconds: float = 300.0,
    ) -> Survey:  # fmt: skip
        """Every head over a set of sentences."""
        ...

    def patch(self, name: str, text: str, what: What, target: str | None = None) -> Trace:
        """A run with some heads changed, or with something switched."""
        ...


@dataclass(frozen=True)
class LocalEngine(Engine):
    """Models of this process."""

    load: Callable[[str, Progress | None], Model]  # keeps what it loaded

    def model(self, name: str, on_progress: Progress | None = None) -> Model:
        return self.load(name, on_progress)

    def trace(self, name: str, text: str, target: str | None = None) -> Trace:
        model = self.model(name)
        return model.trace(text) if target is None else model.trace(text, target)

    def traces(self, name: str, texts: Sequence[str]) -> tuple[Trace, ...]:
        return self.model(name).traces(texts)

    def survey(
        self, name: str, language: str | None = None, *, sentences: Sequence[str] | None = None,
        max_seconds: float = 300.0,
    ) -> Survey:  # fmt: skip
        return survey(self.model(name), language, sentences=sentences, max_seconds=max_seconds)

    def patch(self, name: str, text: str, what: What, target: str | None = None) -> Trace:
        if isinstance(what, Switches):
            return whatif.run(self.model(name), self.trace(name, text, target), what)
        return patched(self.model(name), text, what, target)
