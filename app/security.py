"""Headers on every response: what a page of this server may load, run and be framed by."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class SecurityHeaders:
    """ASGI middleware that adds the headers to whatever answers."""

    def __init__(self, app: ASGIApp, framed_by: tuple[str, ...] = ()) -> None:
        """`framed_by`: the other sites that may show a page of ours in a frame."""
        self.app = app
        self.headers = {
            "Content-Security-Policy": policy(framed_by),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            **({} if framed_by else {"X-Frame-Options": "SAMEORIGIN"}),  # which cannot name another site
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
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
    """Digests of the scripts written into Streamlit's own page."""
    spec = find_spec("streamlit")
    assert spec is not None and spec.origin is not None
    page = (Path(spec.origin).parent / "static" / "index.html").read_text(encoding="utf-8")
    return tuple(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in INLINE.findall(page))
