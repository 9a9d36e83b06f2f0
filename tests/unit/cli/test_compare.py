"""`attnviz compare`: models or saved traces, one text or many; the library's numbers; refusals in a sentence."""

import csv
import io

import pytest

import attnviz as av

pytestmark = pytest.mark.usefixtures("one_thread")


def test_all_pairs_as_csv_are_the_librarys_numbers(minilm, typed) -> None:
    code, said, _ = typed("compare reverse minilm-l6 --text 'a b c' --csv")
    rows = list(csv.DictReader(io.StringIO(said)))
    frame = av.compare(*(model.trace("a b c") for model in (av.load("reverse"), minilm))).heads
    assert code == 0 and len(rows) == len(frame) == 4 * 72
    for name in ("js", "cosine", "correlation"):
        assert [float(row[name]) for row in rows] == frame[name].tolist()


def test_a_name_that_is_not_known_is_refused_before_the_other_model_is_loaded(monkeypatch, typed) -> None:
    monkeypatch.setattr("attnviz.catalog.load_fetched", lambda *_: pytest.fail("loaded"))
    code, _, beside = typed("compare minilm-l6 minilm-l7")
    assert code == 1 and "'minilm-l7'" in beside


def test_over_texts_that_a_small_model_reads(typed) -> None:
    code, said, beside = typed("compare minilm-l6 reverse --sentences 4")
    assert code == 0 and "4 texts" in said and "A, site" in said and "4 of 4 texts" in beside


def test_saved_traces_bring_their_own_text_and_two_models_read_the_one_that_is_given(tmp_path, typed) -> None:
    for name, model, text in (("a", "reverse", "a b c"), ("b", "reverse", "a b d"), ("other", "induction", "a b d")):
        av.load(model).trace(text).save(tmp_path / f"{name}.safetensors")
    for given, code, says in (
        ("{}/a.safetensors reverse --pair encoder.0.self 0", 0, "0.0000 bits, cosine 1.0000"),
        ("{}/a.safetensors {}/b.safetensors", 0, "2 texts of one model"),  # word by word
        ("{}/a.safetensors {}/other.safetensors", 1, "different texts"),
        ("reverse minilm-l6 --text 'a b c'", 0, "\n1 text, "),
    ):
        ended, *said = typed(f"compare {given}")
        assert ended == code and says in said[code]
