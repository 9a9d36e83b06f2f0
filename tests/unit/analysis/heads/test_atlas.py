"""An atlas says of a corpus what `head_metrics` says of the same texts, in bounded memory, and goes on after a kill."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

import attnviz as av
from attnviz.analysis.heads import atlas, corpus
from attnviz.analysis.heads.metrics import COLUMNS
from attnviz.analysis.heads.sentences import bundled
from attnviz.analysis.heads.survey import excited_by, survey
from attnviz.cli import main
from attnviz.core.errors import InputError

TEXTS = bundled("en")[:12]
TOLERANCE = 1e-5  # texts run in other batches


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same texts in three kinds of files, one that is too long to be tried and one too long for the model."""
    texts = tmp_path_factory.mktemp("texts")
    (texts / "a.txt").write_text("\n".join(["word " * 5000, *TEXTS[:4]]) + "\n\n  \n", encoding="utf-8")
    lines = [json.dumps({"text": text}) for text in (*TEXTS[4:8], "word " * 3000)]
    (texts / "b.jsonl").write_text("\n".join(lines), encoding="utf-8")
    pd.DataFrame({"text": TEXTS[8:], "n": 1}).to_parquet(texts / "c.parquet")
    (texts / "notes.md").write_text("not read")
    return texts


def made(name, model, texts, out):
    plan = atlas.Plan.of(name, model, texts, 5)
    plan.claim(out)
    return atlas.gathered(model, plan, out, atlas.measure(model, plan, out))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Eighteen texts of a model of four heads, and one with a word that it does not know."""
    texts = tmp_path_factory.mktemp("small") / "texts.txt"
    texts.write_text("\n".join([*av.load("induction").own_texts(18), "a?"]), encoding="utf-8")
    return texts


@pytest.fixture(scope="module")
def gathered(minilm, folder, tmp_path_factory):
    """Of three shards."""
    return made("minilm-l6", minilm, folder, tmp_path_factory.mktemp("out"))


def test_the_numbers_are_those_of_head_metrics(minilm, gathered):
    traces, found = [minilm.trace(text) for text in TEXTS], gathered.heads
    expected = av.head_metrics(traces)
    names = [name for column in COLUMNS for name in (column, f"{column}_sd", f"{column}_n")]
    np.testing.assert_allclose(found[names], expected[names], rtol=0, atol=TOLERANCE, equal_nan=True)
    assert found.attrs["reasons"].items() >= expected.attrs["reasons"].items()
    assert (found.attrs["texts"], found.attrs["skipped"]) == (12, 2)
    assert found.attrs["tokens"] == sum(len(trace.tokens.source) for trace in traces)


def test_a_survey_and_an_atlas_of_the_same_texts_agree_on_kinds_and_sentences(minilm, gathered):
    found, own = gathered, survey(minilm, TEXTS)
    differ = found.heads["kind_of_head"] != own.heads["kind_of_head"]  # random words come from the texts of both
    assert list(found.heads["site"]) == list(own.heads["site"]) and differ.mean() < 0.05
    for site, head in own.heads.loc[~differ, ["site", "head"]].itertuples(index=False):
        rows = found.excited[(found.excited["site"] == site) & (found.excited["head"] == head)]
        expected = {each.sentence: each.value for each in excited_by(own, site, head, n=len(TEXTS))}  # most first
        for values in (list(expected.values())[: atlas.TOP], [expected[sentence] for sentence in rows["sentence"]]):
            np.testing.assert_allclose(rows["value"], values, atol=TOLERANCE)
        assert list(rows["rank"]) == list(range(1, len(rows) + 1))


def test_a_run_that_was_killed_goes_on_and_gives_the_same(small, tmp_path, monkeypatch):
    """A kill leaves what lies in the folder at that moment."""
    model, whole, cut = av.load("induction"), tmp_path / "whole", tmp_path / "cut"
    monkeypatch.setattr(atlas, "TOLD", 1)
    plan = atlas.Plan.of("induction", model, small, 5)
    plan.claim(whole)
    n = atlas.measure(model, plan, whole, lambda n: n == 11 and shutil.copytree(whole, cut))
    kept = {path.name: path.stat().st_mtime_ns for path in (cut / atlas.PARTS).iterdir()}
    assert sorted(kept) == ["000000.safetensors", "000001.safetensors"]
    found, expected = made("induction", model, small, cut), atlas.gathered(model, plan, whole, n)
    assert all((cut / atlas.PARTS / name).stat().st_mtime_ns == at for name, at in kept.items())
    numbers = [frame.select_dtypes("number") for frame in (found.heads, expected.heads)]
    np.testing.assert_allclose(*numbers, rtol=0, atol=TOLERANCE, equal_nan=True)


def test_another_model_or_other_texts_are_refused_in_the_same_folder(minilm, folder, tmp_path):
    atlas.Plan.of("minilm-l6", minilm, folder / "a.txt").claim(tmp_path)
    with pytest.raises(InputError, match="another model, other weights or other texts"):
        atlas.Plan.of("minilm-l6", minilm, folder).claim(tmp_path)


@pytest.mark.parametrize(("name", "content"), [
    ("a.txt", b"\xff\xfe\x00"), ("a.jsonl", b'{"text": "one"}\n{"words": 1}'), ("a.parquet", b"PAR1"),
])  # fmt: skip
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        list(corpus.shards_of(corpus.files_of(tmp_path), 8))
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match=r"\.jsonl"):
        corpus.files_of(tmp_path)


def test_the_command_writes_tables_and_a_page_that_needs_no_server(small, tmp_path, capsys, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(atlas, "TOLD", 8)
    assert main(["atlas", "induction", "--texts", str(small), "--out", str(out), "--lang", "zh-CN"]) == 0
    said = capsys.readouterr()
    assert "4 heads" in said.out and "18 texts, 1 skipped" in said.out
    assert said.err.splitlines() == ["8 texts", "16 texts"]
    heads, excited = pd.read_parquet(out / "heads.parquet"), pd.read_parquet(out / "excited.parquet")
    assert len(heads) == 4 and heads.attrs["texts"] == 18
    assert set(excited["sentence"]) <= set(small.read_text().splitlines())
    page = (out / "atlas.html").read_text(encoding="utf-8")
    assert "图谱" in page and "default-src 'none'" in page
