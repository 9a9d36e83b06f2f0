"""Asks a trace service by HTTP. A request that met a dying worker is sent again: requests are idempotent."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
from torch import Tensor

from attnviz.analysis.heads import survey_cache
from attnviz.analysis.heads.survey import Survey
from attnviz.bounded_cache import BoundedCache
from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, TraceFileError
from attnviz.engine import messages
from attnviz.engine.messages import ANSWER, MOST_ANSWER, Call, EngineError, Question
from attnviz.trace import container
from attnviz.trace.container import Parts
from attnviz.trace.edits import AnyEdit
from attnviz.trace.generation import Continued, Generated
from attnviz.trace.given import Given, as_text
from attnviz.trace.sampling import Sampling
from attnviz.trace.text_model import TextModel
from attnviz.trace.trace import Trace

AGAIN_SECONDS = 15.0  # how long a question is retried when no worker answers
PAUSE_SECONDS = 0.2
PARAMETER_BYTES = 512 << 20  # of one model; of a larger one, steps that use its parameters are not written out
MODEL = "serve_multiplexed_model_id"  # a header that Ray Serve reads: a worker that holds this model is asked first
BINARY = "application/octet-stream"
Made = TypeVar("Made")


class HttpEngine:
    """The models of a trace service. Safe to share between threads."""

    def __init__(self, url: str, *, seconds: float = 60.0) -> None:
        """`url`: of the service, such as http://10.0.0.7:8600; `seconds`: the longest that a question waits."""
        self._url, self.seconds = url.rstrip("/") + messages.PATH, seconds
        # No proxy and no redirect: a text goes to the address that the operator named and nowhere else.
        self._client = httpx2.Client(timeout=seconds, follow_redirects=False, trust_env=False)
        self._models: BoundedCache[ServedModel] = BoundedCache(4 * PARAMETER_BYTES, lambda model: model.nbytes)

    def model(self, name: str) -> "ServedModel":
        """The card of a model, its parameters if they are not too large, and this engine to run it."""
        asked = Question(call="card", model=name, most=PARAMETER_BYTES, seconds=self.seconds)
        return self._models.get(
            name, lambda: ServedModel(*self.ask(asked, lambda parts: messages.read_card(parts, name)), self)
        )

    def traces(self, asked: Question) -> tuple[Trace, ...]:
        """The trace of each text of a question."""
        model, n = self.model(asked.model), len(asked.texts)
        traces = self.ask(asked, lambda parts: messages.read_traces(parts, asked, n, model.matrices))
        if any(trace.card != model.card for trace in traces):  # its parameters are not those that we hold
            self._models.clear()
            raise unusable("the service has other weights now")
        return traces

    def ask(self, asked: Question, read: Callable[[Parts], Made]) -> Made:
        """The answer, checked.

        Raises:
            AttnvizError: what the service refused.
            EngineError: it cannot be reached, is too slow, or its answer cannot be used.
        """
        content = self._answer(asked)
        try:
            with container.refusing_broken(ANSWER):
                return read(container.read_bytes(content, ANSWER, "survey" if asked.call == "survey" else "answer"))
        except TraceFileError as error:
            raise unusable("its content") from error

    def _answer(self, asked: Question) -> bytes:
        until = time.monotonic() + asked.seconds
        again_until = time.monotonic() + min(asked.seconds, AGAIN_SECONDS)
        body = asked.model_dump_json()
        while True:
            try:
                content = self._posted(asked.model, body, until)
            except httpx2.TimeoutException as error:
                raise late() from error
            except httpx2.TransportError as error:
                if time.monotonic() > again_until:
                    raise EngineError(id="engine-away") from error
            else:
                if content is not None:
                    return content
                if time.monotonic() > again_until:
                    raise unusable("no worker answered")
            time.sleep(PAUSE_SECONDS)

    def _posted(self, model: str, body: str, until: float) -> bytes | None:
        """The body of an answer; None where a worker died over it and another may do better."""
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", MODEL: quote(model)}
        with self._client.stream("POST", self._url, content=body.encode(), headers=headers) as answer:
            kind = answer.headers.get("content-type", "").split(";")[0]
            is_answer = answer.status_code == 200 and kind == BINARY and "content-encoding" not in answer.headers
            most = MOST_ANSWER if is_answer else 1 << 16
            content = bytearray()
            for part in answer.iter_raw():  # as sent: nothing is unpacked
                content += part
                if len(content) > most:
                    raise unusable(f"more than {most} bytes")
                if time.monotonic() > until:
                    raise late()
        if is_answer:
            return bytes(content)
        refusal = messages.read_error(bytes(content)) if kind == "application/json" else None
        if refusal is not None:
            raise refusal
        if answer.status_code >= 500:
            return None
        raise unusable(f"status {answer.status_code}, {kind[:40] or 'no type'}")


