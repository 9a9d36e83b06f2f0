"""Logits taken apart on the shipped models, and the stream read early."""

import pytest

import attnviz as av
from attnviz.core.errors import StepError


def test_the_induction_heads_write_the_letter_that_followed_before(repeated):
    position, answer = 11, repeated.tokens.source.ids[10]  # behind the second n: f, as behind the first
    assert int(repeated.prediction.ids[position, 0]) == answer

    found = av.wrote(repeated, position, answer)

    heads = found.frame()
    heads = heads[heads["writer"].str.startswith("head")]
    assert heads.iloc[0]["writer"].startswith("head decoder.1.self")
    moved = found.sources().iloc[0]
    assert moved.site == "decoder.1.self" and repeated.tokens.source.ids[int(moved.source)] == answer


def test_the_answer_of_induction_appears_in_the_last_block(repeated):
    lens = av.logit_lens(repeated)
    at = lens[lens["position"] == 11].set_index("point")
    assert at.loc["decoder.out", "final_rank"] == 1 < at.loc["decoder.0.in", "final_rank"]


def test_a_model_without_a_vocabulary_says_what_is_nearest(minilm):
    trace = minilm.trace("The cat sat.")
    for ask in (lambda: av.wrote(trace, 1, 5), lambda: av.logit_lens(trace)):
        with pytest.raises(StepError, match="sentence vector") as error:
            ask()
        assert error.value.id == "no-vocabulary"
