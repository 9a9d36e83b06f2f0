"""Pairs of models are compared beside the pages: once, with progress, with a reason where it cannot be; and it ends."""

import threading
import time
from types import SimpleNamespace

import pytest
from attnviz_app.jobs import similarity
from attnviz_app.jobs.similarity import Similarities

import attnviz as av
from attnviz.core.errors import AttnvizError, LimitError


def fake_runs(**models):
    return SimpleNamespace(model=lambda name: models[name])


def waited(of, seconds: float = 60):
    end = time.monotonic() + seconds
    while (now := of()).is_coming and time.monotonic() < end:
        time.sleep(0.02)
    return now


def test_a_pair_is_measured_once_and_kept() -> None:
    model = av.load("reverse")
    pairs = Similarities(fake_runs(a=model))
    try:
        found = waited(lambda: pairs.of("a", "a"))
        assert found.found is not None and found.found.js.shape == (4, 4) 
        assert pairs.of("a", "a").found is found.found
    finally:
        pairs.close()


def test_what_went_wrong_is_said_and_does_not_end_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    model = av.load("reverse")
    pairs = Similarities(fake_runs(a=model, b=model))
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: 1 / 0)
    try:
        found = waited(lambda: pairs.of("a", "b"))
        assert found.error is not None and found.error.id == "pair-crashed" and "ZeroDivisionError" in str(found.error)
        monkeypatch.undo()
        assert waited(lambda: pairs.of("b", "a")).found is not None
    finally:
        pairs.close()


def test_more_heads_than_memory_allows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "MOST_HEADS", 3)
    found = Similarities(fake_runs(a=av.load("reverse"))).of("a", "a")
    assert isinstance(found.error, LimitError) and found.error.arguments["most"] == 3


def test_the_queue_is_bounded_and_closing_ends_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    model, go = av.load("reverse"), threading.Event()

    def slow(*_: object, on_progress, **__: object):
        go.wait(10)
        on_progress(1, 2)
        raise AttnvizError("never here")

    monkeypatch.setattr(similarity, "similarity", slow)
    monkeypatch.setattr(similarity, "WAITING", 2)
    pairs = Similarities(fake_runs(**dict.fromkeys("abc", model)))
    assert pairs.of("a", "a").is_coming and pairs.of("b", "b").is_coming
    assert pairs.of("c", "c").error is not None and pairs.of("a", "a").is_coming
    closing = threading.Thread(target=pairs.close)
    closing.start()
    go.set()
    closing.join(10)
    assert not closing.is_alive() and not pairs.queue._worker.is_alive()
