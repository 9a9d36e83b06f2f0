"""Pairs of models are compared beside the pages: once, with a reason where it cannot be; and closing ends it."""

import threading
import time
from types import SimpleNamespace

import pytest
from attnviz_app.jobs import measurements, similarity
from attnviz_app.jobs.similarity import Similarities

import attnviz as av
from attnviz.analysis.compare import common_sentences
from attnviz.core.errors import AttnvizError, LimitError
from tests.job_fake import until


@pytest.fixture
def pairs(monkeypatch):
    """Pairs of three names for one small model, over few sentences."""
    model = av.load("reverse")
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, 8))
    made = Similarities(SimpleNamespace(model=lambda name: model))
    yield made
    made.close()


def test_what_went_wrong_is_said_and_does_not_end_the_worker(pairs, monkeypatch) -> None:
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: 1 / 0)
    for names in ("ab", "ba"):
        until(lambda names=names: not pairs.of(*names).is_coming)
        error = pairs.of(*names).error
        assert error.id == "pair-crashed" and error.arguments == {"code": "ZeroDivisionError"}


def test_more_heads_than_memory_allows_are_refused(pairs, monkeypatch) -> None:
    monkeypatch.setattr(similarity, "MOST_HEADS", 3)
    found = pairs.of("a", "a")
    assert isinstance(found.error, LimitError) and found.error.arguments["most"] == 3


def test_the_queue_is_bounded_and_closing_ends_the_worker(pairs, monkeypatch) -> None:
    is_running = threading.Event()

    def slow(*_: object, on_progress, **__: object):
        is_running.set()
        for _ in range(1000):
            on_progress(1, 2)
            time.sleep(0.01)
        raise AttnvizError("never here")

    monkeypatch.setattr(similarity, "similarity", slow)
    monkeypatch.setattr(measurements, "WAITING", 1)
    assert pairs.of("a", "a").is_coming and is_running.wait(10)
    assert pairs.of("b", "b").is_coming and pairs.of("a", "a").is_coming
    assert pairs.of("c", "c").error.id == "pairs-full"
    pairs.close()
    assert not pairs.queue._worker.is_alive()
