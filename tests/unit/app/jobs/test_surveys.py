"""Surveys beside the pages: those that ship are there at once, others come one at a time, a failure is a sentence."""

import base64
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from attnviz_app.jobs import measurements
from attnviz_app.jobs.process import ChildProcess
from attnviz_app.jobs.surveys import Surveys
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import bundled_survey, bundled_survey_path, packed
from attnviz.training import TrainedModel
from tests.job_fake import FakeProcess, started, until

pytestmark = pytest.mark.usefixtures("one_thread")

SHIPPED = ("minilm-l6", "reverse", "induction", "translate-en-zh", "translate-en-zh-tw", "translate-zh-en")
OWN = ("a b c a b", "d e f d e f")


@pytest.fixture(scope="module")
def runs():
    return Runs(Settings())


@pytest.fixture(scope="module")
def induction(runs):
    return runs.model("induction")


@pytest.fixture(scope="module")
def table(induction):
    """What a process sends that has measured the list."""
    return base64.b64encode(packed(survey(induction, sentences=OWN))).decode()


@pytest.fixture
def made(runs, tmp_path):
    """Surveys of a person's own lists, whose processes do what the test says."""
    FakeProcess.started.clear()
    surveys = Surveys(runs, FakeProcess, tmp_path)
    yield surveys
    surveys.queue.close(5.0)


def test_the_shipped_table_of_the_smallest_model_is_what_is_measured_now(induction) -> None:
    there = bundled_survey(induction.card, induction.own_texts())
    assert there is not None
    now = survey(induction, sentences=induction.own_texts())
    numbers = now.frame.select_dtypes("number").columns
    np.testing.assert_allclose(there.frame[numbers], now.frame[numbers], atol=2e-4)
    assert list(there.frame["kind_of_head"]) == list(now.frame["kind_of_head"]) and there.frame.attrs == now.frame.attrs


@pytest.mark.parametrize("name", SHIPPED)
def test_the_table_of_every_bundled_model_is_there_at_once_and_true_of_some_sentences(runs, made, name: str) -> None:
    model = runs.model(name)
    sentences = model.own_texts() if isinstance(model, TrainedModel) else bundled("en")
    there = made.of(name, "zh-CN").found
    assert (
        FakeProcess.started == [] and there.card.id == name and there.language == ("en" if name == "minilm-l6" else "")
    )
    assert there.sentences == sentences and len(sentences) >= 200
    assert set(made.frame(name, "zh-CN")["kind_of_head"]) <= set(there.counts)
    some = (3, 77, 150)
    now = survey(model, sentences=[sentences[at] for at in some])
    np.testing.assert_allclose(there.per_sentence[list(some)], now.per_sentence, atol=2e-4)
    np.testing.assert_allclose(  # and its means are those of its sentences
        there.frame["first"], np.nanmean(there.per_sentence[:, :, 0], axis=0), atol=1e-5
    )
    for column in ("induction_repeated_over", "same_token_repeated_over"):  # measured on all random texts or none
        pair = [frame[column].isna() for frame in (there.frame, now.frame)]
        pd.testing.assert_series_equal(*pair, check_names=False)


def test_other_weights_have_no_shipped_table(induction) -> None:
    other = replace(induction.card, revision="0" * 12)
    assert bundled_survey(other, induction.own_texts()) is None
    assert bundled_survey_path(induction.card, OWN) != bundled_survey_path(induction.card, OWN[:1])


def test_a_list_is_measured_once_with_its_progress_and_is_then_there(made, table) -> None:
    first = made.own("induction", OWN)
    assert first.is_coming and first.total == 10
    process = started()
    process.lines.put({"done": 1, "total": 10})
    until(lambda: made.own("induction", OWN).done == 1)
    assert process.asked["folder"] == "" and process.asked["sentences"] == OWN
    process.end(table)
    until(lambda: made.own("induction", OWN).found is not None)
    assert len(FakeProcess.started) == 1
    assert made.own("induction", OWN[::-1]).is_coming  # another list is another one


def test_one_is_measured_at_a_time_only_so_many_wait_and_a_list_that_was_replaced_gives_up_its_place(
    made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measurements, "WAITING", 2)
    made.own("induction", ("a a",))
    first = started()
    assert [made.own("induction", (f"{word} {word}",)).is_coming for word in "bc"] == [True, True]
    refused = made.own("induction", ("d d",))
    assert refused.error.id == "surveys-full" and refused.error.arguments == {"n": 2} and not refused.is_coming
    assert len(FakeProcess.started) == 1
    for word in "ba":
        made.give_up("induction", (f"{word} {word}",))
    assert started(2).asked["sentences"] == ("c c",) and first.is_stopped


def test_a_failure_is_an_error_and_is_tried_again_later(made) -> None:
    made.own("induction", OWN)
    started().lines.put({"crash": True})
    until(lambda: made.own("induction", OWN).error is not None)
    assert made.own("induction", OWN).error.id == "survey-crashed" and len(FakeProcess.started) == 1
    made.queue._retry_seconds = 0.0
    assert made.own("induction", OWN).is_coming


def test_a_model_whose_language_has_no_sentences_says_so(runs, induction, tmp_path, monkeypatch) -> None:
    french = SimpleNamespace(card=replace(induction.card, name="Oui", languages=("fr",)))
    monkeypatch.setattr(runs, "model", lambda name: french)
    said = Surveys(runs, lambda asked: None, tmp_path).of("oui")
    assert str(said.error) == "Oui reads fr, and there are English and Chinese sentences only. Bring some of your own."


def test_the_process_itself_measures_a_list_and_writes_nothing(runs, induction, tmp_path) -> None:
    made = Surveys(runs, ChildProcess, tmp_path)
    texts = OWN * 3
    until(lambda: not made.own("induction", texts).is_coming, 120)
    found = made.own("induction", texts)
    assert found.error is None and found.found.sentences == texts
    expected = survey(induction, sentences=texts)
    np.testing.assert_allclose(found.found.per_sentence, expected.per_sentence, atol=1e-5)
    assert list(tmp_path.iterdir()) == []
