"""`attnviz compare`: models or saved traces, one text or many; the library's numbers; refusals in a sentence."""

import csv
import io
from pathlib import Path

import pytest

import attnviz as av
from attnviz.cli import main

pytestmark = pytest.mark.usefixtures("one_thread")

TEXT = "The cat sat on the mat."


def test_all_pairs_as_csv_are_the_librarys_numbers(minilm, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "reverse", "minilm-l6", "--text", "a b c", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    models = av.load("reverse"), minilm
    frame = av.compare(*(model.trace("a b c") for model in models)).heads
    assert len(rows) == len(frame) == 4 * 72
    for name in ("js", "cosine", "correlation"):
        assert [float(row[name]) for row in rows] == frame[name].tolist()


def test_a_name_that_is_not_known_is_refused_before_the_other_model_is_loaded(monkeypatch, capsys) -> None:
    monkeypatch.setattr("attnviz.catalog.load_bundled", lambda *_: pytest.fail("loaded"))
    assert main(["compare", "minilm-l6", "minilm-l7"]) == 1
    assert "'minilm-l7'" in capsys.readouterr().err


def test_over_texts_that_a_small_model_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "minilm-l6", "reverse", "--sentences", "4"]) == 0
    said = capsys.readouterr()
    assert "4 texts" in said.out and "A, site" in said.out and "4 of 4 texts" in said.err


def test_saved_traces_bring_their_own_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, model, text in (("a", "reverse", "a b c"), ("b", "reverse", "a b d"), ("other", "induction", "a b d")):
        av.load(model).trace(text).save(tmp_path / f"{name}.safetensors")
    path, second, other = (str(tmp_path / f"{name}.safetensors") for name in ("a", "b", "other"))
    assert main(["compare", path, "reverse", "--pair", "encoder.0.self", "0"]) == 0
    assert "0.0000 bits, cosine 1.0000" in capsys.readouterr().out
    assert main(["compare", path, second]) == 0  # one model, two texts: word by word
    assert "2 texts of one model" in capsys.readouterr().out
    assert main(["compare", path, other]) == 1
    assert "different texts" in capsys.readouterr().err
