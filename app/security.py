"""Who may ask, and what a page may do: hosts and origins refused at the door, headers on every response."""

import base64
import hashlib
import logging
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from attnviz_app.settings import LOOPBACK
from attnviz_app.shell.kept_modules import IMPORT_MAP
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)
BEGINS = ("http.response.start", "websocket.http.response.start", "websocket.accept")  # messages that hold headers
REFUSED = "ASGI callable returned without completing handshake."  # uvicorn's error for a refusal that has headers
CLOSED = "/_stcore/metrics"  # a path of Streamlit's that nobody may read
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class KnownHosts:
    """ASGI middleware that answers requests under our own names, from our own pages, alone.

    It stands before Streamlit's check of a websocket's origin, which looks up this server's address at another host.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        """`names`: hosts, `*.school.example`, or `*` for any."""
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = MutableHeaders(scope=scope)
        if not self._is_known(headers):
            log.warning("refused a request for another host's name or from another site; see server.allowedHosts")
            await _refuse(scope, receive, send, "This server does not answer under that name, or to that site.", 403)
            return
        if scope["type"] == "http" and scope["path"].endswith(CLOSED):
            await _refuse(scope, receive, send, "Not found.", 404)
            return
        del headers["origin"]  # ours; Streamlit would compare it with a host that a proxy may have changed
        await self.app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        """Whether the host is one of ours, and the origin, where a browser tells one, is that host or one of ours."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or len(origins) > 1 or not self._is_ours(_parsed(f"//{hosts[0]}")):
            return False
        origin = _parsed(origins[0]) if origins else None
        return origin is None or origin.netloc == hosts[0] or ("*" not in self.names and self._is_ours(origin))

    def _is_ours(self, address: SplitResult) -> bool:
        name = (address.hostname or "").rstrip(".")
        return bool(name) and any(
            one == "*" or name == one or (one.startswith("*.") and name.endswith(one[1:])) for one in self.names
        )


def names_of(address: str | None, allowed: list[str]) -> tuple[str, ...]:
    """The names to answer under: this machine's own, and the operator's; without those any, if others reach us.

    Args:
        address: what Streamlit listens on. allowed: its option `server.allowedHosts`.
    """
    others = () if address in LOOPBACK else ("*",)
    return (*LOOPBACK, *(tuple(name.strip().lower() for name in allowed) or others))


def _parsed(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


async def _refuse(scope: Scope, receive: Receive, send: Send, sentence: str, status: int) -> None:
    """Say no, to the handshake of a websocket too."""
    is_route = "/api/" in scope["path"]
    answer = JSONResponse({"error": sentence}, status) if is_route else PlainTextResponse(sentence, status)
    await answer(scope, receive, send)


class SecurityHeaders:
    """ASGI middleware that adds the headers to whatever answers."""

    def __init__(self, app: ASGIApp, framed_by: tuple[str, ...] = ()) -> None:
        """`framed_by`: the other sites that may show a page of ours in a frame."""
        self.app = app
        logging.getLogger("uvicorn.error").addFilter(lambda record: REFUSED not in record.getMessage())
        self.headers = {
            "Content-Security-Policy": policy(framed_by),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            **({} if framed_by else {"X-Frame-Options": "SAMEORIGIN"}),  # which cannot name another site
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "websocket.close" and not has_begun:  # the server would answer without headers
                await PlainTextResponse("Refused.", 403)(scope, receive, send_with_headers)
                return
            if message["type"] in BEGINS:
                has_begun = True
                message.setdefault("headers", [])
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def policy(framed_by: tuple[str, ...]) -> str:
    """The Content-Security-Policy: everything from this server, no eval, styles inline as Streamlit writes them."""
    scripts = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in _inline_scripts())])
    rules = {
        "default-src": "'self'",
        "script-src": scripts,
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(("'self'", *framed_by)),
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


@cache
def _inline_scripts() -> tuple[str, ...]:
    """Digests of the scripts written into Streamlit's own page, and of what leads to our modules."""
    spec = find_spec("streamlit")
    assert spec is not None and spec.origin is not None
    page = (Path(spec.origin).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = (*INLINE.findall(page), IMPORT_MAP)
    return tuple(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
