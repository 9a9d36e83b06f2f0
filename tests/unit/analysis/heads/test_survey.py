"""Heads measured over sentences: what a language needs, which heads are found, and what the bundled sentences are."""

import csv
import io
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import attnviz as av
from attnviz import cli
from attnviz.analysis.heads.sentences import LANGUAGES, bundled, listed, read_list
from attnviz.analysis.heads.survey import KEPT, excited_by, languages_of, pattern_of, readable, survey
from attnviz.core.errors import InputError
from attnviz.export.csv_text import csv_text
from attnviz.export.heads_table import excited_lines, heads_lines
from attnviz.training.best_heads import best_heads
from attnviz.training.head_scores import head_scores


@pytest.fixture(scope="module")
def found(trained):
    sentences, said = trained.own_texts(12), []
    result = survey(trained, sentences, on_progress=lambda done, total: said.append((done, total)))
    assert said[-1] == (16, 16) and said == sorted(said)
    assert result.sentences == sentences  # in the list's own order
    return result


def test_a_model_that_learnt_induction_has_previous_heads_and_induction_heads_after_them(found) -> None:
    assert list(found.heads["kind_of_head"]) == ["previous", "previous", "induction", "induction"]
    assert found.counts["induction"] == 2 and sum(found.counts.values()) == 4
    assert (found.heads["induction_repeated"].to_numpy()[2:] > 0.8).all()
    assert (found.heads["previous_sd"] >= 0).all() and set(found.heads["previous_n"]) == {12}


def test_token_ids_are_measured_as_their_text_is(trained) -> None:
    texts = trained.own_texts(3)
    ids = [trained.trace(text).tokens.source.ids for text in texts]
    read, as_ids = av.survey(trained, texts), av.survey(trained, ids)
    np.testing.assert_allclose(as_ids.per_sentence, read.per_sentence, rtol=0, atol=1e-6)
    assert as_ids.counts["induction"] == read.counts["induction"] == 2
    assert as_ids.sentences[0] == f"ids:{list(ids[0])}"


def test_one_text_is_no_list_of_texts(trained) -> None:
    with pytest.raises(InputError, match="One text was given"):
        av.survey(trained, "a b c a b")


def test_the_sentences_that_excite_a_head_come_with_the_most_first(found) -> None:
    sentences = excited_by(found, "decoder.0.self", 1, n=4)
    values = [each.value for each in sentences]
    assert len(values) == 4 and values == sorted(values, reverse=True)
    column = found.per_sentence[:, 1, KEPT.index("previous")]
    assert values[0] == pytest.approx(float(column.max()))
    assert sentences[0].sentence == found.sentences[int(column.argmax())]
    with pytest.raises(InputError, match=r"There is no head 7 at decoder\.0\.self"):
        excited_by(found, "decoder.0.self", 7)


def test_broad_mixed_and_sink_heads_are_excited_where_the_first_token_takes_little() -> None:
    assert pattern_of("mixed") == pattern_of("broad") == pattern_of("sink") == ("first", True)
    assert pattern_of("previous") == ("previous", False)
    assert pattern_of("induction") == ("induction", False)  # decided on random tokens; in a sentence by the same share
    assert pattern_of("same-word") == ("same_token", False)


def test_a_translator_is_measured_in_all_its_attentions_and_its_alignment_heads_are_those_of_its_task() -> None:
    model = av.load("translate-en-zh")
    frame = survey(model, model.own_texts(12)).heads
    assert set(frame["kind"]) == {"self", "cross"} and set(frame["stack"]) == {"encoder", "decoder"}
    across = frame[frame["kind"] == "cross"]
    assert across["induction_repeated"].isna().all() and across["first"].notna().all()
    assert "random tokens" in frame.attrs["reasons"]["decoder.0.cross induction_repeated"]  # two vocabularies
    reverse = av.load("reverse")
    reasons = survey(reverse, reverse.own_texts(12)).heads.attrs["reasons"]
    assert "two texts" in reasons["decoder.0.cross induction_repeated"]
    assert not set(across["kind_of_head"]) & {"previous", "next", "same-word", "induction"}
    assert frame[frame["kind"] == "self"]["aligned"].isna().all()

    heads, examples = frame.set_index(["site", "head"]), model.task.examples("validation", 12, 0)
    scores = head_scores(model.network, model.task, examples)["alignment"]
    for site, own in scores.items():  # over the examples' own translations, where the survey has what was written
        assert heads.loc[site.key, "aligned"].to_list() == pytest.approx(own.tolist(), abs=0.05)
    best = best_heads(model)["alignment"]
    assert heads.loc[(best.site.key, best.head), "kind_of_head"] == "aligned"


