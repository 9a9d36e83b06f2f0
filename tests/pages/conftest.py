"""What every page test starts from: the dashboard as `streamlit run app/dashboard.py` runs it, without a browser."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attnviz_app.api import step as step_route
from attnviz_app.api.step import Picture
from attnviz_app.serving import similarity
from attnviz_app.settings import SHIPPED, settings
from streamlit import config
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox, TextArea

from attnviz.analysis.compare import common_sentences
from attnviz.views.link import written
from attnviz.views.pack import unpack

ROOT = Path(__file__).resolve().parents[2]
MAIN = ROOT / "app" / "dashboard.py"
SENTENCES = 8  # over which pages compare heads here: every pair that is opened is measured beside the tests
TIMEOUT_S = 60  # the first run also imports torch and loads the model


@pytest.fixture(autouse=True)
def operator(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The operator's variables: those a test sets, read anew by it, and a list of models that is the same on every
    machine, whether the language model that ships is on it or not.
    """
    for name in [name for name in os.environ if name.startswith("ATTNVIZ_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ATTNVIZ_MODELS", ",".join(SHIPPED[1:]))
    config.set_option("server.address", "127.0.0.1")  # as app/.streamlit/config.toml does; AppTest does not read it
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, SENTENCES))
    settings.cache_clear()
    yield monkeypatch
    settings.cache_clear()


class Dashboard(AppTest):
    """What one visitor has open. No run of it raises, and all end in a page, not in a card that says why."""

    ends_in_a_card = False  # where a test has taken everything away that could be shown

    def _run(self, *given: Any, **options: Any) -> AppTest:
        super()._run(*given, **options)
        assert not self.exception
        assert self.ends_in_a_card or "av-card" not in shown(self)
        return self


@pytest.fixture
def opened() -> Callable[..., AppTest]:
    """A factory: `opened("heads", lang="zh-CN", layer="2")` opens a page with that link and returns it, run once."""

    def open_page(page: str = "", *, card: bool = False, visitor: str = "", **query: str) -> AppTest:
        app = Dashboard(str(MAIN), default_timeout=TIMEOUT_S)
        app.ends_in_a_card = card
        if visitor:
            app.session_state["attnviz.visitor"] = visitor
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
    """The link as the browser writes it, of what the page asks and its picture begins with; AppTest then has it too."""
    asked: dict[str, str] = app.session_state["attnviz.url-asked"]
    found = {name: value for name, value in asked.items() if value}
    for header in headers(app, "heads"):
        found |= {name: value for name, value in _picked(header["selection"]).items() if value}
    if headers(app, "stepper"):
        header = unpack(stepper(app))[0]
        row, key, feature, step = (header["picked"][name] for name in ("row", "key", "feature", "step"))
        cell = {"matrix": step, "token": row, "key": key, "feature": feature or None} if step else {}
        found |= {name: value for name, value in {**header["place"], **written(cell)}.items() if value}
    app.query_params.clear()
    for name, value in found.items():
        app.query_params[name] = value
    return found


def stepper(app: AppTest) -> bytes:
    """The picture of the Step through page as the browser fetches it for what was brought."""
    (header,) = headers(app, "stepper")
    asked = Picture(**header["question"], picked=header["place"], lang=header["lang"])
    return step_route.picture_of(asked)


def pictures(app: AppTest, view: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The headers and arrays of the pictures of one kind on the page."""
    payloads = [element.proto.bytes for element in app.get("bidi_component") if element.proto.bytes]
    return [(header, arrays) for header, arrays in map(unpack, payloads) if header["view"] == view]


def headers(app: AppTest, view: str) -> list[dict[str, Any]]:
    return [header for header, _ in pictures(app, view)]


def turn_to(app: AppTest, page: str) -> AppTest:
    """Go to another page by the navigation, whose addresses have no query."""
    app.query_params.clear()
    return app.switch_page(str(ROOT / "pages" / f"{page}.py")).run()


def key(app: AppTest, name: str) -> str:
    """The key that a widget has now; see app/host/events.py."""
    versions: dict[str, int] = app.session_state["attnviz.versions"]
    return f"{name}--{versions[name]}" if name in versions else name


def queue(app: AppTest, act: Callable[..., None], *arguments: Any) -> AppTest:
    """Run with an event that no element of AppTest can cause, such as a row chosen in a table."""
    app.session_state["attnviz.events"] = [(act, arguments, (app.session_state["attnviz.url-page"], 0))]
    return app.run()


def text_box(app: AppTest, name: str = "text-box") -> TextArea:
    """The box of the page's text."""
    return app.text_area(key=key(app, name))


def menu(app: AppTest, name: str = "model-box") -> Selectbox:
    """A menu of the page."""
    return app.selectbox(key=key(app, name))


def _picked(selection: dict[str, Any]) -> dict[str, str]:
    """As views/heads/picked_in_link.js says it."""
    names = ("layer", "head", "token", "key", "view", "together", "filter", "overview")
    said = written({name: selection.get(name) for name in names})
    said |= {"token": "none"} if selection.get("released") else {}
    return said | {"also": ",".join(f"{layer + 1}.{head + 1}" for layer, head in selection.get("also", []))}
