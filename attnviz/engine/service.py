"""The trace service: an ASGI app over models. Texts of one model run as one batch; nobody's text is logged.

It has no password: it listens on this machine or inside a network that only the dashboard reaches.
"""

import asyncio
import logging
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from attnviz.analysis.heads import survey_cache
from attnviz.analysis.heads.survey import survey
from attnviz.core.errors import AttnvizError, InputError, LimitError, TooLong, UnknownModel
from attnviz.engine import messages
from attnviz.engine.messages import MOST_CHARACTERS, MOST_QUESTION, Question
from attnviz.engine.remote import BINARY, late
from attnviz.scratch.variants import of_variant
from attnviz.trace import container
from attnviz.trace.batches import batches_of
from attnviz.trace.given import from_text
from attnviz.trace.model_protocol import HasMatrices, HasTokenizer, Model, ReadsInPart, WritesOn

BATCH_TOKENS = 1024  # of texts that run together, padding included
QUEUE = 256  # questions that may wait
Load = Callable[[str], Model]  # a model by its name; it keeps what it loaded
log = logging.getLogger(__name__)


@dataclass(eq=False)
class Waiting:
    """One question, and where its answer goes."""

    question: Question
    answer: asyncio.Future[bytes]
    until: float

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits: not cancelled, and not past its deadline."""
        return not self.answer.done() and time.monotonic() < self.until


class Service:
    """Answers questions in one thread, the oldest first together with those that can share its forward pass."""

    def __init__(self, load: Load, models: Collection[str]) -> None:
        """`models`: the names that may be asked for, as they are and as variants."""
        self._load, self._models = load, models
        self._queue: deque[Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, "attnviz-engine")
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> bytes:
        """The packed answer. A caller that is cancelled leaves the queue.

        Raises:
            AttnvizError: what the model refused, or the queue is full, or the deadline passed.
        """
        if of_variant(question.model) not in self._models:
            raise UnknownModel(id="model-not-allowed", name=question.model)
        if question.characters > MOST_CHARACTERS:
            n = question.characters
            raise TooLong(id="too-many-characters", n=n, limit=MOST_CHARACTERS, characters=0)
        if len(self._queue) >= QUEUE:
            n = len(self._queue)
            raise LimitError(id="busy", n=n)
        asked = Waiting(question, asyncio.get_running_loop().create_future(), time.monotonic() + question.seconds)
        self._queue.append(asked)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        try:
            return await asyncio.wait_for(asked.answer, question.seconds)
        except TimeoutError:
            raise late() from None
        finally:
            asked.answer.cancel()
            with suppress(ValueError):  # under way, or answered
                self._queue.remove(asked)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            batch = self._next_batch()
            if not batch:
                continue
            answers = await loop.run_in_executor(self._thread, self._answers, [each.question for each in batch])
            for asked, answer in zip(batch, answers, strict=True):
                if asked.answer.done():
                    continue
                if isinstance(answer, bytes):
                    asked.answer.set_result(answer)
                else:
                    asked.answer.set_exception(answer)

    def _next_batch(self) -> list[Waiting]:
        """The oldest question, and where it is a plain run all other plain runs of its model."""
        waiting = [each for each in self._queue if each.is_wanted]
        batch = waiting[:1]
        if batch and can_share(batch[0].question):
            model = batch[0].question.model
            batch = [each for each in waiting if each.question.model == model and can_share(each.question)]
        taken = set(batch)
        self._queue = deque(each for each in waiting if each not in taken)
        return batch

    def _answers(self, questions: Sequence[Question]) -> list[bytes | Exception]:
        """An answer or an error for each; one that is refused does not harm those beside it."""
        if len(questions) == 1:
            return [self._answer(questions[0])]
        answers: dict[int, bytes | Exception] = {}
        texts = [question.texts[0] for question in questions]
        try:
            model = self._load(questions[0].model)
            for batch in batches_of([n_tokens(model, text) for text in texts], BATCH_TOKENS):
                traces = model.traces([from_text(texts[i]) for i in batch])
                answers |= {i: messages.pack_traces([trace]) for i, trace in zip(batch, traces, strict=True)}
        except Exception as error:
            log.info("%s in a batch of %d; those left run one by one", type(error).__name__, len(texts))
        return [answers[i] if i in answers else self._answer(question) for i, question in enumerate(questions)]

    def _answer(self, question: Question) -> bytes | Exception:
        try:
            return answer(self._load(question.model), question)
        except AttnvizError as error:
            return error
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]  # the message may hold a visitor's text
            log.error("%s at %s:%s in %s", type(error).__name__, place.filename, place.lineno, place.name)
            return AttnvizError(id="no-answer")


def can_share(question: Question) -> bool:
    """Whether a question is one run over one text, which may stand in a batch with others."""
    return question.call == "trace" and not (question.target or question.edits) and len(question.texts) == 1


def n_tokens(model: Model, text: str) -> int:
    """The tokens of a text; its characters where the model's tokenizer is not known."""
    return len(model.tokenizer.tokens(from_text(text))) if isinstance(model, HasTokenizer) else len(text)