def test_time_is_bounded_and_said(trained) -> None:
    result = survey(trained, ["a b c d e f a b c d e f"] * 200, max_seconds=0.0)
    assert 0 < len(result.sentences) < result.n_asked == 200
    assert "of 200 (time ran out)" in heads_lines(result)[0]


def test_a_model_is_measured_only_on_languages_of_its_card_and_where_it_knows_nine_tokens_in_ten(minilm) -> None:
    assert languages_of(minilm.card) == ("en",)
    with pytest.raises(InputError, match=r"MiniLM-L6 reads en, not zh; its heads are not measured on it\."):
        survey(minilm, language="zh")
    for languages in ((), ("many",), ("en", "zh")):
        assert readable(replace(minilm.card, languages=languages), "zh")
    unlisted = SimpleNamespace(card=replace(minilm.card, languages=()), trace=minilm.trace, traces=minilm.traces)
    with pytest.raises(InputError, match=r"\d\d% of .* sentences in “zh” are unknown to MiniLM-L6.*most 10%"):
        survey(unlisted, language="zh")
    with pytest.raises(InputError, match="has no sentences"):
        survey(minilm, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_two_hundred_different_sentences_of_many_kinds(language: str) -> None:
    sentences = bundled(language)
    assert len(sentences) >= 200 and len(set(sentences)) == len(sentences)
    lengths = [len(s.split()) if language == "en" else len(re.findall(r"[\u4e00-\u9fff]", s)) for s in sentences]
    assert min(lengths) >= 4 and max(lengths) <= 30 and max(lengths) - min(lengths) >= 10
    negation = {"en": r"\b(not|nobody|never|no)\b|n't", "zh": "不|没"}[language]
    pronouns = {"en": r"\b(he|she|they|it|who)\b", "zh": "他|她|它"}[language]
    for least, words in ((2, "[?？]"), (2, '["“]'), (2, "[,，]"), (2, "[0-9]"), (20, negation), (20, pronouns)):
        assert sum(bool(re.search(words, s, re.I)) for s in sentences) >= least, words


def test_a_list_of_ones_own_is_read_a_line_a_sentence(tmp_path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("\ufeffOne.\n\n  Two.  \r\n", encoding="utf-8")
    assert read_list(file) == ("One.", "Two.")
    for text, message in (
        (" \n ", "has no sentences"), ("a\n" * 501, "501 sentences; at most 500"),
        ("a\n" + "b" * 2001, "Sentence 2 of the list has 2,001 characters"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            listed(text)
    file.write_bytes(b"\xff\xfe\x00a")
    for path in (file, tmp_path):
        with pytest.raises(InputError, match=r"cannot be read as text\. Give a file in UTF-8"):
            read_list(path)
    with pytest.raises(InputError, match="There is no file"):
        read_list(tmp_path / "none.txt")
    with pytest.raises(InputError, match=r"no sentences in “fr”\. Choose one of en, zh"):
        bundled("fr")


def test_the_table_has_a_line_a_head_and_the_csv_every_column(found) -> None:
    lines = heads_lines(found)
    assert lines[0] == "Induction: 4 heads over 12 sentences, 0.0% of the tokens unknown"
    assert [line.split()[:3] for line in lines[3:7]] == [
        ["decoder.0.self", "0", "previous"], ["decoder.0.self", "1", "previous"],
        ["decoder.1.self", "0", "induction"], ["decoder.1.self", "1", "induction"],
    ]  # fmt: skip
    assert "Kinds: induction 2, previous 2." in lines
    rows = list(csv.DictReader(io.StringIO(csv_text(found.heads))))
    assert [float(row["entropy"]) for row in rows] == pytest.approx(list(found.heads["entropy"]))
    assert rows[0]["next"] == "" and rows[0]["kind_of_head"] == "previous"  # a causal head sees no next token
    said = excited_lines("decoder.0.self", 0, "previous", excited_by(found, "decoder.0.self", 0, n=2))
    assert said[0].endswith("by previous of the sentence") and len(said) == 3


def test_the_command_measures_a_persons_own_sentences(tmp_path, capsys) -> None:
    file = tmp_path / "own.txt"
    file.write_text("a b c a b\nd e f d e f\n", encoding="utf-8")
    assert cli.main(["heads", "induction", "--file", str(file)]) == 0
    came = capsys.readouterr()
    assert came.out.startswith("Induction: 4 heads over 2 sentences") and "measuring induction:" in came.err
    assert cli.main(["heads", "induction", "--file", str(file), "--csv"]) == 0
    assert capsys.readouterr().out.startswith("site,stack,kind,layer,head,entropy")
    assert cli.main(["heads", "induction", "--file", str(file), "--excites", "decoder.0.self", "1"]) == 0
    assert "a b c a b" in capsys.readouterr().out
