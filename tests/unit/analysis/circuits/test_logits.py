"""Logits taken apart on the shipped models, and the stream read early."""

import pytest
import torch

import attnviz as av
from attnviz.core.errors import StepError

REPEATED = "a 1 k e u c v s f n f n f"


@pytest.fixture(scope="module")
def induction():
    return av.load("induction").trace(REPEATED)


def test_the_induction_heads_write_the_letter_that_followed_before(induction):
    position, answer = 11, induction.tokens.source.ids[10]  # behind the second n: f, as behind the first
    assert int(induction.prediction.ids[position, 0]) == answer

    found = av.wrote(induction, position, answer)

    heads = found.frame()
    heads = heads[heads["writer"].str.startswith("head")]
    assert heads.iloc[0]["writer"].startswith("head decoder.1.self")
    moved = found.sources().iloc[0]
    assert moved.site == "decoder.1.self" and induction.tokens.source.ids[int(moved.source)] == answer


def test_a_difference_of_two_logits_is_the_difference_of_their_parts(induction):
    one, other, both = av.wrote(induction, 5, 7), av.wrote(induction, 5, 9), av.wrote(induction, 5, 7, against=9)
    assert both.logit == pytest.approx(one.logit - other.logit, abs=1e-4)
    torch.testing.assert_close(both.parts, one.parts - other.parts, rtol=0, atol=1e-5)


def test_the_answer_of_induction_appears_in_the_last_block(induction):
    lens = av.logit_lens(induction)
    at = lens[lens["position"] == 11].set_index("point")
    assert at.loc["decoder.out", "final_rank"] == 1 < at.loc["decoder.0.in", "final_rank"]


def test_a_model_without_a_vocabulary_says_what_is_nearest(minilm):
    trace = minilm.trace("The cat sat.")
    for ask in (lambda: av.wrote(trace, 1, 5), lambda: av.logit_lens(trace)):
        with pytest.raises(StepError, match="sentence vector") as error:
            ask()
        assert error.value.id == "no-vocabulary"
