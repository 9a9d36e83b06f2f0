"""Surveys and pairs of models beside the pages: what ships is there at once, others come one at a time and are kept."""

import queue
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from attnviz_app.jobs import measurements
from attnviz_app.serving import similarity
from attnviz_app.serving.runs import Runs
from attnviz_app.serving.similarity import Similarities
from attnviz_app.serving.surveys import Surveys
from attnviz_app.settings import Settings

from attnviz.analysis.compare import common_sentences
from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import survey
from attnviz.analysis.heads.survey_cache import bundled_survey, bundled_survey_path
from attnviz.core.errors import LimitError
from attnviz.training import TrainedModel
from tests.job_fake import until

pytestmark = pytest.mark.usefixtures("one_thread")

SHIPPED = ("minilm-l6", "reverse", "induction", "translate-en-zh", "translate-en-zh-tw", "translate-zh-en", "poems-zh")
OWN = ("a b c a b", "d e f d e f")


@pytest.fixture(scope="module")
def runs():
    return Runs(Settings())


@pytest.fixture(scope="module")
def induction(runs):
    return runs.model("induction")


@pytest.fixture
def made(runs, tmp_path):
    """Tables of nobody yet, and a folder for them."""
    surveys = Surveys(runs, tmp_path)
    yield surveys
    surveys.close()


class Held:
    """A survey that goes on as a test says: a number is how far it is, "end" lets it measure, "crash" fails."""

    def __init__(self) -> None:
        self.started: list[tuple[tuple[str, ...], queue.Queue]] = []

    def __call__(self, model, sentences, *, language=None, max_seconds, on_progress):
        says: queue.Queue = queue.Queue()
        self.started.append((sentences, says))
        while (said := says.get(timeout=20)) != "end":
            if said == "crash":
                raise MemoryError
            on_progress(said, 10)
        return survey(model, sentences)

    def nth(self, n: int):
        """The sentences of the n-th that began, and what it is told; waits for it."""
        until(lambda: len(self.started) >= n)
        return self.started[n - 1]


@pytest.fixture
def held(made, monkeypatch):
    work = Held()
    monkeypatch.setattr("attnviz_app.serving.surveys.survey", work)
    yield work
    for _, says in work.started:
        says.put("crash")


def test_the_shipped_table_of_the_smallest_model_is_what_is_measured_now_of_its_weights_alone(induction) -> None:
    there = bundled_survey(induction.card, induction.own_texts())
    assert there is not None
    now = survey(induction, induction.own_texts())
    numbers = now.heads.select_dtypes("number").columns
    np.testing.assert_allclose(there.heads[numbers], now.heads[numbers], atol=2e-4)
    assert list(there.heads["kind_of_head"]) == list(now.heads["kind_of_head"]) and there.heads.attrs == now.heads.attrs
    assert bundled_survey(replace(induction.card, revision="0" * 12), induction.own_texts()) is None
    assert bundled_survey_path(induction.card, OWN) != bundled_survey_path(induction.card, OWN[:1])


@pytest.mark.parametrize("name", SHIPPED)
def test_the_table_of_every_bundled_model_is_there_at_once_and_true_of_some_sentences(runs, made, held, name) -> None:
    model = runs.model(name)
    sentences = model.own_texts() if isinstance(model, TrainedModel) else bundled("en")
    there = made.of(name, "zh-CN").result
    assert held.started == [] and there.card.id == name and there.language == ("en" if name == "minilm-l6" else "")
    assert there.sentences == sentences and len(sentences) >= 200
    assert set(made.frame(name, "zh-CN")["kind_of_head"]) <= set(there.counts)
    some = [3, 77, 150]
    now = survey(model, [sentences[at] for at in some])
    np.testing.assert_allclose(there.per_sentence[some], now.per_sentence, atol=2e-4)
    means = np.nanmean(there.per_sentence[:, :, 0], axis=0)
    np.testing.assert_allclose(there.heads["first"], means, atol=1e-5)
    for column in ("induction_repeated", "same_token_repeated"):  # measured on all random texts or none
        pair = [frame[column].isna() for frame in (there.heads, now.heads)]
        pd.testing.assert_series_equal(*pair, check_names=False)


def test_a_list_is_measured_once_with_its_progress_and_is_then_there(made, held) -> None:
    first = made.of_sentences("induction", OWN)
    assert first.is_coming and first.total == 6
    sentences, says = held.nth(1)
    says.put(1)
    until(lambda: made.of_sentences("induction", OWN).done == 1)
    assert sentences == OWN
    says.put("end")
    until(lambda: made.of_sentences("induction", OWN).result is not None)
    assert len(held.started) == 1
    assert made.of_sentences("induction", OWN[::-1]).is_coming  # another list is another one


