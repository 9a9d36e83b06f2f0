"""The ASGI app that `streamlit run app/main.py` serves: pages, our own routes, and headers on every response."""

from pathlib import Path

import streamlit as st
from attnviz_app.api import compare, heads, home, step
from attnviz_app.security import KnownHosts, SecurityHeaders, names_of
from attnviz_app.settings import SettingsError, say_once, settings
from attnviz_app.start import untried
from starlette.middleware import Middleware
from starlette.routing import Mount

PAGES = (heads, step, compare, home)
if hint := untried(st.__version__):
    say_once(hint)
try:
    framed_by = settings().framed_by
except SettingsError:  # every page says what is wrong with it
    framed_by = ()
names = names_of(st.get_option("server.address"), st.get_option("server.allowedHosts"))
base = st.get_option("server.baseUrlPath").strip("/")
app = st.App(
    Path(__file__).with_name("dashboard.py"),
    routes=[Mount(f"/{base}/api" if base else "/api", routes=[route for page in PAGES for route in page.ROUTES])],
    middleware=[Middleware(SecurityHeaders, framed_by=framed_by), Middleware(KnownHosts, names=names)],
)
