"""A survey is measured once a model: it is found again by what the model computes, not by its name."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from attnviz.analysis.heads import survey_cache
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import cached_survey, digest, read
from attnviz.core.capture import Edit
from attnviz.core.errors import InputError, WriteError

pytestmark = pytest.mark.usefixtures("one_thread")

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
    pd.testing.assert_frame_equal(second.frame, first.frame)
    np.testing.assert_array_equal(second.per_sentence, first.per_sentence)
    same = ("card", "sentences", "language", "n_asked", "unknown_share", "counts")
    assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]
    assert second.frame.attrs == first.frame.attrs
    assert [path.suffix for path in (tmp_path / "new").iterdir()] == [".safetensors"]


def test_other_weights_under_one_name_have_another_digest(minilm) -> None:
    assert digest(minilm, FEW) == digest(minilm, FEW) != digest(changed(minilm), FEW)
    assert digest(minilm, FEW[:2]) != digest(minilm, FEW)


def test_what_was_cut_short_by_time_is_not_kept(minilm, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = survey(minilm, "en")
    monkeypatch.setattr(survey_cache, "survey", lambda *_, **__: replace(whole, n_asked=200))
    assert cached_survey(minilm, folder=tmp_path).n_asked == 200
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_measured_again_and_a_folder_that_cannot_be_is_said(minilm, tmp_path) -> None:
    path = tmp_path / "broken.safetensors"
    for damage in (b"", b"PK\x03\x04 not whole", b"\x93NUMPY"):
        path.write_bytes(damage)
        assert read(path, minilm.card) is None
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError, match=r"\.safetensors cannot be written \("):
        cached_survey(minilm, folder=tmp_path / "file")
    with pytest.raises(InputError, match="reads en, not zh"):
        cached_survey(minilm, "zh", folder=tmp_path)
