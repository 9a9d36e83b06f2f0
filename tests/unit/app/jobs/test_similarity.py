"""Pairs of models are compared beside the pages: once, also by the next server; with a reason where it cannot be."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from attnviz_app.jobs import measurements, similarity
from attnviz_app.jobs.similarity import Similarities

import attnviz as av
from attnviz.analysis.compare import Similarity, common_sentences
from attnviz.core.errors import AttnvizError, LimitError
from tests.job_fake import until


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch) -> None:
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, 8))


def pairs_of_one_model(folder: Path | None = None) -> Similarities:
    model = av.load("reverse")
    return Similarities(SimpleNamespace(model=lambda name: model), folder)


@pytest.fixture
def pairs():
    made = pairs_of_one_model()
    yield made
    made.close()


def measured(folder: Path) -> Similarity:
    """By a server that starts, and ends once it has measured."""
    pairs = pairs_of_one_model(folder)
    try:
        until(lambda: not pairs.of("a", "b").is_coming, 300)
        return pairs.of("a", "b").found
    finally:
        pairs.close()


def test_a_server_that_starts_again_finds_what_was_measured(tmp_path, monkeypatch) -> None:
    first = measured(tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]
    monkeypatch.setattr(similarity, "similarity", None)
    second = measured(tmp_path)
    np.testing.assert_array_equal(second.every, first.every)
    same = ("heads_a", "heads_b", "n_sentences", "n_rows", "n_skipped", "why_skipped", "by_words", "card_a", "card_b")
    assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]


def test_a_folder_that_cannot_be_written_keeps_nobody_waiting(tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    assert measured(tmp_path / "file") is not None


def test_what_went_wrong_is_said_and_does_not_end_the_worker(pairs, monkeypatch) -> None:
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: 1 / 0)
    for names in ("ab", "ba"):
        until(lambda names=names: not pairs.of(*names).is_coming)
        error = pairs.of(*names).error
        assert error.id == "measurement-failed" and error.arguments == {"code": "ZeroDivisionError"}


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
    assert pairs.of("c", "c").error.id == "measurements-full"
    pairs.close()
    assert not pairs.queue._worker.is_alive()
