"""The language model that ships is fetched at its first use, by itself once, on a person's own computer alone."""

import threading
from itertools import count

import pytest
from attnviz_app.open_model import panel
from attnviz_app.serving import runs as runs_module
from attnviz_app.serving.openings import openings
from attnviz_app.serving.runs import progress
from attnviz_app.settings import settings

from attnviz.core.errors import UnknownModel
from tests.job_fake import until
from tests.pages.conftest import link, menu, shown, turn_to

NAME, OTHER = "smollm2-135m", "minilm-l6"
SERVERS = count(33)


class Index:
    """Where the model comes from here: it gives a third of it, and the rest when a test says so; or nothing."""

    def __init__(self):
        self.go, self.asked, self.reason, self.is_reached = threading.Event(), 0, "", True
        self.has_another = True  # MiniLM is on this computer

    def fetched(self, runs, name):
        self.asked += 1
        if not self.is_reached:
            raise UnknownModel(id="index-unreachable", model=name, command="")
        if self.reason:
            raise UnknownModel(
                id="package-not-fetched", model=name, why="error", what=self.reason, command="", file="", folder=""
            )
        while not self.go.wait(0.01):
            progress.get()(31_000_000, 93_000_000)


@pytest.fixture
def index(operator):
    operator.setenv("ATTNVIZ_MODELS", "")
    operator.setenv("ATTNVIZ_QUEUE_LENGTH", str(next(SERVERS)))  # a server of its own has what is one a process
    settings.cache_clear()
    own = Index()
    here = {NAME: own.go.is_set, OTHER: lambda: own.has_another}
    operator.setattr(runs_module, "is_here", lambda name: name not in here or here[name]())
    loads = runs_module.Runs.open
    operator.setattr(
        runs_module.Runs, "open",
        lambda runs, name: (own.fetched(runs, name) or loads(runs, "reverse")) if name == NAME else loads(runs, name),
    )  # fmt: skip
    yield own
    openings().cancel(NAME)
    until(lambda: openings().of(NAME) is None or not openings().of(NAME).is_active)


@pytest.mark.parametrize("page", ["home", "heads", "step", "compare"])
def test_it_begins_by_itself_once_beside_a_page_on_another_model_and_is_given_up_by_a_press(opened, index, page):
    app = opened(page)
    until(lambda: openings().of(NAME).progress == (31_000_000, 93_000_000))
    app.run()
    assert "Fetching SmolLM2-135M: 31 of 93 MB" in shown(app)
    app.button(key="opening-cancel").click().run()
    until(lambda: openings().of(NAME).state == "left")
    app.run()
    assert "SmolLM2-135M is not on this computer yet" in shown(app)
    assert index.asked == 1 and opened(page) and index.asked == 1  # another visit does not begin it again
    app.button(key="first-use-act").click().run()
    until(lambda: index.asked == 2)


def test_without_an_index_a_sentence_says_so_and_every_page_is_as_it_was(opened, index):
    index.reason = "there is no network"
    app = opened("heads")
    until(lambda: openings().of(NAME).state == "failed")
    app.run()
    assert "could not be fetched: there is no network." in shown(app) and link(app)["model"] == "minilm-l6"
    app.button(key="first-use-act").click().run()
    until(lambda: index.asked == 2 and openings().of(NAME).state == "failed")
    app.run()
    app = turn_to(app, "compare")
    assert "could not be fetched" in shown(app)
    app.button(key="first-use-later").click().run()
    assert "could not be fetched" not in shown(app)
    assert "could not be fetched" not in shown(turn_to(app, "heads"))


def test_where_the_index_is_not_reached_that_is_what_is_said(opened, index):
    index.is_reached = False
    app = opened("heads")
    until(lambda: openings().of(NAME).state == "failed")
    assert "the package index that pip is configured with cannot be reached" in shown(app.run())


def test_once_it_is_here_it_is_offered_and_stands_first(opened, index):
    app = opened("heads")
    index.go.set()
    until(lambda: openings().of(NAME).state == "finished")
    app.run()
    assert "is on this computer now" in shown(app) and menu(app).options[0].startswith("SmolLM2-135M")
    assert link(app)["model"] == "minilm-l6"  # nothing moves under a reader


def test_with_neither_here_pages_open_on_a_model_trained_here_and_the_second_waits_until_the_first_was_shown(
    opened, index, operator
):
    index.has_another, began = False, []
    operator.setattr(panel, "begin", lambda name: began.append(name) or openings().open(name))
    app = opened("heads")
    assert link(app)["model"] == "translate-en-zh" and began == [NAME]
    index.go.set()
    until(lambda: openings().of(NAME).state == "finished")
    app.run()
    assert "SmolLM2-135M is on this computer now" in shown(app) and began == [NAME]
    app.button(key="first-use-act").click().run()
    app.run()
    assert began == [NAME, OTHER] and link(app)["model"] == NAME
    index.has_another = True


@pytest.mark.parametrize("name", ["ATTNVIZ_MODE", "ATTNVIZ_MODELS"])
def test_neither_a_hosted_server_nor_one_whose_operator_named_the_models_fetches_it(opened, operator, index, name):
    operator.setenv(name, {"ATTNVIZ_MODE": "hosted", "ATTNVIZ_MODELS": "minilm-l6"}[name])
    settings.cache_clear()
    app = opened("heads")
    assert "SmolLM2" not in shown(app) and openings().of(NAME) is None and index.asked == 0
