"""How much goes from one group of tokens to another, and metrics of such a part, on weights written out by hand."""

from dataclasses import replace

import pytest
import torch

import attnviz as av
from attnviz.core.errors import InputError
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Trace

WEIGHTS = [[[[0.5, 0.3, 0.2, 0.0], [0.1, 0.4, 0.25, 0.25], [0.2, 0.2, 0.6, 0.0], [0.0, 0.0, 0.5, 0.5]]]]


@pytest.fixture
def pair() -> Trace:
    trace = Trace.from_arrays(WEIGHTS, ["a", "b", "c", "d"])
    return replace(trace, tokens=TokenPair(replace(Tokens.plain("abcd"), segments=(0, 0, 1, 1))))


@pytest.fixture
def chat() -> Trace:
    trace = Trace.from_arrays(WEIGHTS, ["a", "b", "c", "d"])
    return replace(trace, tokens=TokenPair(replace(Tokens.plain("abcd"), roles=("", "user", "user", "assistant"))))


def test_the_sum_over_each_group_is_a_mean_over_the_queries_of_each(pair):
    frame = av.group_attention(pair).set_index(["from", "to"])["weight"]
    assert frame["A", "A"] == pytest.approx((0.8 + 0.5) / 2)
    assert frame["A", "B"] == pytest.approx((0.2 + 0.5) / 2)
    assert frame["B", "A"] == pytest.approx(0.4 / 2)
    assert frame["B", "B"] == pytest.approx((0.6 + 1.0) / 2)


def test_roles_are_groups_and_what_belongs_to_none_is_one_more(chat):
    frame = av.group_attention(chat)
    assert frame.groupby("from")["weight"].sum().to_dict() == pytest.approx({"": 1.0, "user": 1.0, "assistant": 1.0})
    own = frame.set_index(["from", "to"])["weight"]
    assert own["user", "user"] == pytest.approx((0.65 + 0.8) / 2) and own["assistant", ""] == 0.0
    assert set(frame["queries"]) == {1, 2}


def test_metrics_between_two_groups_are_those_of_that_part_of_the_map(pair):
    whole = av.head_metrics(pair)
    part = av.head_metrics(pair, between=("A", "B"))
    rows = torch.tensor([[1.0, 0.0], [0.5, 0.5]])  # of [0.2, 0] and [0.25, 0.25]
    entropy = -(rows * rows.clamp_min(1e-12).log2()).sum(-1).mean()
    assert part["entropy"][0] == pytest.approx(float(entropy), abs=1e-6)
    assert part["distance"][0] == pytest.approx((2 + (1 * 0.5 + 2 * 0.5)) / 2)
    assert part["one_word"][0] == pytest.approx(0.75) and whole["entropy"][0] != part["entropy"][0]
    small = av.head_metrics(pair, between=("A", "B"), block_bytes=16)  # one row at a time
    assert small["delimiter_over"][0] == pytest.approx(part["delimiter_over"][0], nan_ok=True)
    assert small["entropy"][0] == pytest.approx(part["entropy"][0])


def test_a_text_has_no_groups_and_an_unknown_one_is_refused(pair):
    text = Trace.from_arrays(WEIGHTS, ["a", "b", "c", "d"])
    with pytest.raises(InputError, match="over one text"):
        av.group_attention(text)
    with pytest.raises(InputError, match="over one text"):
        av.head_metrics(text, between=("A", "B"))
    with pytest.raises(InputError, match=r"'user' is no part of what was read\. Expected one of A, B"):
        av.head_metrics(pair, between=("user", "A"))
