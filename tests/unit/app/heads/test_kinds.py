"""What the dashboard tells the overview: kinds of the sentence, and over many sentences once somebody asks."""

from dataclasses import replace

import pytest
from attnviz_app import page_state
from attnviz_app.heads import kinds
from attnviz_app.heads.query import Selection
from attnviz_app.jobs.surveys import Surveyed, surveys
from attnviz_app.serving import measured_heads

from attnviz.views.pack import unpack

CAT = "The cat sat on the mat because it was tired."
SHOWN = Selection("minilm-l6", CAT)


@pytest.fixture
def said(minilm, monkeypatch: pytest.MonkeyPatch):
    """Send the overview what it hears of a selection: {the widget's key: (header, arrays)}."""

    def send(shown: Selection, *, many: Surveyed | None = None):
        if many is not None:
            monkeypatch.setattr(type(surveys()), "_of", lambda *_, **__: many)
        heard = {}
        kinds.show(minilm.trace(shown.text), shown, lambda payload, key: heard.update({key: unpack(payload)}))
        return heard

    return send


def test_the_sentence_and_the_bundled_sentences_are_there_at_once(said) -> None:
    heard = said(SHOWN)
    header, arrays = heard[page_state.KINDS]
    assert (header["source"], arrays["kinds"].shape) == ("sentence", (6, 12))
    header, arrays = heard[page_state.KINDS_OF_MANY]
    assert (header["n"], arrays["spreads"].shape[1:]) == (204, (6, 12))


def test_over_many_sentences_nothing_is_measured_before_it_is_asked_for(said) -> None:
    header, arrays = said(SHOWN, many=Surveyed(None, 0, 212))[page_state.KINDS_OF_MANY]
    assert (header["n"], header["share"], header["reason"], arrays) == (204, 0.0, None, {})


def test_why_there_are_none_is_said_to_those_who_ask(said) -> None:
    why = Surveyed(reason="It reads French.")
    assert page_state.KINDS_OF_MANY not in said(SHOWN, many=why)
    header, _ = said(replace(SHOWN, overview="many"), many=why)[page_state.KINDS_OF_MANY]
    assert header["reason"] == "It reads French."


def test_a_long_text_is_measured_beside_the_page(minilm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_heads, "SOON_CELLS", 10)
    begun = []
    monkeypatch.setattr(measured_heads.threading.Thread, "start", lambda thread: begun.append(thread))
    trace = minilm.trace("A long text that takes a while.")
    assert measured_heads.soon(trace, "long") is None
    assert measured_heads.soon(trace, "long") is None
    assert len(begun) == 1
    begun[0].run()
    frame = measured_heads.soon(trace, "long")
    assert frame is not None and len(frame) == 72 and "kind_of_head" in frame


def test_heads_of_random_numbers_are_not_measured_over_many_sentences() -> None:
    found = surveys().of("untrained-encoder", "zh-TW")
    assert found.reason is not None and "沒有訓練過" in found.reason