def test_only_so_many_wait_and_a_list_that_was_replaced_gives_up_its_place(made, held, monkeypatch) -> None:
    monkeypatch.setattr(measurements, "WAITING", 2)
    made.of_sentences("induction", ("a a",))
    _, first = held.nth(1)
    assert [made.of_sentences("induction", (f"{word} {word}",)).is_coming for word in "bc"] == [True, True]
    refused = made.of_sentences("induction", ("d d",))
    assert refused.error.id == "measurements-full" and refused.error.arguments == {"n": 2} and not refused.is_coming
    assert len(held.started) == 1
    for word in "ba":
        made.give_up("induction", (f"{word} {word}",))
    first.put(1)  # it ends with its next text
    assert held.nth(2)[0] == ("c c",) and first.empty()


def test_a_failure_is_an_error_and_is_tried_again_later(made, held) -> None:
    made.of_sentences("induction", OWN)
    held.nth(1)[1].put("crash")
    until(lambda: made.of_sentences("induction", OWN).error is not None)
    error = made.of_sentences("induction", OWN).error
    assert error.id == "measurement-failed" and error.arguments == {"code": "MemoryError"} and len(held.started) == 1
    made.queue._retry_seconds = 0.0
    assert made.of_sentences("induction", OWN).is_coming


def test_a_model_whose_language_has_no_sentences_says_so(runs, induction, tmp_path, monkeypatch) -> None:
    french = SimpleNamespace(card=replace(induction.card, name="Oui", languages=("fr",)))
    monkeypatch.setattr(runs, "model", lambda name: french)
    said = Surveys(runs, tmp_path).of("oui")
    assert str(said.error) == "Oui reads fr, and there are English and Chinese sentences only. Bring some of your own."


def test_a_set_is_written_for_the_next_server_if_it_can_be_and_a_list_is_not(runs, made, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("attnviz_app.serving.surveys.known_names", tuple)  # nothing ships
    monkeypatch.setattr(type(runs.model("induction")), "own_texts", lambda self: OWN)
    until(lambda: not made.of_sentences("induction", OWN[:1]).is_coming, 120)
    assert made.of_sentences("induction", OWN[:1]).result.sentences == OWN[:1] and list(tmp_path.iterdir()) == []
    until(lambda: not made.of("induction").is_coming, 120)
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / "file").touch()
    unwritable, later = Surveys(runs, tmp_path / "file"), Surveys(runs, tmp_path)
    until(lambda: not unwritable.of("induction").is_coming, 120)
    assert unwritable.of("induction").result is not None  # in memory at least
    monkeypatch.setattr("attnviz.analysis.heads.survey_cache.survey", None)
    until(lambda: not later.of("induction").is_coming, 120)
    pd.testing.assert_frame_equal(later.frame("induction", "en"), made.frame("induction", "en"))
    later.close()
    unwritable.close()


@pytest.fixture
def pairs(induction, monkeypatch):
    """A factory: `pairs(folder)` is a server's, whose every name is one model, over few sentences."""
    monkeypatch.setattr(similarity, "common_sentences", lambda *models: common_sentences(*models, 8))
    return lambda folder=None: Similarities(SimpleNamespace(model=lambda name: induction), folder)


def compared(pairs):
    """By a server that starts, and ends once it has measured."""
    until(lambda: not pairs.of("a", "b").is_coming, 300)
    pairs.close()
    return pairs.of("a", "b").result


def test_a_pair_is_found_by_a_server_that_starts_again_and_waits_for_no_folder(pairs, tmp_path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    assert compared(pairs(tmp_path / "file")) is not None
    first = compared(pairs(tmp_path / "pairs"))
    assert [path.suffix for path in (tmp_path / "pairs").iterdir()] == [".safetensors"]
    monkeypatch.setattr(similarity, "similarity", None)
    second = compared(pairs(tmp_path / "pairs"))
    np.testing.assert_array_equal(second.every, first.every)
    same = ("heads_a", "heads_b", "n_sentences", "n_rows", "n_skipped", "why_skipped", "by_words", "card_a", "card_b")
    assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]


def test_a_pair_of_more_heads_than_memory_allows_is_refused(pairs, monkeypatch) -> None:
    monkeypatch.setattr(similarity, "MOST_HEADS", 3)
    found = pairs().of("a", "a")
    assert isinstance(found.error, LimitError) and found.error.arguments["most"] == 3


def test_a_pair_that_is_measured_ends_with_the_server(pairs, monkeypatch) -> None:
    begun, server = threading.Event(), pairs()

    def endless(*_: object, on_progress, **__: object):
        while True:
            on_progress(1, 2)
            begun.set()

    monkeypatch.setattr(similarity, "similarity", endless)
    assert server.of("a", "a").is_coming and begun.wait(10)
    server.close()
    assert not server.queue._worker.is_alive()
