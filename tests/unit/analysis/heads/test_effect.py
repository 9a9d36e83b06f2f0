"""What changing a head does: on a model whose answer is known, and on one that predicts nothing."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import attnviz as av
from attnviz.analysis.heads.effect import Effects, effect, embedding, every_effect, probability
from attnviz.core.errors import InputError, StepError
from attnviz.trace.edits import HeadEdit
from attnviz.trace.trace import Prediction

TEXT = "1 2 3 4 a 1 2 3"  # the small model has learnt to answer 4


@pytest.fixture(scope="module")
def run(trained):
    return trained.trace(TEXT)


def test_silencing_changes_the_probability_of_the_untouched_runs_own_answer(trained, run) -> None:
    change = HeadEdit("decoder.1.self", np.int64(0))
    found = effect(trained, run, change)
    assert (found.measure, found.position, found.token) == ("probability", 8, "4")
    changed = trained.trace(TEXT, edits=[change])
    assert float(changed["decoder.1.self"].context()[0].abs().max()) == 0.0
    assert_close(changed["decoder.1.self"].context()[1], run["decoder.1.self"].context()[1], rtol=0, atol=1e-5)
    at = (changed.prediction.ids[8] == run.prediction.ids[8, 0]).nonzero()
    assert found.chosen.after == pytest.approx(float(changed.prediction.probabilities[8, int(at[0])]), abs=1e-6)
    assert found.chosen.points == pytest.approx(100 * (found.chosen.after - found.chosen.before))
    assert str(*changed.edits) == "decoder.1.self head 0 silenced"


def test_the_others_are_seeded_other_heads_under_the_same_change(trained, run) -> None:
    change = HeadEdit("decoder.1.self", 0, "mean")
    found = effect(trained, run, change, seed=3)
    heads = [(other.edit.site, other.edit.head) for other in found.others]
    assert sorted(heads) == [("decoder.0.self", 0), ("decoder.0.self", 1), ("decoder.1.self", 1)]  # all there are
    assert {other.edit.how for other in found.others} == {"mean"}
    mirrored = av.load("reverse").trace("a b c d")
    cut = effect(av.load("reverse"), mirrored, HeadEdit("decoder.0.cross", 0, "edge", 0, 1))
    assert [other.edit for other in cut.others] == [HeadEdit("decoder.0.cross", 1, "edge", 0, 1)]  # the same tokens
    again = effect(trained, run, change, seed=3, others=2)
    assert len(again.others) == 2
    assert again.others == effect(trained, run, change, seed=3, others=2).others


def test_the_five_beside_a_head_are_those_that_the_map_of_all_heads_is_measured_by(minilm) -> None:
    trace = minilm.trace("The cat sat.")
    every = every_effect(minilm, trace, trace.sites)
    points = {(each.edit.site, each.head): each.points for each in every.others}
    assert len(points) == 72
    drawn: set[frozenset[tuple[str, int]]] = set()
    for site, head in list(points)[:8]:
        five = {(each.edit.site, each.head): each.points for each in effect(minilm, trace, HeadEdit(site, head)).others}
        assert {place: points[place] for place in five} == pytest.approx(five, abs=1e-4)
        if len(five.keys() - {(every.chosen.edit.site, every.chosen.head)}) == 4:
            assert abs(every.chosen.points) == pytest.approx(max(map(abs, five.values())), abs=1e-4)
        drawn.add(frozenset(five))
    assert len(drawn) <= 2  # the same five, and another in place of the picked head where that is one of them


def test_a_head_held_at_its_mean_gives_every_row_the_same(trained, run) -> None:
    changed = trained.trace(TEXT, edits=[HeadEdit("decoder.1.self", 1, "mean")])
    mean = run["decoder.1.self"].context()[1].mean(0)
    assert_close(changed["decoder.1.self"].context()[1], mean.expand(9, -1), rtol=0, atol=1e-4)


def test_a_cut_edge_has_no_weight_and_the_rest_of_its_row_shares_it(trained, run) -> None:
    change = HeadEdit("decoder.1.self", 0, "edge", query=8, key=4)
    changed = trained.trace(TEXT, edits=[change])["decoder.1.self"].weights()
    before = run["decoder.1.self"].weights()
    assert float(changed[0, 8, 4]) == 0.0 and float(changed[0, 8].sum()) == pytest.approx(1.0, abs=1e-6)
    kept = before[0, 8].clone()
    kept[4] = 0.0
    assert_close(changed[0, 8], kept / kept.sum(), rtol=0, atol=1e-4)
    assert_close(changed[0, :8], before[0, :8], rtol=0, atol=1e-5)
    assert_close(changed[1], before[1], rtol=0, atol=1e-5)
    assert effect(trained, run, change, others=1).chosen.edit.label == "decoder.1.self head 0 edge 8 to 4 cut"


def test_an_embedding_is_compared_where_nothing_is_predicted(minilm) -> None:
    trace = minilm.trace("The cat sat on the mat because it was tired")
    found = effect(minilm, trace, HeadEdit("encoder.5.self", 11))
    assert (found.measure, found.position, found.token, len(found.others)) == ("cosine", None, None, 5)
    changed = minilm.trace(trace.tokens.source.source, edits=[HeadEdit("encoder.5.self", 11)])
    cosine = torch.cosine_similarity(embedding(trace), embedding(changed), dim=0)
    assert found.chosen.after == pytest.approx(float(cosine), abs=1e-5)
    assert found.chosen.before == 1.0 and all(0.9 < other.after <= 1.0 for other in found.others)
    largest = max(abs(other.points) for other in found.others)
    assert abs(found.chosen.points) > largest  # it pools the sentence, and the embedding is the mean of its tokens


def test_a_token_that_fell_out_of_the_twenty_has_a_bound() -> None:
    prediction = Prediction(torch.tensor([[4, 7]]), torch.tensor([[0.6, 0.3]]), (("a", "b"),))
    assert probability(prediction, 0, 7) == (pytest.approx(0.3), False)
    assert probability(prediction, 0, 9) == (pytest.approx(0.1), True)  # what is left of the row
    close = Prediction(torch.tensor([[4, 7]]), torch.tensor([[0.2, 0.1]]), (("a", "b"),))
    assert probability(close, 0, 9) == (pytest.approx(0.1), True)  # no more than the least that is kept


def ablated(trained, run, *change, position: int | None = None) -> Effects:
    return effect(trained, run, HeadEdit("decoder.1.self", *change), position=position)


def test_an_edge_is_counted_from_the_end_too(trained, run) -> None:
    assert ablated(trained, run, 0, "edge", -1, -3).chosen == ablated(trained, run, 0, "edge", 8, 6).chosen


@pytest.mark.parametrize(("asked", "error", "words"), [
    (lambda *of: ablated(*of, 0, "edge", 3, 5), InputError, r"no edge from token 3 to token 5 at decoder\.1\.self"),
    (lambda *of: ablated(*of, 0, "edge", 99), InputError, "query=99, and the text has 9 tokens"),
    (lambda *of: ablated(*of, 0, "edge", 3), InputError, "key=None, and the text has 9 tokens"),
    (lambda *of: ablated(*of, 0, "edge", 0, 0), StepError, "Token 0 can look at no token but 0, so that"),
    (lambda *of: ablated(*of, True), InputError, "head=True is not a whole number"),
    (lambda *of: ablated(*of, 5), InputError, "There is no head 5"),
    (lambda *of: ablated(*of, 0, position=40), InputError, r"position=40, and the text has 9 tokens\. Expected 0"),
    (lambda trained, run: trained.trace(TEXT, edits=[av.ablate("1.5")]), InputError,
     r"There is no head 5 at decoder\.1\.self\. It has 2 heads"),
    (lambda trained, run: ablated(trained, trained.trace(TEXT, edits=[av.ablate("1.0")]), 0), InputError,
     "was already changed"),
])  # fmt: skip
def test_what_cannot_be_changed_is_refused(trained, run, asked, error, words) -> None:
    with pytest.raises(error, match=words):
        asked(trained, run)
