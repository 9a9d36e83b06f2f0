"""The head that brings a missing word, what adds to its lead, and what is predicted without it."""

import pytest

import attnviz as av
from attnviz.analysis.circuits.missing_word import MOST_OFF, missing_word
from attnviz.core.errors import StepError
from attnviz.trace.edits import HeadEdit


@pytest.fixture(scope="module")
def run() -> av.Trace:
    return av.load("induction").trace("a b c a b")


def test_it_is_the_head_that_moves_most_from_the_token_it_looks_at_most(run: av.Trace) -> None:
    found = missing_word(run)
    assert (found.wrote.text, found.site, found.head) == ("c", "decoder.1.self", 1)
    moved = found.wrote.sources()
    for (site, head), table in moved.groupby(["site", "head"]):
        most = table.loc[table["weight"].idxmax()]
        if (site, head) == (found.site, found.head):
            assert (most["token"], most["value"]) == (found.key, found.moved)
            assert table["value"].sum() == pytest.approx(found.added, abs=1e-4)
        elif most["token"] < len(run.tokens.source) - 1:
            assert most["value"] <= found.moved


def test_each_run_is_without_one_head_more_and_the_last_is_the_first_that_predicts_another_word(run: av.Trace) -> None:
    model, found = av.load("induction"), missing_word(run)
    assert 1 <= len(found.silenced) <= MOST_OFF
    candidates = run.prediction.ids[-1, :5].tolist()
    for n, without in enumerate(found.silenced, 1):
        assert len(without.heads) == n and without.heads[0] == (found.site, found.head)
        again = model.trace("a b c a b", edits=[HeadEdit(site, head) for site, head in without.heads]).prediction
        shares = dict(zip(again.ids[-1].tolist(), again.probabilities[-1].tolist(), strict=True))
        assert list(without.shares) == pytest.approx([shares[one] for one in candidates], abs=1e-6)
        assert (without.text, without.share) == (again.texts[-1][0], pytest.approx(max(shares.values()), abs=1e-6))
        assert without.is_other == (again.ids[-1, 0] != candidates[0])
    assert [without.is_other for without in found.silenced[:-1]] == [False] * (len(found.silenced) - 1)
    tops = [float(run.prediction.probabilities[-1, 0]), *(without.shares[0] for without in found.silenced)]
    assert tops[1:] == sorted(tops[1:], reverse=True)


def test_a_head_that_looks_at_tokens_before_those_shown_is_no_answer(run: av.Trace) -> None:
    key = missing_word(run).key
    since = missing_word(run, since=key + 1)
    assert (since.site, since.head, since.key) != ("decoder.1.self", 1, key)


def test_a_model_that_predicts_nothing_is_refused(minilm) -> None:
    with pytest.raises(StepError):
        missing_word(minilm.trace("The cat sat."))
