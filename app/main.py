"""The ASGI app that `streamlit run app/main.py` serves: pages, our own routes, and headers on every response."""

# ruff: noqa: E402
import gc

gc.disable()  # while modules load: a sixth of it went to walks over what stays as long as the process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from attnviz_app import log
from attnviz_app.api import compare, files, heads, health, home, rooms, step
from attnviz_app.api.route import app_of
from attnviz_app.metrics import Connections
from attnviz_app.security import KnownHosts, SecurityHeaders, names_of
from attnviz_app.serving.malloc_settings import keep_freed_memory
from attnviz_app.settings import Settings, SettingsError, is_shared, settings
from attnviz_app.shell.kept_modules import KeptModules
from attnviz_app.shell.style_sheet import StyleSheet
from starlette.middleware import Middleware
from starlette.routing import Mount

gc.freeze()
gc.enable()
keep_freed_memory()  # before there are threads: each would have a heap of its own
if is_shared():
    log.write_single_lines()
PAGES = (heads, step, compare, home, rooms, files)
limits: Settings | None = None
with suppress(SettingsError):  # every page says what is wrong with it
    limits = settings()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Begins when all loggers are there, before the first visitor is."""
    if is_shared():
        log.write_single_lines()
    rooms.end_with_server()
    if limits is not None:
        health.start(limits)
    yield


names = names_of(st.get_option("server.address"), st.get_option("server.allowedHosts"))
base = ("/" + st.get_option("server.baseUrlPath").strip("/")).rstrip("/")
app = st.App(
    Path(__file__).with_name("dashboard.py"),
    lifespan=lifespan,
    routes=[
        Mount(f"{base}/api", app_of([route for page in PAGES for route in page.ROUTES])),
        *health.ROUTES,  # at the root, where probes ask for them
    ],
    middleware=[
        Middleware(SecurityHeaders, framed_by=limits.framed_by if limits else ()),
        Middleware(KnownHosts, names=names),
        Middleware(Connections),
        Middleware(StyleSheet),
        Middleware(KeptModules),
    ],
)
