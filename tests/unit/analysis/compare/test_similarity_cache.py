"""A similarity is measured once a pair of models: found again by what both compute, whole or not at all."""

import os
from types import SimpleNamespace

import numpy as np
import pytest
from attnviz_app.jobs import similarity as similar
from attnviz_app.jobs.similarity import Similarities

import attnviz as av
from attnviz.analysis.compare import similarity, similarity_cache
from attnviz.analysis.file_cache import make_room
from attnviz.core.errors import WriteError
from attnviz.training import bundled_models
from tests.job_fake import until
from tests.unit.analysis.heads.test_survey_cache import changed

TEXTS = ("a b c", "c a b d", "b a")


def pairs_of(models, folder) -> Similarities:
    return Similarities(SimpleNamespace(model=lambda name: models["ab".index(name)]), folder)


def measured(pairs: Similarities):
    until(lambda: not pairs.of("a", "b").is_coming, 300)
    return pairs.of("a", "b")


@pytest.fixture(scope="module")
def models():
    trained = av.load("reverse")
    return trained, trained.at_step(8, bundled_models.FOLDER / "reverse")


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "common_sentences", lambda *models: TEXTS)


def test_other_weights_other_sentences_or_the_other_order_are_another_name(models, tmp_path) -> None:
    a, b = models
    names = [similarity_cache.path_of(tmp_path, *it) for it in (
        (a, b, TEXTS), (b, a, TEXTS), (a, a, TEXTS), (changed(a), b, TEXTS), (a, b, TEXTS[:2]),
    )]  # fmt: skip
    assert len(set(names)) == len(names) and similarity_cache.path_of(tmp_path, a, b, TEXTS) == names[0]


def test_half_a_file_or_another_one_is_measured_anew(models, tmp_path) -> None:
    path = tmp_path / "one.safetensors"
    similarity_cache.write(similarity(*models, TEXTS), path)
    cards, whole = (models[0].card, models[1].card), path.read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"PK\x03\x04", whole.replace(b"n_rows", b"n_rowz")):
        path.write_bytes(content)
        assert similarity_cache.read(path, *cards) is None
    assert similarity_cache.read(tmp_path / "none", *cards) is None


def test_a_server_that_starts_again_finds_what_was_measured(models, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    def restarted():
        pairs = pairs_of(models, tmp_path)
        try:
            return measured(pairs)
        finally:
            pairs.close()

    first = restarted()
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]
    monkeypatch.setattr(similar, "similarity", None)
    second = restarted()
    np.testing.assert_array_equal(second.found.every, first.found.every)
    same = ("heads_a", "heads_b", "n_sentences", "n_rows", "n_skipped", "why_skipped", "by_words", "card_a", "card_b")
    assert [getattr(second.found, name) for name in same] == [getattr(first.found, name) for name in same]


def test_a_folder_that_cannot_be_written_keeps_nobody_waiting(
    models, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise WriteError("no room")

    monkeypatch.setattr(similarity_cache, "write", full)
    pairs = pairs_of(models, tmp_path)
    try:
        assert measured(pairs).found is not None
    finally:
        pairs.close()


def test_the_files_used_longest_ago_leave_and_no_others(tmp_path) -> None:
    for at, name in enumerate(("pairs-old.safetensors", "pairs-new.safetensors", "notes.txt")):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (at, at))
    make_room(tmp_path, similarity_cache.PATTERN, 150)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "pairs-new.safetensors"]
