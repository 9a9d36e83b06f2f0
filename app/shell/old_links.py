"""Opens old links: of a time when all heads stood on Home, and what is said of a head below and not beside it."""

from attnviz_app.heads.query import PICKED
from starlette.datastructures import QueryParams
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class OldLinks:
    """ASGI middleware; it answers before a page is there, so Back does not come to it."""

    def __init__(self, app: ASGIApp, home: str) -> None:
        """`home`: the path of Home."""
        self.app = app
        self.old = {home: {*PICKED, "below"}, f"{home}heads": {"below"}}
        self.heads = f"{home}heads"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.app
        if scope["type"] == "http" and scope["path"] in self.old:
            query = scope["query_string"].decode("latin-1")
            if QueryParams(query).keys() & self.old[scope["path"]]:
                app = RedirectResponse(f"{self.heads}?{query.replace('below=', 'beside=')}")
        await app(scope, receive, send)
