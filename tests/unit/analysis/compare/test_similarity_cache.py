"""A similarity that was kept is found again by what both models compute, whole or not at all."""

import os

import pytest

import attnviz as av
from attnviz.analysis.compare import similarity, similarity_cache
from attnviz.analysis.file_cache import make_room
from attnviz.training import bundled_models
from tests.unit.analysis.heads.test_survey_cache import changed

TEXTS = ("a b c", "c a b d", "b a")


@pytest.fixture(scope="module")
def models():
    trained = av.load("reverse")
    return trained, trained.at_step(8, bundled_models.FOLDER / "reverse")


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


def test_the_files_used_longest_ago_leave_and_no_others(tmp_path) -> None:
    for at, name in enumerate(("pairs-old.safetensors", "pairs-new.safetensors", "notes.txt")):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (at, at))
    make_room(tmp_path, similarity_cache.PATTERN, 150)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "pairs-new.safetensors"]
