"""A model that is opened beside the pages: its bytes are told, it can be cancelled, and its failure has a reason."""

import threading

import pytest
from attnviz_app.serving.openings import Openings
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

import attnviz as av
from attnviz.core.errors import UnknownModel
from tests.job_fake import until


class Source:
    """`av.load` of a model whose bytes come one by one, as a test lets them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._more = threading.Semaphore(0)

    def __call__(self, name, *, on_progress, **_):
        self.asked.append(name)
        for came in range(1, 5):
            on_progress(came, 4)
            assert self._more.acquire(timeout=20)
        if name == "gone":
            raise UnknownModel(id="unknown-model", name=name, names="")
        if name == "crash":
            raise MemoryError
        return self.model

    def sends(self, n: int = 4) -> None:
        self._more.release(n)


@pytest.fixture(scope="module")
def model():
    return av.load("reverse")


@pytest.fixture
def source(monkeypatch, model):
    made = Source()
    made.model = model
    monkeypatch.setattr("attnviz_app.serving.runs.av.load", made)
    return made


@pytest.fixture
def runs():
    return Runs(Settings(mode="local"))


@pytest.fixture
def openings(runs, source):
    made = Openings(runs)
    yield made
    source.sends(100)
    made.close()


def test_bytes_are_told_until_the_model_is_there_and_equal_asks_are_one(openings, source, runs, model):
    assert openings.of("any/model") is None
    openings.open("any/model")
    openings.open("any/model")
    until(lambda: openings.of("any/model").progress == (1, 4))
    source.sends(1)
    until(lambda: openings.of("any/model").progress == (2, 4))
    source.sends()
    until(lambda: openings.of("any/model").state == "finished")
    assert source.asked == ["any/model"] and runs.has_model("any/model") and runs.open("any/model") is model


def test_a_cancelled_download_ends_at_its_next_bytes_and_the_model_can_be_asked_for_again(openings, source, runs):
    openings.open("any/model")
    until(lambda: openings.of("any/model").progress == (1, 4))
    openings.cancel("any/model")
    source.sends(1)
    until(lambda: openings.of("any/model").state == "left")
    assert not runs.has_model("any/model")
    openings.open("any/model")
    source.sends()
    until(lambda: openings.of("any/model").state == "finished")


def test_one_that_waits_its_turn_is_cancelled_at_once(openings, source):
    for name in ("any/model", "other/model"):
        openings.open(name)
    assert openings.of("other/model").state == "waiting"
    openings.cancel("other/model")
    assert openings.of("other/model").state == "left"
    source.sends()
    until(lambda: openings.of("any/model").state == "finished")
    assert source.asked == ["any/model"]


@pytest.mark.parametrize(("name", "id"), [("gone", "unknown-model"), ("crash", "opening-failed")])
def test_a_failure_has_its_reason_and_does_not_stand_in_the_way_of_another_try(openings, source, name, id):
    openings.open(name)
    source.sends()
    until(lambda: openings.of(name).state == "failed")
    assert openings.of(name).error.id == id
    assert openings.open(name).is_active
    source.sends()
    until(lambda: source.asked == [name, name])
