"""Surveys and similarities are measured once: they are found again by what models compute, not by their names."""

import os
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import attnviz as av
from attnviz.analysis.compare import similarity, similarity_cache
from attnviz.analysis.file_cache import make_room
from attnviz.analysis.heads import survey_cache
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import cached_survey, digest
from attnviz.core.edit import Edit
from attnviz.core.errors import InputError, TraceFileError, WriteError
from attnviz.pretrained.families import sites_of
from attnviz.training import bundled_models

FEW = ("The cat sat on the mat because it was tired.", "Where is the other dog?", "Nobody saw the old green door.")


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sentences in place of the bundled ones."""
    for place in ("attnviz.analysis.heads.survey_cache.bundled", "attnviz.analysis.heads.survey.bundled"):
        monkeypatch.setattr(place, lambda language: FEW)


def changed(model) -> SimpleNamespace:
    """The same card over other weights."""
    edit = Edit("encoder.1.self.q", lambda name, value: value * 1.5, "q larger")
    return SimpleNamespace(card=model.card, trace=lambda text: model.trace(text, edits=[edit]))


def test_the_second_time_all_comes_back_unmeasured(minilm, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cached_survey(minilm, folder=tmp_path / "new")
    monkeypatch.setattr(survey_cache, "survey", None)
    second = cached_survey(minilm, "en", folder=tmp_path / "new")
    pd.testing.assert_frame_equal(second.heads, first.heads)
    np.testing.assert_array_equal(second.per_sentence, first.per_sentence)
    same = ("card", "sentences", "language", "n_asked", "unknown_share", "counts")
    assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]
    assert second.heads.attrs == first.heads.attrs
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".safetensors"]


def test_other_weights_under_one_name_have_another_digest(minilm) -> None:
    assert digest(minilm, FEW) == digest(minilm, FEW) != digest(changed(minilm), FEW)
    assert digest(minilm, FEW[:2]) != digest(minilm, FEW)


def test_a_weight_that_changes_no_rounded_value_of_the_sentence_has_another_digest_too(minilm) -> None:
    """Of a token that stands in none of them, whose row another text may read."""
    module = deepcopy(minilm.module)
    module.get_input_embeddings().weight[5000] += 1e-6
    other = replace(minilm, module=module, backend=replace(minilm.backend, sites=sites_of(module, minilm.family)))
    assert digest(other, FEW) != digest(minilm, FEW)


def test_what_was_cut_short_by_time_is_not_kept(minilm, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = survey(minilm, language="en")
    monkeypatch.setattr(survey_cache, "survey", lambda *_, **__: replace(whole, n_asked=200))
    assert cached_survey(minilm, folder=tmp_path).n_asked == 200
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(minilm, tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError, match=r"\.safetensors cannot be written \("):
        cached_survey(minilm, folder=tmp_path / "file")
    with pytest.raises(InputError, match="reads en, not zh"):
        cached_survey(minilm, "zh", folder=tmp_path)


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
    damaged = whole[: len(whole) // 2], b"", b"PK\x03\x04", b"\x93NUMPY", whole.replace(b"n_rows", b"n_rowz")
    for content in damaged:
        path.write_bytes(content)
        assert similarity_cache.read(path, *cards) is None and survey_cache.read(path, cards[0]) is None
    assert similarity_cache.read(tmp_path / "none", *cards) is None


def test_a_file_of_another_kind_is_no_trace() -> None:
    with pytest.raises(TraceFileError, match="Expected 'attnviz trace 1', came 'attnviz survey 1'"):
        av.Trace.load(next(survey_cache.BUNDLED.glob("*.safetensors")))


def test_the_files_used_longest_ago_leave_and_no_others(tmp_path) -> None:
    for at, name in enumerate(("pairs-old.safetensors", "pairs-new.safetensors", "notes.txt")):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (at, at))
    make_room(tmp_path, similarity_cache.PATTERN, 150)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "pairs-new.safetensors"]
