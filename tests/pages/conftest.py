"""What every page test starts from: the dashboard as `streamlit run app/dashboard.py` runs it, without a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attnviz_app.jobs import similarity
from attnviz_app.settings import settings
from streamlit import config
from streamlit.testing.v1 import AppTest

from attnviz.analysis.compare import common_sentences

ROOT = Path(__file__).resolve().parents[2]
MAIN = ROOT / "app" / "dashboard.py"
SENTENCES = 8  # over which pages compare heads here: every pair that is opened is measured beside the tests
TIMEOUT_S = 60  # the first run also imports torch and loads the model

Opener = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def operator(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The operator's variables: none but those a test sets, read anew by it."""
    for name in [name for name in os.environ if name.startswith("ATTNVIZ_")]:
        monkeypatch.delenv(name)
    config.set_option("server.address", "127.0.0.1")  # as app/.streamlit/config.toml does; AppTest does not read it
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, SENTENCES))
    settings.cache_clear()
    yield monkeypatch
    settings.cache_clear()


@pytest.fixture
def opened() -> Opener:
    """A factory: `opened("heads", lang="zh-CN", layer="2")` opens a page with that link and returns it, run once."""

    def open_page(page: str = "", **query: str) -> AppTest:
        app = AppTest.from_file(str(MAIN), default_timeout=TIMEOUT_S)
        for name, value in query.items():
            app.query_params[name] = value
        if page:
            app.switch_page(str(ROOT / "pages" / f"{page}.py"))
        return app.run()

    return open_page


def shown(app: AppTest) -> str:
    """Everything the page says through `st.html`, as one text."""
    bodies = [element.proto.body for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<style"))


def link(app: AppTest) -> dict[str, str]:
    """What the picture on the page asks the browser to write into the link; what is picked, the browser adds itself."""
    asked: dict[str, str] = app.session_state["attnviz.url-asked"]
    return {name: value for name, value in asked.items() if value}


def turn_to(app: AppTest, page: str) -> AppTest:
    """Go to another page, whose address has no query at first."""
    app.query_params.clear()
    return app.switch_page(str(ROOT / "pages" / f"{page}.py")).run()


def header(app: AppTest, key: str) -> dict[str, Any]:
    """The header of a picture on the page."""
    proto = next(it.proto for it in app.main if getattr(it, "key", None) == key)
    return unpack(proto.bytes)[0]
