"""What the HTML of every page begins with: where its modules are, and the frame's style sheet, for what is drawn before
that comes moves when it does.
"""

from pathlib import Path

from attnviz_app.shell.kept_modules import import_map
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import attnviz.views

PALETTE = Path(attnviz.views.__file__).with_name("kit") / "palette.css"
STYLE = b"<style>%s%s</style>" % (PALETTE.read_bytes(), Path(__file__).with_name("shell.css").read_bytes())
HEAD = b"<head>"  # what leads to modules is there before the first of them
ROOT = b'<div id="root">'  # Streamlit's own sheets stand before it in the head, those of a page in it
# The projector size: 20 px where the usual size is 16. The header of a narrower window keeps its usual size, so that
# all pages are in it; in a low window everything does (kit/shell.js).
PROJECTOR = """@media (min-height: 801px) {
  :root { font-size: 20px; --av-foot: 40px; }
}
@media (min-width: 901px) and (max-width: 1560px) and (min-height: 801px) {
  :root { --av-header: 2.4rem; }
  :root :is(header.stAppHeader, .st-key-tools, .st-key-theme) { zoom: 0.8; --av-header: 3rem; }
}"""
CHINESE_PUNCTUATION = Path(__file__).with_name("chinese_punctuation.css").read_text(encoding="utf-8")
# Of a link that asks for it, until the frame says it itself.
EARLY = f"<style>{PROJECTOR.replace(':root', ':root:not(:has(.av-names))')}</style>".encode()
DEPENDENT = ("etag", "last-modified", "content-length")  # on what Streamlit's file was without it


class StyleSheet:
    """ASGI middleware that puts both into an HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or "text/html" not in Headers(scope=scope).get("accept", "")
        ):
            await self.app(scope, receive, send)
            return
        asked = MutableHeaders(scope=scope)
        for name in ("accept-encoding", "if-none-match", "if-modified-since"):
            del asked[name]
        start: Message = {}
        body = bytearray()

        async def send_styled(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            early = EARLY if b"size=projector" in scope["query_string"] else b""
            page = bytes(body).replace(ROOT, STYLE + early + ROOT, 1)
            if leads := import_map():
                page = page.replace(HEAD, HEAD + f'<script type="importmap">{leads}</script>'.encode(), 1)
            headers = MutableHeaders(scope=start)
            for name in DEPENDENT:
                del headers[name]
            headers["content-length"] = str(len(page))
            await send(start)
            await send({"type": "http.response.body", "body": page})

        await self.app(scope, receive, send_styled)
