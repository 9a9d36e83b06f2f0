"""Surveys beside the pages: those that ship are there at once, others come one at a time, a failure is a sentence."""

import base64
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from attnviz_app.jobs import measurements
from attnviz_app.jobs.process import ChildProcess, ProcessCrashed
from attnviz_app.jobs.surveys import Surveys
from attnviz_app.serving.runs import Runs
from attnviz_app.settings import Settings

from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import bundled_survey, bundled_survey_path, packed
from attnviz.core.errors import InputError
from attnviz.training import TrainedModel
from tests.training_fake import until

pytestmark = pytest.mark.usefixtures("one_thread")

SHIPPED = ("minilm-l6", "reverse", "induction", "translate-en-zh", "translate-en-zh-tw", "translate-zh-en")
OWN = ("a b c a b", "d e f d e f")


class Waiting:
    """A process that says how far it is when it is let, and then sends what it was given."""

    def __init__(self, asked, came) -> None:
        self.asked, self.came, self.go, self.is_killed = asked, came, threading.Event(), False

    def listen(self, heard) -> str:
        heard({"done": 1, "total": 10})
        self.go.wait(20)
        if isinstance(self.came, Exception):
            raise self.came
        return self.came

    def kill(self) -> None:
        self.is_killed, self.came = True, ProcessCrashed(-9)
        self.go.set()

    stop = kill


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
def queue(runs, table, tmp_path):
    """Surveys of a person's own lists, and the processes that were started for them."""
    started = []

    def start(asked):
        started.append(Waiting(asked, table))
        return started[-1]

    made = Surveys(runs, start, tmp_path)
    yield made, started
    for process in started:
        process.go.set()


def test_the_shipped_table_of_the_smallest_model_is_what_is_measured_now(induction) -> None:
    there = bundled_survey(induction.card, induction.own_texts())
    assert there is not None
    now = survey(induction, sentences=induction.own_texts())
    numbers = now.frame.select_dtypes("number").columns
    np.testing.assert_allclose(there.frame[numbers], now.frame[numbers], atol=2e-4)
    assert list(there.frame["kind_of_head"]) == list(now.frame["kind_of_head"]) and there.frame.attrs == now.frame.attrs


@pytest.mark.parametrize("name", SHIPPED)
def test_the_table_of_every_bundled_model_is_there_at_once_and_true_of_some_sentences(runs, queue, name: str) -> None:
    (made, started), model = queue, runs.model(name)
    sentences = model.own_texts() if isinstance(model, TrainedModel) else bundled("en")
    there = made.of(name, "zh-CN").found
    assert started == [] and there.card.id == name and there.language == ("en" if name == "minilm-l6" else "")
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


def test_a_list_is_measured_once_with_its_progress_and_is_then_there(queue) -> None:
    made, started = queue
    first = made.own("induction", OWN)
    assert first.is_coming and first.total == 10
    until(lambda: made.own("induction", OWN).done == 1)
    assert len(started) == 1 and started[0].asked["folder"] == "" and started[0].asked["sentences"] == OWN
    started[0].go.set()
    until(lambda: made.own("induction", OWN).found is not None)
    assert len(started) == 1 and made.own("induction", OWN[::-1]).is_coming  # another list is another one


def test_one_is_measured_at_a_time_only_so_many_wait_and_a_list_that_was_replaced_gives_up_its_place(
    queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, started = queue
    monkeypatch.setattr(measurements, "WAITING", 2)
    made.own("induction", ("a a",))
    until(lambda: len(started) == 1)
    assert [made.own("induction", (f"{word} {word}",)).is_coming for word in "bc"] == [True, True]
    refused = made.own("induction", ("d d",))
    assert refused.error.id == "surveys-full" and refused.error.arguments == {"n": 2} and not refused.is_coming
    assert len(started) == 1
    for word in "ba":
        made.give_up("induction", (f"{word} {word}",))
    until(lambda: len(started) == 2)
    assert started[0].is_killed and started[1].asked["sentences"] == ("c c",)


def test_a_failure_is_an_error_and_is_tried_again_later(queue) -> None:
    made, started = queue
    made.own("induction", OWN)
    until(lambda: started)
    started[0].came = InputError("There is none.", id="no-sentences")
    started[0].go.set()
    until(lambda: made.own("induction", OWN).error is not None)
    assert made.own("induction", OWN).error.id == "no-sentences" and len(started) == 1
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
