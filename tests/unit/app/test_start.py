"""How the server starts: as `streamlit run`."""

import runpy
import sys

from attnviz_app.api import health
from attnviz_app.settings import settings
from attnviz_app.start import main
from starlette.applications import Starlette
from starlette.testclient import TestClient


def test_what_can_be_served_is_streamlit_run_with_the_options_given(monkeypatch):
    started = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: started.append((name, sys.argv)))
    monkeypatch.setattr(sys, "argv", ["attnviz"])
    settings.cache_clear()
    assert main(["main.py", "--server.port", "1"]) == 0
    assert started == [("streamlit", ["streamlit", "run", "main.py", "--server.port", "1"])]


def test_a_server_whose_settings_cannot_be_served_is_not_ready_and_names_none_of_them(monkeypatch, caplog):
    monkeypatch.setenv("ATTNVIZ_MAX_TOKENS", "umpteen")  # said once, so of this test alone
    settings.cache_clear()
    answer = TestClient(Starlette(routes=health.ROUTES)).get("/readyz")
    assert (answer.status_code, "MAX_TOKENS" in answer.text) == (503, False)
    assert "ATTNVIZ_MAX_TOKENS is set to 'umpteen'" in caplog.text
