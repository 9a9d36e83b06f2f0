"""How the server starts: as `streamlit run`, and an untried version of Streamlit is named in the log."""

import runpy
import sys

import pytest
from attnviz_app.settings import settings
from attnviz_app.start import TRIED, main, untried
from streamlit import __version__ as installed


@pytest.mark.parametrize(("version", "is_tried"), [("1.67.0", True), ("1.67.12", True), ("1.670.0", False)])
def test_a_version_that_was_not_tried_is_named_beside_those_that_were(version, is_tried):
    said = untried(version)
    assert (said is None) == is_tried
    assert said is None or (version in said and "1.67.x" in said)


def test_the_installed_version_is_one_of_those_that_were_tried():
    assert untried(installed) is None and installed.startswith(TRIED)


def test_what_can_be_served_is_streamlit_run_with_the_options_given(monkeypatch):
    started = []
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: started.append((name, sys.argv)))
    monkeypatch.setattr(sys, "argv", ["attnviz"])
    settings.cache_clear()
    assert main(["main.py", "--server.port", "1"]) == 0
    assert started == [("streamlit", ["streamlit", "run", "main.py", "--server.port", "1"])]