@dataclass(frozen=True, eq=False, repr=False)
class ServedModel(TextModel):
    """A model of a trace service: its card and parameters are here, its runs are asked for."""

    writes_on: bool
    matrices: Mapping[str, Mapping[str, Tensor]] = field(repr=False)  # its parameters; none of a large model
    engine: HttpEngine = field(repr=False)

    @property
    def nbytes(self) -> int:
        return sum(matrix.nbytes for matrices in self.matrices.values() for matrix in matrices.values())

    @property
    def reads_target(self) -> bool:
        return True  # the service knows, and refuses one

    @property
    def can_write_on(self) -> bool:
        return self.writes_on

    def _trace(self, given: Given, target: Given | None, edits: Sequence[Edit]) -> Trace:
        if not all(isinstance(edit, AnyEdit) for edit in edits):  # an edit that is code does not travel
            raise InputError(id="engine-no-edits", model=self.card.name)
        written = None if target is None else as_text(target)
        return self._traced("trace", [as_text(given)], target=written, edits=tuple(edits))[0]

    def _traces(self, given: Sequence[Given]) -> tuple[Trace, ...]:
        return self._traced("traces", [as_text(each) for each in given])

    def survey(
        self, language: str | None = None, *, sentences: Sequence[str] | None = None, max_seconds: float = 300.0
    ) -> Survey:
        asked = self._question("survey", sentences or (), language=language, seconds=max_seconds)
        card = self.engine.model(self.card.id).card
        return self.engine.ask(asked, lambda parts: survey_cache.from_parts(parts, card))

    def _generate(
        self, given: Given, max_tokens: int | None, edits: Sequence[Edit], sampling: Sampling | None
    ) -> Generated:
        raise InputError(id="no-steps-of-service", model=self.card.name)

    def _write_on(
        self, text: str, max_tokens: int | None, sampling: Sampling | None, chosen: int | None,
        on_token: Callable[[int], None],
    ) -> Continued:  # fmt: skip
        asked = self._question("write_on", [text], n=max_tokens, sampling=sampling, chosen=chosen)
        return self.engine.ask(asked, lambda parts: messages.read_continued(parts, text))

    def first_part(self, text: str, max_tokens: int | None = None) -> str:
        asked = self._question("first_part", [text], n=max_tokens)
        return text[: self.engine.ask(asked, lambda parts: max(0, int(parts[0]["length"])))]

    def _traced(self, call: Call, texts: Sequence[str], **more: Any) -> tuple[Trace, ...]:
        return self.engine.traces(self._question(call, texts, **more))

    def _question(self, call: Call, texts: Sequence[str], **more: Any) -> Question:
        return Question(**{"seconds": self.engine.seconds} | more, call=call, model=self.card.id, texts=tuple(texts))


def unusable(reason: str) -> EngineError:
    return EngineError(id="engine-answer", reason=reason)


def late() -> EngineError:
    return EngineError(id="engine-late")
