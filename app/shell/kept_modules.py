"""A browser keeps the modules of the views: their addresses name what they hold, so that none of another day is used.

Streamlit sends each module anew for every page that is opened, more than a hundred of them. An import map in the page
leads to the same files under a folder that is named by all they hold, and what comes from there is kept. A browser that
knows no import map asks as before.
"""

import hashlib
import json
import os
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import attnviz.views

FOLDER = Path(attnviz.views.__file__).parent
SERVED = "_stcore/bidi-components/"  # by Streamlit, relative to a page of ours
KEPT = "public, max-age=31536000, immutable"


def _stamp() -> str:
    """Changes with every file of them that is written, taken away or added."""
    states = []
    for folder, _, names in os.walk(FOLDER):
        files = (os.path.join(folder, name) for name in names if name.endswith((".js", ".css")))
        states += [(path, (state := os.stat(path)).st_size, state.st_mtime_ns) for path in files]
    return hashlib.sha256(json.dumps(sorted(states)).encode()).hexdigest()[:16]


STAMP = _stamp()
UNDER = f"./{SERVED}@{STAMP}/"
IMPORT_MAP = json.dumps({"imports": {f"./{SERVED}": UNDER, UNDER: UNDER}})  # the longer one counts: from there on


def import_map() -> str:
    """The text of a page's import map; of files that were changed since this server began none: they are not kept."""
    return IMPORT_MAP if _stamp() == STAMP else ""


class KeptModules:
    """ASGI middleware that answers under that folder; what another server's page asks for there is not kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        before, marked, after = scope["path"].partition(f"/{SERVED}@") if scope["type"] == "http" else ("", "", "")
        if not marked:
            await self.app(scope, receive, send)
            return
        stamp, _, module = after.partition("/")
        path = f"{before}/{SERVED}{module}"

        async def send_kept(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_ours = stamp == STAMP and message["status"] == 200
                MutableHeaders(scope=message)["Cache-Control"] = KEPT if is_ours else "no-store"
            await send(message)

        await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send_kept)
