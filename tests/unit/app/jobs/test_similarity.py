"""Pairs of models are compared beside the pages: once, also by the next server. How they wait: test_surveys."""

import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from attnviz_app.jobs import similarity
from attnviz_app.jobs.similarity import Similarities

import attnviz as av
from attnviz.analysis.compare import Similarity, common_sentences
from attnviz.core.errors import LimitError
from tests.job_fake import until


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch) -> None:
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, 8))


def pairs_of_one_model(folder=None) -> Similarities:
    model = av.load("reverse")
    return Similarities(SimpleNamespace(model=lambda name: model), folder)


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


def test_more_heads_than_memory_allows_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(similarity, "MOST_HEADS", 3)
    found = pairs_of_one_model().of("a", "a")
    assert isinstance(found.error, LimitError) and found.error.arguments["most"] == 3


def test_a_pair_that_is_measured_ends_with_the_server(monkeypatch) -> None:
    begun, pairs = threading.Event(), pairs_of_one_model()

    def endless(*_: object, on_progress, **__: object):
        while True:
            on_progress(1, 2)
            begun.set()

    monkeypatch.setattr(similarity, "similarity", endless)
    assert pairs.of("a", "a").is_coming and begun.wait(10)
    pairs.close()
    assert not pairs.queue._worker.is_alive()