def answer(model: Model, asked: Question) -> bytes:
    texts, target = asked.texts, None if asked.target is None else from_text(asked.target)
    given = [from_text(text) for text in texts]
    if asked.call == "traces":
        return messages.pack_traces(model.traces(given))
    if asked.call == "survey":
        return survey_cache.packed(survey(model, texts or None, language=asked.language, max_seconds=asked.seconds))
    if asked.call == "card":
        can_write = isinstance(model, WritesOn) and model.can_write_on
        matrices = model.matrices if isinstance(model, HasMatrices) else {}
        return messages.pack_card(model.card, can_write, matrices, asked.most)
    if len(texts) != 1:
        raise InputError(id="bad-request", fault="texts")
    match asked.call:
        case "trace":
            return messages.pack_traces([model.trace(given[0], target, asked.edits)])
        case "write_on":
            assert isinstance(model, WritesOn)  # its card said so
            written = model.write_on(texts[0], asked.n, sampling=asked.sampling, chosen=asked.chosen)
            return messages.pack_continued(written)
        case _:
            part = model.first_part(texts[0], asked.n) if isinstance(model, ReadsInPart) else ""
            return container.to_bytes({"length": len(part)}, {}, "answer")


def service_app(service: Service) -> Starlette:
    """The routes of a service: one that answers, `/healthz` (alive) and nothing else."""

    async def ask(request: Request) -> Response:
        return await respond(service, request)

    async def alive(request: Request) -> Response:
        return JSONResponse({"alive": True})

    return Starlette(routes=[Route(messages.PATH, ask, methods=["POST"]), Route("/healthz", alive)])


async def respond(service: Service, request: Request) -> Response:
    """The answer to one request, or why there is none."""
    if "origin" in request.headers:  # a page in somebody's browser; dashboards send none
        return Response(status_code=403)
    try:
        question = Question.model_validate_json(await body_of(request))
        return await answered(request, service.ask(question))
    except ClientDisconnect:
        return Response(status_code=499)
    except ValidationError as error:
        fault = ".".join(map(str, error.errors()[0]["loc"])) or "body"
        refusal: AttnvizError = InputError(id="bad-request", fault=fault)
    except AttnvizError as error:
        refusal = error
    busy = refusal.id in ("busy", "engine-late")
    return Response(messages.pack_error(refusal), 503 if busy else 422, media_type="application/json")


async def answered(request: Request, asking: Coroutine[None, None, bytes]) -> Response:
    """The answer, unless whoever asked goes away first: then nothing is computed for them."""
    answer: asyncio.Future[Any] = asyncio.ensure_future(asking)
    gone: asyncio.Future[Any] = asyncio.ensure_future(request.receive())  # nothing comes after the body but its end
    try:
        await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
        return Response(answer.result(), media_type=BINARY) if answer.done() else Response(status_code=499)
    finally:
        answer.cancel()
        gone.cancel()


async def body_of(request: Request) -> bytes:
    """The body of a request, refused as soon as it is too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_QUESTION:
            raise InputError(id="bad-request", fault=f"> {MOST_QUESTION} B")
    return bytes(body)
