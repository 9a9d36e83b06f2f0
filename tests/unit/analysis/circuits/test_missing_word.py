"""The head that brings a missing word, what adds to its lead, and what is predicted without it."""

import pytest
import torch

import attnviz as av
from attnviz.analysis.circuits.missing_word import MOST_OFF, TRIED, added_by_head, missing_word
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


def without(run: av.Trace, heads: tuple[tuple[str, int], ...]) -> torch.Tensor:
    """The probabilities of the next word where these heads are at zero. [V]"""
    model = av.load("induction")
    edits = [HeadEdit(site, head) for site, head in heads]
    return model.trace(run.tokens.source.source, edits=edits).logits()[-1].double().softmax(-1)


def test_each_run_is_without_one_head_more_of_those_that_take_most_beside_the_first_until_another_word_leads(
    run: av.Trace,
) -> None:
    found = missing_word(run)
    word = int(run.prediction.ids[-1, 0])
    added = added_by_head(found.wrote).sort_values(ascending=False)
    others = list(added[added > 0].index[:TRIED])
    assert 1 <= len(found.silenced) <= MOST_OFF
    had = float(without(run, ())[word])
    for n, one in enumerate(found.silenced, 1):
        assert len(one.heads) == n and one.heads[0] == (found.site, found.head)
        shares = without(run, one.heads)
        assert one.share == pytest.approx(float(shares.max()), abs=1e-6)
        assert one.is_other == (int(shares.argmax()) != word)
        if n > 1:
            first = one.heads[0]
            beside = {other: float(without(run, (first, other))[word]) for other in others if other != first}
            assert list(one.heads[1:]) == sorted(beside, key=lambda other: beside[other])[: n - 1]
            assert float(shares[word]) < had
        had = float(shares[word])
    assert [one.is_other for one in found.silenced[:-1]] == [False] * (len(found.silenced) - 1)


def test_the_candidates_are_the_five_likeliest_of_every_run_with_what_each_has_in_all(run: av.Trace) -> None:
    found = missing_word(run)
    runs = [without(run, heads) for heads in ((), *(one.heads for one in found.silenced))]
    listed = dict.fromkeys(number for shares in runs for number in shares.topk(5).indices.tolist())
    assert [one.text for one in found.candidates[:5]] == list(run.prediction.texts[-1][:5])
    assert len(found.candidates) == len(listed)
    for one, number in zip(found.candidates, listed, strict=True):
        assert list(one.shares) == pytest.approx([float(shares[number]) for shares in runs], abs=1e-6)


def test_a_head_that_looks_at_tokens_before_those_shown_is_no_answer(run: av.Trace) -> None:
    key = missing_word(run).key
    since = missing_word(run, since=key + 1)
    assert (since.site, since.head, since.key) != ("decoder.1.self", 1, key)


def test_a_model_that_predicts_nothing_is_refused(minilm) -> None:
    with pytest.raises(StepError):
        missing_word(minilm.trace("The cat sat."))
