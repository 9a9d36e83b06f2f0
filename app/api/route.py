"""Makes a route of a function: a checked JSON body goes in, bytes come out, and every refusal is one sentence as JSON.

Text travels in the body, so no log of addresses holds it. A body names all that its answer depends on, so any replica
can give it.
"""

import gzip
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import TypeVar

import anyio
from attnviz_app.log import failure
from attnviz_app.metrics import timed
from attnviz_app.serving.gate import Busy
from attnviz_app.serving.rooms import NoRoom, TooMany
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from attnviz.bounded_cache import BoundedCache
from attnviz.core.errors import AttnvizError, InputError, UnknownModel
from attnviz.text import Language, Strings, strings

MOST_BYTES = 1 << 20  # of a body: four times the longest text an operator may allow
THREADS = 16  # requests computed or waiting for the gate at a time; Streamlit's own threads stay free
RETRY_SECONDS = 2
LEAST_BYTES = 1000  # of an answer that travels compressed
COMPRESSED_BYTES = 16 * 1024**2  # of compressed answers that are kept
LEVEL = 4  # of gzip: four times as fast as Streamlit's 9 on a head of 4,096 tokens, and as small within 1%
# A class that follows asks for one picture together: it is compressed for the first of them.
_compressed: BoundedCache[bytes] = BoundedCache(COMPRESSED_BYTES, len)
_threads = anyio.CapacityLimiter(THREADS)


class Body(BaseModel):
    """What every request says; each route adds what its answer depends on."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    lang: Language = "en"

    @property
    def say(self) -> Strings:
        return strings(self.lang)


AnyBody = TypeVar("AnyBody", bound=Body)
T = TypeVar("T")


def post(path: str, body: type[AnyBody], answer: Callable[[AnyBody], bytes | Response]) -> Route:
    """A route that answers POST requests.

    Args:
        path: below /api.
        body: the fields a request may have; unknown ones are refused.
        answer: runs in a thread of its own. Bytes are a view's payload.
    """

    async def endpoint(request: Request) -> Response:
        asked = await _read(request, body)
        if isinstance(asked, Response):
            return asked
        with timed(path):
            try:
                answered = partial(_answered, asked, answer, "gzip" in request.headers.get("accept-encoding", ""))
                return await in_thread(answered)
            except (MemoryError, RuntimeError) as error:  # there is no memory for one more thread
                return _failed(error, asked.lang)

    return Route(path, endpoint, methods=["POST"])


def quick(
    path: str, body: type[AnyBody], answer: Callable[[AnyBody, Request], Response | Awaitable[Response]]
) -> Route:
    """A route that answers POST requests in the event loop: what it computes there, it leaves to `in_thread`."""

    async def endpoint(request: Request) -> Response:
        asked = await _read(request, body)
        if isinstance(asked, Response):
            return asked
        try:
            made = answer(asked, request)
            return made if isinstance(made, Response) else await made
        except AttnvizError as error:
            return refused(error, asked.lang)
        except Exception as error:
            return _failed(error, asked.lang)

    return Route(path, endpoint, methods=["POST"])


async def in_thread(compute: Callable[[], T]) -> T:
    """Compute in a thread of its own, and wait for it."""
    return await anyio.to_thread.run_sync(compute, limiter=_threads)


async def _read(request: Request, body: type[AnyBody]) -> AnyBody | Response:
    """The body that was sent, or why it cannot be read."""
    try:
        return body.model_validate(await _json_of(request))
    except ClientDisconnect:
        return Response(status_code=499)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"]) or "body"
        return refused(BadRequest(id="bad-request", fault=f"{field}: {fault['msg']}"[:200]), status=422)
    except AttnvizError as error:
        return refused(error)


def app_of(routes: Sequence[BaseRoute]) -> Starlette:
    """Routes as an app of their own, which refuses in the same way what none of them answers."""
    app = Starlette(routes=routes, exception_handlers={HTTPException: _unanswered})
    app.router.redirect_slashes = False
    return app


def _unanswered(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    fault = f"{error.status_code} {error.detail}"
    answer = refused(BadRequest(id="bad-request", fault=fault), status=error.status_code)
    answer.headers.update(error.headers or {})
    return answer


class BadRequest(InputError):
    """A request that no page of ours sends; `fault` names the field or the header."""


class TooLarge(BadRequest):
    """A body beyond any text that could be shown."""


STATUS: dict[type[AttnvizError], int] = {  # of the first kind that an error is; of any other 422
    UnknownModel: 404, NoRoom: 404, TooMany: 429, Busy: 503, TooLarge: 413, BadRequest: 400,
}  # fmt: skip


async def _json_of(request: Request) -> object:
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise BadRequest(id="bad-request", fault="Content-Type")  # a form of another site cannot send it
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise TooLarge(id="bad-request", fault=f"> {MOST_BYTES} B")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest(id="bad-request", fault="JSON") from None


def _answered(asked: AnyBody, answer: Callable[[AnyBody], bytes | Response], takes_gzip: bool = False) -> Response:
    try:
        made = answer(asked)
    except AttnvizError as error:
        return refused(error, asked.lang)
    except Exception as error:
        return _failed(error, asked.lang)
    if isinstance(made, Response):
        return made
    if not takes_gzip or len(made) < LEAST_BYTES:
        return Response(made, media_type="application/octet-stream")
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    small = _compressed.get(blake2b(made).digest(), lambda: gzip.compress(made, LEVEL))
    return Response(small, headers=headers, media_type="application/octet-stream")


def _failed(error: Exception, lang: Language) -> Response:
    failure(error)
    return refused(AttnvizError(id="no-answer"), lang, status=500)


def refused(error: AttnvizError, lang: Language = "en", *, status: int | None = None) -> Response:
    """One sentence, in the reader's language."""
    status = status or next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
    headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else {}
    sentence = strings(lang).error(error).encode("utf-8", "replace").decode()  # it may quote one half
    return JSONResponse({"error": sentence}, status, headers)
